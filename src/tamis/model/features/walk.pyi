# What mypy sees of walk.py, whose types are in walk.pxd.
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intc]
Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Firsts = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]

COMPILED: bool

def spans(first_text: Ints, end_text: Ints, text_block: Ints, blocks: int) -> tuple[Ints, Ints]: ...
def levels(
    parent: Ints, first: Ints, end: Ints, block_node: Ints, near_levels: int, far_levels: int
) -> tuple[Ints, Ints, Ints]: ...
def counts_before(tag: Ints, kind_of_tag: Ints, kinds: int) -> Ints: ...
def ways(parent: Ints, tag: Ints, names: Hashes) -> tuple[Hashes, Hashes, Hashes]: ...
def counts_alike(keys: Hashes) -> Floats: ...
def same_way(
    way: Hashes, block_node: Ints, sums: Floats, first_block: Firsts, out: Matrix
) -> None: ...
def repeated(
    parent: Ints,
    first: Ints,
    end: Ints,
    alike: Hashes,
    sums: Floats,
    first_block: Firsts,
    block_node: Ints,
) -> Floats: ...
def containers(
    parent: Ints,
    last: Ints,
    level: Ints,
    around: Ints,
    sums: Floats,
    block_node: Ints,
    first_node: Firsts,
    first_block: Firsts,
) -> tuple[Floats, Floats]: ...
def add_weights(
    node: Ints, token: Hashes, keys: Hashes, weights: npt.NDArray[np.float32], sums: Floats
) -> None: ...
def token_table(tokens: Hashes) -> Hashes: ...
def weigh_ways(
    parent: Ints, up: Ints, level: Ints, weights: Floats, block_node: Ints
) -> Floats: ...
