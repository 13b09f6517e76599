"""Players: their texts, and what they do in games."""
