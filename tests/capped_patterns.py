"""The patterns of tamis that are not linear, or not for the check, and why they do no harm.

test_patterns.py says which they are. count_work.py watches how long the texts are that those with a
limit meet.
"""

from __future__ import annotations

CAPPED: dict[str, tuple[int, str]] = {
    "tamis.describe.metadata.authors._SEPARATOR": (1_000, "read_names() cuts"),
    "tamis.describe.metadata.authors._NOISE": (1_000, "read_names() cuts"),
    "tamis.describe.metadata.authors._END": (1_000, "read_names() cuts"),
    "tamis.describe.metadata.authors._LAST_WORDS": (1_000, "read_names() cuts"),
    "tamis.describe.metadata.authors._CHECKED": (1_000, "read_names() cuts"),
    "tamis.describe.metadata.authors._NO_NAME_AT_ALL": (60, "is_name() looks at the length first"),
    "tamis.render.outline.pictures._PLAYERS": (1_000, "the address is cut"),
    "tamis.render.outline.pictures._PICTURE_ADDRESS": (2_600, "_LONGEST_PICTURE_ADDRESS"),
}
"""Most characters of a text that a quadratic pattern meets, and where it is cut."""

PROVED: dict[str, str] = {
    "tamis.page.encoding._ATTRIBUTES": "reads what _NEXT_META found to be attributes",
    "tamis.page.encoding._NEXT_META": "a part ends before a byte that begins the next",
    "tamis.page.reader._HTML": "no comment goes on behind its end",
}
"""Linear by assertions about several characters, which the check takes for nothing."""

TRUSTED: dict[str, str] = {
    "tamis.labels.formats._NO_TEXT": "pages of one's own project",
    "tamis.labels.formats._SELECTED_CLASS": "annotations of a data set",
    "tamis.bench.rivals._LANGUAGE": "pages of a data set, for another extractor",
}
"""Those that read no page of a stranger, and what they read."""
