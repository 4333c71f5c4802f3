"""What the worker processes do with pages, and the pool that asks them."""
