# What mypy sees of walk.py, whose types are in walk.pxd.
import numpy as np
import numpy.typing as npt

from tamis.page.table import Column, Page

HEADING: int
CODE: int
CONTAINER: int
TABLE_PART: int
LINK: int
MARK: int
IMAGE: int
RULE: int
FORMULA: int

def chosen(
    page: Page,
    shown: npt.NDArray[np.bool_],
    roles: npt.NDArray[np.uint8],
    table_firsts: npt.NDArray[np.intp],
    table_lasts: npt.NDArray[np.intp],
) -> list[Column]: ...
