"""Everything tamis raises on purpose.

TamisError
├── InputError          the argument is not a page: wrong type, unreadable file, unknown data
│   └── NotHtmlError        the bytes are those of something else, which the message names
├── OptionsError        an option that there is not, or a value that it cannot have
├── LimitError          the page is over a limit of `Options`
│   ├── TooLargeError       more bytes than `max_bytes`
│   ├── TooManyNodesError   more elements than `max_nodes`
│   ├── TooDeepError        nested deeper than `max_depth`
│   ├── TooMuchOutputError  a view with more characters than `max_output`
│   └── DeadlineError       took longer than `max_seconds`
├── MethodError         no such method, or no such parameter of a method
├── WeightsError        weights that are damaged, or made for other features
├── DatasetError        a data set that cannot be read: file, line and field are named
├── FetchError          a URL could not be read
├── CrashError          in `extract_many`: a page that made a method or its process fail
├── OutputError         the result could not be written
└── ProjectError        a project folder that cannot be used
    ├── NotInProjectError   no page or weights of that name
    ├── LabelConflictError  somebody else changed the same labels, or the page is another
    ├── NotNowError         too few labelled pages, or somebody else teaches
    ├── ProjectBusyError    others write to it all the time
    └── ProjectFullError    the disk is full; nothing was changed

A message says what was wrong, where, and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class TamisError(Exception):
    """Base of every error that tamis raises on purpose."""

    url: str | None = None
    """Address of the page it is about, if `extract_many` was given that."""


class InputError(TamisError):
    """The argument is not something tamis can read as a page."""


class NotHtmlError(InputError):
    """The bytes are no page but something else: a PDF, an image, an archive, random bytes."""


class OptionsError(TamisError, ValueError, TypeError):
    """An option that there is not, or a value that it cannot have.

    A `ValueError` and a `TypeError`, too: what Python itself raises for a wrong argument.
    """


class LimitError(TamisError):
    """The page is over a limit of `Options`; raise the limit to read it."""


class TooLargeError(LimitError):
    """The page has more bytes than `Options.max_bytes`."""


class TooManyNodesError(LimitError):
    """The page has more elements than `Options.max_nodes`."""


class TooDeepError(LimitError):
    """The page nests elements deeper than `Options.max_depth`."""


class TooMuchOutputError(LimitError):
    """A view of the result has more characters than `Options.max_output`."""


class DeadlineError(LimitError):
    """Reading the page, or a view of the result, took longer than `Options.max_seconds`."""


class MethodError(TamisError):
    """No method of that name, or no parameter of that name or value."""


class WeightsError(TamisError):
    """Weights are damaged, or were made for another version of the features."""


class DatasetError(TamisError):
    """A data set cannot be read."""


class FetchError(TamisError):
    """A URL could not be read."""


class CrashError(TamisError):
    """A page of `extract_many` made a method fail, or ended the process it was in.

    That is a defect of a method, or the memory was used up; `extract` on the page alone shows it.
    """


class OutputError(TamisError):
    """The result could not be written."""


class ProjectError(TamisError):
    """A project folder cannot be used."""


class NotInProjectError(ProjectError):
    """The project has no page or no weights of that name."""


class LabelConflictError(ProjectError):
    """Labels that somebody else changed meanwhile, or that are about another page.

    `details` has what is there now.
    """

    def __init__(self, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.details = details


class NotNowError(ProjectError):
    """What is asked of the project is possible later: when more is labelled, or less is done."""


class ProjectBusyError(ProjectError):
    """Others write to the project all the time."""


class ProjectFullError(ProjectError):
    """The disk is full; nothing was changed."""
