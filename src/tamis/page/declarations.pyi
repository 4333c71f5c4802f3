# What mypy sees of declarations.py, whose types are in declarations.pxd.
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intc]

def declarations(
    source: bytes,
    tag: Ints,
    first_row: Ints,
    rows: Ints,
    anywhere: npt.NDArray[np.uint8],
    in_head: npt.NDArray[np.uint8],
    shortest: Ints,
    longest: Ints,
) -> tuple[Ints, int]: ...
