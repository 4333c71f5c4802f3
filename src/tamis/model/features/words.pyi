# What mypy sees of words.py, whose types are in words.pxd.
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intc]
Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

COMPILED: bool

def names(source: bytes, first_row: Ints, rows: Ints) -> tuple[Ints, Hashes, Hashes]: ...
def words_of(text: bytes) -> Hashes: ...
def words_of_json(text: bytes) -> Hashes: ...
def pairs_of(words: Hashes) -> Hashes: ...

class Marks:
    def __init__(self, *sets: Hashes) -> None: ...

def wording(
    source: bytes,
    start: Ints,
    end: Ints,
    block: Ints,
    flags: Ints,
    block_flags: Ints,
    marks: Marks,
) -> tuple[Floats, Hashes, Ints]: ...
