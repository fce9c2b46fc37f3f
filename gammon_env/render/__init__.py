"""Drawing a game: as text, as SVG, in pixels, and as an animated picture."""
