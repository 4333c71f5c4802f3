"""The choices of a corpus run, which its output folder remembers."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

from tamis.corpus.records import ON_REQUEST, Columns
from tamis.describe.metadata.language import find_language_tags
from tamis.describe.types.page_type import TYPES
from tamis.errors import MethodError, OptionsError
from tamis.method_choices import pin
from tamis.methods._shared.site_method import SiteMethod
from tamis.options import Options
from tamis.site.joint import site_method

Duplicates = Literal["keep", "exact", "near"]
DUPLICATES: tuple[Duplicates, ...] = get_args(Duplicates)

LEAST_MEMORY = 256 * 1024**2
"""Bytes that a process needs before it has read a page, and some room."""

# A page of a crawl that takes longer or more than this is a trap or a data file. Of the 6,447 pages
# of our data sets the largest has 5.3 MB, and the slowest takes 0.1 s.
_OPTIONS = Options(max_bytes=16 * 1024 * 1024, max_seconds=10.0)

_CHECKS: Sequence[tuple[str, Callable[[Any], bool], str]] = (
    ("duplicates", DUPLICATES.__contains__, f"one of {', '.join(DUPLICATES)}"),
    ("also", lambda also: {*also} <= {*ON_REQUEST}, f"one or more of {', '.join(ON_REQUEST)}"),
    ("page_types", lambda types: {*types} <= {*TYPES}, f"one or more of {', '.join(TYPES)}"),
    ("min_words", lambda words: words >= 1, "1 or more"),
    ("min_probability", lambda least: 0 <= least <= 1, "a number from 0 to 1"),
    ("memory", lambda size: size >= LEAST_MEMORY, f"{LEAST_MEMORY} bytes or more"),
)
"""Fields of `Settings`, whether a value is right, and what to give instead of one that is not."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What becomes of each record. The same settings and input always give the same output."""

    options: Options = _OPTIONS
    """How to extract; its limits hold for each page."""
    columns: Columns = field(default_factory=Columns)
    """Where tables have what is needed."""
    format: str = "parquet"
    """Of the output, see `tamis.corpus.formats.OUTPUTS`."""
    also: tuple[str, ...] = ()
    """Views beside the text: `markdown`, `html`."""
    describe: bool = True
    """Title, authors, dates, language, type of page: a quarter of the time of a run."""
    languages: tuple[str, ...] = ()
    """Keep pages in one of these only: codes or names, `en` or `english`. Regions do not count."""
    page_types: tuple[str, ...] = ()
    """Keep pages of one of these types only."""
    min_words: int = 1
    """Fewest words of content."""
    min_probability: float = 0.0
    """Least mean score of the kept blocks, by their words."""
    duplicates: Duplicates = "keep"
    """What becomes of a text that was there before, in any shard."""
    site_models: bool = False
    """Learn what the pages of each site have in common first."""
    rejects: bool = False
    """Write the records that gave no row, with the reason."""
    memory: int = 2 * 1024**3
    """Most bytes of memory of a process that extracts."""

    def __post_init__(self) -> None:
        for name, is_right, wanted in _CHECKS:
            if not is_right(value := getattr(self, name)):
                raise OptionsError(f"{name} is {value!r}; give {wanted}")
        tags = (tag for name in self.languages for tag in find_language_tags(name))
        codes = tuple(dict.fromkeys(tag.partition("-")[0] for tag in tags))
        object.__setattr__(self, "languages", codes)  # what is remembered and compared with
        # As text that every worker makes the same method of, and that says if its file changed.
        pinned = pin(self.options.method, self.options.parameters)._asdict()
        object.__setattr__(self, "options", replace(self.options, **pinned))
        if self.site_models:
            site_method(self.options)  # which refuses a method that learns nothing from a site
        elif isinstance(method := self.options.make_method(), SiteMethod):
            raise MethodError(
                f"method {method.name} learns from the pages of a site; add site models"
                " (--site-models)"
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        options = {item.name: getattr(self.options, item.name) for item in fields(Options)}
        options["parameters"] = dict(self.options.parameters)
        options["today"] = self.options.today and self.options.today.isoformat()
        return values | {"options": options, "columns": asdict(self.columns)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        values = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
        }
        today = values["options"].get("today")
        today = datetime.date.fromisoformat(today) if today else None
        values["options"] = Options(**{**values["options"], "today": today})
        values["columns"] = Columns(**values["columns"])
        return cls(**values)
