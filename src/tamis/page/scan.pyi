# What mypy and readers see of scan.py, whose own annotations are C types for Cython.
import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.intc]

COMPILED: bool
"""Whether this is the compiled module; the uncompiled one gives the same tables, slowly."""
NODE_COLUMNS: tuple[str, ...]
TEXT_COLUMNS: tuple[str, ...]
BLOCK_COLUMNS: tuple[str, ...]

class Lexer:
    def __init__(self, source: bytes) -> None: ...
    def read(self, i: int) -> tuple[int, int, bytes, int, bytes]: ...
    def end_of_raw_text(self, i: int, name: bytes) -> int: ...
    def attribute_list(self, start: int) -> tuple[list[tuple[bytes, bytes]], int]: ...

def attributes_at(source: bytes, start: int) -> tuple[list[tuple[bytes, bytes]], int]: ...
def scan(
    source: bytes, max_nodes: int, max_depth: int, deadline: float | None
) -> tuple[Rows, Rows, Rows, Rows, dict[bytes, int]]: ...
