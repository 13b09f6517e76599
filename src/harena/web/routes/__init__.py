"""One file a group of pages, with what these pages ask for."""
