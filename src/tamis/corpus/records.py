"""What goes into a corpus run and comes out: shards, records, rows, and the choices of the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime
from typing import Any, Literal, NamedTuple, get_args

from tamis.describe.metadata.language import find_language_tags
from tamis.describe.types.page_type import TYPES
from tamis.errors import InputError, MethodError, OptionsError
from tamis.method_choices import pin
from tamis.methods._shared.site_method import SiteMethod
from tamis.options import Options
from tamis.site.joint import site_method


@dataclass(frozen=True, slots=True)
class Record:
    """One page from a source."""

    id: str
    """The same in every run, and of one page only within its source."""
    url: str | None
    body: bytes
    content_type: str | None
    """Of the HTTP response."""
    fetched: datetime | None
    """In UTC."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that does not become a row, and why."""

    id: str
    url: str | None
    reason: str
    """One of few, to be counted: `not html`, `too large`, `damaged`, `short`, ..."""
    detail: str = ""
    """What happened to this record, in a line."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table to read. Empty: the first of the usual names that the table has."""

    html: str = ""
    url: str = ""
    id: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of the input that becomes a part of the output. Its records have an order."""

    number: int
    format: str
    """`warc`, `html`, `jsonl` or `parquet`."""
    source: str
    """A file, or a folder if `files` says which of its files."""
    start: int = 0
    """Where it begins: a byte of a WARC or JSONL file, a row group of a Parquet file."""
    end: int | None = None
    """Where it ends, exclusive; None at the end of the file."""
    files: tuple[str, ...] = ()
    """Pages of a folder, by their paths from it."""
    size: int = 0
    """In bytes as stored, for the progress."""
    round: int = 0
    """When it was planned: 0 when the run began, 1 when inputs were first added or done again."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is left: its file became shorter, or is gone."""
        return self.start == self.end

    def make_empty(self, round: int) -> Shard:
        return replace(self, start=0, end=0, files=(), size=0, round=round)


SCHEMA = 1
"""Version of the columns, stored with every Parquet file. It grows when a name or a meaning
changes; new columns may appear."""


class Row(NamedTuple):
    """One page. Unknown values are empty, or None where the type says so.

    A tuple, since rows go from process to process: pickling one there and back takes 2.4 us, a
    dataclass with slots 8.3 us.
    """

    id: str
    """Of the record, as its source has it."""
    source: str
    """The file it came from."""
    url: str | None = None
    """Of the record, else the canonical one of the page."""
    fetched: datetime | None = None
    """In UTC."""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    """ISO 8601, as precise as the page."""
    modified: str = ""
    """ISO 8601."""
    site_name: str = ""
    language: str = ""
    """BCP 47."""
    description: str = ""
    page_type: str = ""
    overview: float = 0.0
    """Probability that the page is a list of teasers, products or threads."""
    probability: float = 0.0
    """Mean score of the kept blocks, weighed by their words."""
    words: int = 0
    """Of the text."""
    text: str = ""
    markdown: str | None = None
    html: str | None = None
    encoding: str = ""
    embedded: str | None = None
    """Where the content was if the visible text is a shell: `json-ld`, for example."""
    site_pages: int = 0
    """Pages of the site that the decision rests on."""
    canonical: str = ""
    """The address that the page gives for itself."""


ON_REQUEST = ("markdown", "html")
"""Columns that take the time and the space of the text once more."""
USUAL = tuple(name for name in Row._fields if name not in ON_REQUEST)
"""All others."""


def order_columns(fields: Sequence[str]) -> tuple[str, ...]:
    """The columns with these names, each once, in the order of a row."""
    for name in fields:
        if name not in Row._fields:
            raise InputError(f"no column {name!r}; there are {', '.join(Row._fields)}")
    return tuple(name for name in Row._fields if name in fields)


def format_utc(time: datetime) -> str:
    """A time in UTC as ISO 8601; a time without a zone counts as UTC."""
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")


# Settings

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
        today = date.fromisoformat(today) if today else None
        values["options"] = Options(**{**values["options"], "today": today})
        values["columns"] = Columns(**values["columns"])
        return cls(**values)
