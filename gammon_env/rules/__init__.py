"""The game itself, on plain arrays: boards, dice, legal plays, outcomes."""
