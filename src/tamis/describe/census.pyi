# What mypy sees of census.py, whose types are in census.pxd.
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intc]
Floats = npt.NDArray[np.float64]

COMPILED: bool

def elements(
    tag: Ints,
    parent: Ints,
    text_node: Ints,
    text_words: Ints,
    kind_of_tag: Ints,
    kinds: int,
    out: Floats,
) -> int: ...
def text(
    words: Ints,
    link_words: Ints,
    chars: Ints,
    capitals: Ints,
    digits: Ints,
    punctuation: Ints,
    flags: Ints,
    bits: Ints,
    lengths: Ints,
    out: Floats,
) -> object: ...
def attributes(
    source: bytes,
    rows: Ints,
    column: Ints,
    naming: npt.NDArray[np.uint8],
    chosen: Ints,
    out: Floats,
) -> int: ...

class DeclaredNames:
    address_start: int
    address_end: int
    def __init__(self, source: bytes, rows: Ints, head: int) -> None: ...
    def found(self) -> Ints: ...

def with_pairs(
    source: bytes,
    rows: Ints,
    low: int,
    high: int,
    looked_at: npt.NDArray[np.uint8],
    next_byte: npt.NDArray[np.uint8],
) -> npt.NDArray[np.intp]: ...
def weigh(
    places: Ints,
    row_of: Ints,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> object: ...
def answers(
    columns: npt.NDArray[np.float32],
    feature: npt.NDArray[np.int16],
    value: npt.NDArray[np.float32],
    right: Ints,
    root: Ints,
    first: Ints,
    out: Floats,
) -> object: ...
