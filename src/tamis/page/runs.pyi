# What mypy sees of runs.py, whose types are in runs.pxd.

TEXT_COLUMNS: tuple[str, ...]
BLOCK_COLUMNS: tuple[str, ...]
