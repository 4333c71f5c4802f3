"""The learned model: the features of a block, and the weights that read them."""
