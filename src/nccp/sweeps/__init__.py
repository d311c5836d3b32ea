"""Sweeps: many trainings over a grid or a search space, with one store and one table of results."""
