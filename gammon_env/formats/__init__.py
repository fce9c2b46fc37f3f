"""Text formats that other programs read and write."""
