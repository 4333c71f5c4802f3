"""Where methods learn: the default method from your pages, and two published methods from nothing.

The only home of scikit-learn and LightGBM; only the command line and projects import this package.
The repository trains the shipped weights with `benchmarks/train.py`.
"""

METHODS = ("dragnet", "tamis", "text_block_context")
"""Methods that learn from labelled pages."""
