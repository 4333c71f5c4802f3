# What mypy sees of scan.py, whose types are in scan.pxd.
import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.intc]

COMPILED: bool
NODE_COLUMNS: tuple[str, ...]

def scan(
    source: bytes, max_nodes: int, max_depth: int, deadline: float | None
) -> tuple[Rows, Rows, Rows, Rows, dict[bytes, int]]: ...
