"""What proves a game: shipped, for the games of others too."""
