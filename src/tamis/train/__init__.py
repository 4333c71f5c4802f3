"""Where methods learn: labels from gold text, fitting, and export to weights.

The only home of scikit-learn; nothing else in tamis imports this package but the command line.
"""

METHODS = ("dragnet", "text_block_context")
"""Methods that learn from gold text."""
