"""The object of the JSON-LD that a page is about, and the values of objects and properties."""

from __future__ import annotations

from typing import Any, TypeAlias

from tamis.page.declared import LONGEST_VALUE, cleaned
from tamis.page.json_ld import Object
from tamis.page.table import Page

Candidate: TypeAlias = tuple[str, str]
"""A value and its source, both empty if there is none."""

_SUBJECTS = frozenset(
    "Question Recipe Product ProductGroup HowTo Course Event Book Movie VideoObject Dataset"
    " SoftwareApplication PodcastEpisode CreativeWork LocalBusiness Report".split()
)


def main_object(objects: list[Object]) -> Object:
    """The object of the JSON-LD that the page is about, empty if there is none.

    An article before any other subject, that before a description of the page itself; the outermost
    and first of its kind.
    """
    ranks = [_rank(one) for one in objects]
    best = max(ranks, default=0)
    return objects[ranks.index(best)] if best else {}


def is_subject(one: Object) -> bool:
    """Whether an object is what a page can be about: an article, a product, a question."""
    return _rank(one) > 1


def _rank(one: Object) -> int:
    rank = 0
    kinds = one.get("@type")
    for kind in (kinds,) if isinstance(kinds, str) else texts(kinds):
        if kind.endswith(("Article", "Posting")) and kind != "JobPosting":
            return 3
        if kind in _SUBJECTS:
            rank = 2
        elif kind.endswith("Page"):
            rank = max(rank, 1)
    return rank


def texts(value: Any) -> list[str]:
    """The texts in a JSON-LD value: its own, those of a list, `name` or `@value` of an object."""
    found = []
    for one in value[:50] if isinstance(value, list) else (value,):
        if isinstance(one, dict):
            one = one.get("name") or one.get("@value")
            if isinstance(one, list) and one:
                one = one[0]
        if isinstance(one, str) and (text := cleaned(one[:LONGEST_VALUE])):
            found.append(text)
        elif isinstance(one, int) and not isinstance(one, bool) and abs(one) < 1 << 60:
            found.append(str(one))
    return found


def people(one: Object, objects: list[Object]) -> list[str]:
    """The names of an object's authors; an author may be the id of another object."""
    value = one.get("author") or one.get("creator")
    found: list[str] = []
    for person in value[:50] if isinstance(value, list) else (value,):
        if isinstance(person, dict) and "name" not in person and "@id" in person:
            known = person["@id"]
            named = (two for two in objects if two.get("@id") == known and "name" in two)
            person = next(named, None)
        found.extend(texts(person))
    return found


def property_value(page: Page, node: int) -> str:
    """The value of a microdata property: the attribute that the element has for it, or its text."""
    for attribute in ("content", "datetime", "href", "src"):
        if value := page.attribute(node, attribute):
            return cleaned(value[:LONGEST_VALUE])
    first, end = page.nodes.first_text[node], page.nodes.end_text[node]
    text = " ".join(page.text(int(text)) for text in range(first, min(end, first + 50)))
    return cleaned(text[:LONGEST_VALUE])
