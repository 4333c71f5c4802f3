"""Docstrings of classes that list their fields, for `help()`.

Editors show the text below a field; Python itself forgets it.
"""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from textwrap import indent
from typing import TypeVar

C = TypeVar("C", bound=type)


def document_fields(cls: C) -> C:
    """The class, with its fields and what is below each of them in its docstring."""
    type.__setattr__(cls, "__doc__", _Docstring(cls.__doc__ or ""))
    return cls


class _Docstring:
    """The docstring of a class, put together from its source when somebody reads it."""

    def __init__(self, own: str) -> None:
        self._own = own

    def __get__(self, instance: object, owner: type) -> str:
        entries: dict[str, str] = {}
        for cls in reversed(owner.__mro__[:-1]):
            entries |= _read_fields(cls)
        listed = "\n".join(f"{name}\n{indent(text, '    ')}\n" for name, text in entries.items())
        return f"{inspect.cleandoc(self._own)}\n\nFields:\n\n{listed}" if listed else self._own


def _read_fields(cls: type) -> dict[str, str]:
    """Public fields and the text below each, in the order of the source, if there is a source."""
    try:
        (tree,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(cls))).body
    except (OSError, TypeError):
        return {}
    texts = {}
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    for statement, below in pairwise(body):
        text = ast.get_docstring(ast.Module([below], []))
        if text and isinstance(statement, ast.AnnAssign):
            line = ast.unparse(statement).partition(" = field(")[0]
            if line[0] != "_":
                texts[line] = text
    return texts
