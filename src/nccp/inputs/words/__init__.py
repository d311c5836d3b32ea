"""Word vectors as input: from a file, learned in training, or from character n-grams."""
