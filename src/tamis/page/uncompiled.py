"""What `page/scan.py` needs of Cython when it runs uncompiled on a machine without Cython."""

from __future__ import annotations

from typing import Any

compiled = False
int = uint = ulonglong = uchar = Py_ssize_t = object


def _unchanged(thing: Any) -> Any:
    return thing


final = cclass = cfunc = ccall = inline = _unchanged


def declare(_type: object, value: Any) -> Any:
    """The value, as in Cython's own stand-in."""
    return value
