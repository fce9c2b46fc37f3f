"""Drawing a game: as text, and later as a picture."""
