"""The strongest player of each game, and partners of every style to try it against."""
