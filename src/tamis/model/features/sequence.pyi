# What mypy sees of sequence.py, whose types are in sequence.pxd.
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intc]
Firsts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float32]

COMPILED: bool

def prefix_sums(
    words: Ints, link_words: Ints, punctuation: Ints, flags: Ints, level: Floats, sums: Floats
) -> None: ...
def own_counts(
    sums: Floats,
    link_density: Floats,
    text_density: Floats,
    chars: Ints,
    capitals: Ints,
    digits: Ints,
    unspaced: Ints,
    lines: Ints,
    edges: Ints,
    first_class: npt.NDArray[np.uint8],
    last_class: npt.NDArray[np.uint8],
    out: Matrix,
) -> None: ...
def positions(first_block: Firsts, sums: Floats, depth: Ints, out: Matrix) -> None: ...
def neighbours(
    first_block: Firsts,
    sums: Floats,
    link_density: Floats,
    text_density: Floats,
    node: Ints,
    parent: Ints,
    out: Matrix,
) -> None: ...
def headings(first_block: Firsts, sums: Floats, level: Floats, out: Matrix) -> None: ...
def flags_set(flags: Ints, bits: Ints, out: Matrix) -> None: ...
def tags_between(
    first_block: Firsts, tags: Ints, first_text: Ints, end_text: Ints, out: Matrix
) -> None: ...
def tag_ratios(
    first_block: Firsts, chars: Ints, tags: Ints, end_text: Ints, ratio: Floats, out: Matrix
) -> None: ...
def ancestors(
    first_block: Firsts,
    around: Ints,
    near_levels: int,
    first: Ints,
    end: Ints,
    last: Ints,
    sums: Floats,
    kinds: Ints,
    near: Ints,
    far: Ints,
    number: Ints,
    held: Floats,
    out: Matrix,
) -> None: ...
def similarities(
    first_block: Firsts, counts: Floats, declared: Floats, same: Floats, out: Matrix
) -> None: ...
def wholes(
    first_block: Firsts,
    first_node: Firsts,
    sums: Floats,
    kinds: Ints,
    level: Floats,
    siblings: Floats,
    best_score: Floats,
    chars: Ints,
    capitals: Ints,
    digits: Ints,
    flags: Ints,
    bits: Ints,
    out: Floats,
) -> None: ...
