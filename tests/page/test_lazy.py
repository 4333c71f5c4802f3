"""Properties that are made once."""

from __future__ import annotations

from tamis.page.lazy import lazy
from tamis.page.table import Page


class Counted:
    def __init__(self) -> None:
        self.count = 0

    @lazy
    def value(self) -> int:
        """What it is."""
        self.count += 1
        return 7


def test_a_lazy_property_is_made_once_and_for_each_object() -> None:
    first, second = Counted(), Counted()
    assert (first.value, first.value, second.value) == (7, 7, 7)
    assert (first.count, second.count) == (1, 1)


def test_the_class_has_the_property_itself() -> None:
    assert isinstance(Counted.value, lazy)
    assert Counted.value.__doc__ == "What it is."
    assert isinstance(Page.declared, lazy)
