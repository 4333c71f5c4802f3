"""Where methods learn: labels from gold text, fitting, and export to weights.

The only home of scikit-learn and LightGBM; nothing else in tamis imports this package but the
command line.
"""

METHODS = ("dragnet", "tamis", "text_block_context")
"""Methods that learn from gold text."""
