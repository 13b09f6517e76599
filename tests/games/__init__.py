"""The four games: rules, texts, and the Python API through which they are seen."""
