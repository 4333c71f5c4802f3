# What mypy sees of forest.py, whose types are in forest.pxd.
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.model.weights.load import Arrays

COMPILED: bool
LEAF: int

class Forest:
    @property
    def columns(self) -> int: ...
    @classmethod
    def from_arrays(cls, arrays: Arrays, columns: int, *prefixes: str) -> Forest: ...
    def to_arrays(self, prefix: str = "") -> dict[str, npt.NDArray[Any]]: ...
    def __len__(self) -> int: ...
    def predict(self, table: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]: ...
    def add(self, table: npt.NDArray[np.float32], sums: npt.NDArray[np.float64]) -> None: ...
