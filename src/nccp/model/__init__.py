"""The networks of the paper, in torch. Only training imports this room; parsing runs without torch."""
