"""Players of backgammon games, learning, and measuring strength."""
