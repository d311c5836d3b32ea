"""The kinds of input: what turns words into the vectors that the network reads."""
