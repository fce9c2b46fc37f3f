"""Tests of the players, of learning and of measuring."""
