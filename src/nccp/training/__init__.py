"""Training: treebanks into batches, losses into weights, runs that can be stopped and go on."""
