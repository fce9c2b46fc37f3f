"""The Gymnasium environments: a thin skin over `GameState`."""
