"""Training of the weights that come with tamis: what `benchmarks/train.py` runs."""
