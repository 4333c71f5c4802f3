"""The choices of a corpus run, which its output folder remembers."""

from __future__ import annotations

import datetime
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from tamis.corpus.records import Columns
from tamis.errors import MethodError
from tamis.options import Options

Duplicates = Literal["keep", "exact", "near"]
DUPLICATES: tuple[Duplicates, ...] = get_args(Duplicates)

# A page of a crawl that takes longer or more than this is a trap or a data file. Of the 6,447 pages
# of our data sets the largest has 5.3 MB, and the slowest takes 0.1 s.
_OPTIONS = Options(max_bytes=16 * 1024 * 1024, max_seconds=10.0)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What becomes of each record. The same settings and input give the same output, always."""

    options: Options = _OPTIONS
    """How to extract; its limits hold for each page."""
    columns: Columns = field(default_factory=Columns)
    """Where tables have what is needed."""
    format: str = "parquet"
    """Of the output, see `tamis.corpus.sinks.FORMATS`."""
    also: tuple[str, ...] = ()
    """Views beside the text: `markdown`, `html`."""
    describe: bool = True
    """Title, authors, dates, language, type of page: a quarter of the time of a run."""
    languages: tuple[str, ...] = ()
    """Keep pages in one of these only, by the first part of their BCP 47 tag."""
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
        if self.duplicates not in DUPLICATES:
            raise ValueError(
                f"duplicates is {self.duplicates!r}; give one of {', '.join(DUPLICATES)}"
            )
        if self.site_models and self.options.method != "tamis":
            raise MethodError(
                "site models correct the scores of method 'tamis', not of"
                f" {self.options.method!r}; leave one of the two options out"
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        options = {one.name: getattr(self.options, one.name) for one in fields(Options)}
        options["parameters"] = dict(self.options.parameters)
        options["today"] = self.options.today and self.options.today.isoformat()
        return values | {"options": options, "columns": asdict(self.columns)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """From what `to_dict` gave, through JSON or not."""
        values = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
        }
        today = values["options"].get("today")
        today = datetime.date.fromisoformat(today) if today else None
        values["options"] = Options(**{**values["options"], "today": today})
        values["columns"] = Columns(**values["columns"])
        return cls(**values)
