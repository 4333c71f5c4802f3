"""The patterns of tamis that are not linear, or not for the check, and why they do no harm.

test_patterns.py says which they are. count_work.py watches how long the texts are that those with a
limit meet.
"""

from __future__ import annotations

CAPPED: dict[str, tuple[int, str]] = {
    "tamis.describe.authors._SEPARATOR": (1_000, "names() cuts"),
    "tamis.describe.authors._NOISE": (1_000, "names() cuts"),
    "tamis.describe.authors._END": (1_000, "names() cuts"),
    "tamis.describe.authors._LAST_WORDS": (1_000, "names() cuts"),
    "tamis.describe.authors._CHECKED": (1_000, "names() cuts"),
    "tamis.describe.authors._NO_NAME_AT_ALL": (60, "is_name() looks at the length first"),
    "tamis.render.embeds._PLAYERS": (1_000, "the address is cut"),
    "tamis.render.pictures._PICTURE_ADDRESS": (2_600, "_LONGEST_PICTURE_ADDRESS"),
}
"""Most characters of a text that a quadratic pattern meets, and where it is cut."""

PROVED: dict[str, str] = {
    "tamis.page.decode._ATTRIBUTES": "reads what _NEXT_META found to be attributes",
    "tamis.page.decode._NEXT_META": "each part ends before a byte that the next begins with",
    "tamis.page.sniff._HTML": "no comment goes on behind its end",
}
"""Linear by assertions about several characters, which the check takes for nothing."""

TRUSTED: dict[str, str] = {
    "tamis.evaluate.align._SPAN": "annotations of a data set",
    "tamis.evaluate.label_studio._NO_TEXT": "pages of one's own project",
    "tamis.evaluate.layouts.sets._ADDRESS": "the list of a data set",
    "tamis.evaluate.rivals._LANGUAGE": "pages of a data set, for another extractor",
    "tamis.evaluate.web_main_bench._SELECTED_CLASS": "annotations of a data set",
    "tamis.train.grafts._TAG": "pages that are trained on",
    "tamis.train.grafts._NAMES_OF_ELEMENTS": "one tag of a page that is trained on",
}
"""Those that read no page of a stranger, and what they read."""
