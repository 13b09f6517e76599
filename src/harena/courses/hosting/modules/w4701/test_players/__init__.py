"""The course's opponents, from easy to hard."""
