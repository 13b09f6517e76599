"""Players of our own under the names of the course's levels; written from their descriptions."""
