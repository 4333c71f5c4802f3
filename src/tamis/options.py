"""One frozen object holds every choice a caller can make."""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, get_args

from tamis._runtime.documented import document_fields
from tamis.errors import OptionsError
from tamis.method_choices import MethodLike, make_method
from tamis.methods._base import Method
from tamis.methods._registry import DEFAULT
from tamis.page.reader import PageLimits

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Focus = Literal["precision", "balanced", "recall"]
FOCI: tuple[Focus, ...] = get_args(Focus)
"""What the decision can lean to, from the least to the most text."""

Overview = Literal["keep", "skip", "items"]
OVERVIEWS: tuple[Overview, ...] = get_args(Overview)
"""What can become of an overview page: like any other, nothing, or its items alone."""

Title = Literal["auto"] | bool
"""Whether the title is in the output: as the method decides, once and on top, or never."""

DEFAULT_METHOD = DEFAULT


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_share(value: Any) -> bool:
    return value is None or (_is_number(value) and 0 <= value <= 1)


_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "MethodLike": (
        lambda method: (
            isinstance(method, str | Method)
            or (isinstance(method, type) and issubclass(method, Method))
        ),
        "a name of tamis.list_methods(), 'file.py:Class', or a tamis.Method",
    ),
    "Mapping[str, Any]": (lambda values: isinstance(values, Mapping), "a dictionary"),
    "Focus": (FOCI.__contains__, f"one of {', '.join(FOCI)}"),
    "float | None": (_is_share, "a number from 0 to 1, or None"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "Title": (
        lambda value: isinstance(value, bool) or value == "auto",
        "'auto', True or False",
    ),
    "Overview": (OVERVIEWS.__contains__, f"one of {', '.join(OVERVIEWS)}"),
    "datetime.date | None": (
        lambda day: day is None or type(day) is datetime.date,
        "a datetime.date, or None",
    ),
    "str | None": (lambda path: isinstance(path, str | None), "the path of a file, or None"),
    "int": (_is_count, "a whole number from 1 on"),
    "float": (lambda value: _is_number(value) and value > 0, "a number above 0"),
}
"""By the type of a field, whether a value is right, and what to give instead of a wrong one."""


@document_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Options(PageLimits):
    """How to extract. Every field has a default and is checked; `replace` makes variants.

    The limits hold inside the call: a page over one of them ends with a `LimitError` that names
    the limit.

    >>> Options(focus="recall").focus
    'recall'
    """

    method: MethodLike = DEFAULT_METHOD
    """The extraction method: a name of `tamis.list_methods()`, a class of your own as text
    (`"module:Class"`, `"file.py:Class"`), the path of a site model (`"example.org.npz"`), or a
    `Method`: its class, an object with parameters, a `Site` that was fitted."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of a method that is given by name or as a class: `{"variant": "density"}`."""

    focus: Focus = "balanced"
    """What counts more when the scores are probabilities: nothing wrong, or nothing missing."""

    threshold: float | None = None
    """A block is content when its score is at least this, whatever the focus.

    None leaves the decision to the method: the best expected F where scores are probabilities, 0.5
    elsewhere.
    """

    comments: bool = False
    """Keep what readers wrote below an article, too; not the thread that a page is about.

    `Result.comments` has them in any case, `Result.posts` one by one."""

    tables: bool = True
    """Keep what is in tables of data; tables for the layout do not count."""

    links: bool = True
    """Keep the targets of links; their text stays in any case."""

    images: bool = True
    """Keep images, in Markdown, HTML and JSON."""

    hidden: bool = True
    """Keep content that a browser does not show: behind a tab, for readers without scripts."""

    title: Title = "auto"
    """Whether the title is part of the content: "auto" if it stands there and the method keeps it,
    True once and on top, as a heading of the first level, False never."""

    front_matter: bool = False
    """Begin the Markdown with YAML: title, authors, date, address, language, site, type, words."""

    overview: Overview = "keep"
    """What to do with a page that is a list of links to other pages; see `Result.overview`."""

    today: datetime.date | None = None
    """The day of the extraction: no date of a page is later than the day after. None believes any
    up to 2049, so that the same page has the same dates whenever it is read."""

    page_type_weights: str | None = None
    """Weights of page types that `benchmarks/train.py page_type` wrote; None for those of tamis."""

    max_output: int = 256 * 1024 * 1024
    """Most characters of a view, of all strings in it together."""

    def __post_init__(self) -> None:
        for each in fields(self):
            is_right, wanted = _CHECKS[str(each.type)]
            if not is_right(value := getattr(self, each.name)):
                raise OptionsError(f"{each.name} is {value!r}; give {wanted}")
        if isinstance(self.method, Method):
            if self.parameters:
                raise OptionsError(
                    "parameters go with the name or the class of a method; this one is made: set"
                    " them there"
                )
        elif self.parameters or self.method != DEFAULT_METHOD:
            self.make_method()  # the default alone is not worth its import

    def __hash__(self) -> int:
        values = (getattr(self, each.name) for each in fields(self) if each.name != "parameters")
        return hash((*values, *sorted(self.parameters.items())))

    def make_method(self) -> Method:
        """The method, with its parameters if it is given by name or as a class."""
        return make_method(self.method, self.parameters)


class OptionFields(TypedDict, total=False):
    """The fields of `Options`, for type checkers, as keywords of `extract` and its like."""

    method: MethodLike
    parameters: Mapping[str, Any]
    focus: Focus
    threshold: float | None
    comments: bool
    tables: bool
    links: bool
    images: bool
    hidden: bool
    title: Title
    front_matter: bool
    overview: Overview
    today: datetime.date | None
    page_type_weights: str | None
    max_bytes: int
    max_nodes: int
    max_depth: int
    max_seconds: float
    max_output: int


LIMITS = (*(each.name for each in fields(PageLimits)), "max_output")
"""The names of the options that are limits."""

_USUAL = Options()
_Choices = TypeVar("_Choices", bound="DataclassInstance")


def choose_options(options: Options | None, changes: Mapping[str, Any]) -> Options:
    """The options of a call: its own, or the usual ones, with some fields changed."""
    if options is not None and not isinstance(options, Options):
        raise OptionsError(f"options is {options!r}; give tamis.Options(...)")
    return change_options(options or _USUAL, changes)


def change_options(choices: _Choices, changes: Mapping[str, Any]) -> _Choices:
    """The choices with some fields changed; an `OptionsError` if there is no such field."""
    if not changes:
        return choices
    check_names(changes, [each.name for each in fields(choices)])
    return replace(choices, **changes)


def check_names(names: Iterable[str], known: Sequence[str]) -> None:
    """Raise an `OptionsError` if a name is not one of the known options."""
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
            raise OptionsError(f"there is no option {name!r}; {hint}")
