"""Measurements. Each asserts a known answer before it times; `make bench` runs them all."""
