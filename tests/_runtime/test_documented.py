"""The fields of a class and the text below each are part of its docstring."""

from __future__ import annotations

from dataclasses import dataclass

from tamis._runtime.documented import document_fields


@dataclass
class Sieve:
    """What a cook has."""

    mesh: float = 0.5
    """Of silk."""
    _worn: bool = False
    """Nobody asks."""
    untold: int = 0


@document_fields
@dataclass
class Tamis(Sieve):
    """A fine sieve."""

    frame: str = "beech"
    """Of wood."""


def test_fields_are_listed_with_the_text_below_them_those_of_the_parent_first() -> None:
    doc = Tamis.__doc__
    assert doc is not None
    assert doc.startswith("A fine sieve.\n\nFields:\n\nmesh: float = 0.5\n    Of silk.\n")
    assert doc.index("mesh") < doc.index("frame: str = 'beech'\n    Of wood.")
    assert "_worn" not in doc
    assert "untold" not in doc


def test_a_class_without_text_below_its_fields_keeps_its_docstring() -> None:
    @document_fields
    class Plain:
        """Nothing to list."""

    assert Plain.__doc__ == "Nothing to list."
