"""The web page: play, watch, replay and understand, on the same store and players as the command line."""
