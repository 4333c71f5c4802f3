"""What can be asked, as the OpenAPI document shows it, and what is wrong with a request.

A request names no file and no code of this machine: weights, models and classes are for whoever
runs the service.
"""

from __future__ import annotations

import datetime
import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tamis.cloud.palettes import NAMES as PALETTES
from tamis.errors import OptionsError
from tamis.method_choices import check_name
from tamis.options import Options, change_options
from tamis.serve.problems import Problem

_M = TypeVar("_M", bound=BaseModel)

Format = Literal[
    "text", "markdown", "html", "json", "metadata", "blocks", "items", "posts", "chunks"
]
USUAL_FORMATS: tuple[Format, ...] = ("markdown", "metadata")

_HTML = "<title>Sieves</title><nav><a href=/>Home</a></nav><p>A tamis is a sieve with a fine mesh."
_OF_PYTHON = {"True": True, "False": False, "None": None}
"""Values as the messages about options name them."""
_OF_PAGE = ("url", "base_url")
_LIMITS = ("max_bytes", "max_nodes", "max_depth", "max_seconds", "max_output")


class StrictRequest(BaseModel):
    """Has the fields that there are, with values of their types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PageRequest(StrictRequest):
    """A page: its HTML or its address, one of the two."""

    html: str | None = Field(None, description="The HTML of the page.")
    url: str | None = Field(None, description="The address of the page, which is then fetched.")
    base_url: str | None = Field(None, description="The address of HTML that is sent.")


class OnePageRequest(PageRequest):
    """A page, and how to extract it."""

    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Fields of tamis.Options: " + ", ".join(each.name for each in fields(Options)),
        examples=[{"focus": "recall", "links": False}],
    )


class ChunkSizes(StrictRequest):
    """How large chunks are."""

    max_tokens: int = Field(default=512, ge=1)
    overlap: int = Field(default=0, ge=0)


class _Formatted(StrictRequest):
    formats: list[Format] = Field(list(USUAL_FORMATS), min_length=1)
    chunks: ChunkSizes | None = None

    def details(self) -> dict[str, Any]:
        """As a task takes them."""
        sizes = self.chunks.model_dump() if self.chunks else {}
        return {"formats": self.formats, "chunks": sizes}


class ExtractRequest(_Formatted, OnePageRequest):
    """What to extract from a page."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"html": _HTML, "formats": ["text", "metadata"]}]}
    )


class BatchRequest(ExtractRequest):
    """A line of a batch."""

    id: str | int | None = Field(None, description="Comes back with the result.")


class ExplainRequest(OnePageRequest):
    """A page whose blocks are explained."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"html": _HTML}]})

    format: Literal["json", "html"] = "json"
    source: bool = Field(False, description="Give the source, too, whose bytes offsets count.")
    block: int | None = Field(None, ge=0, description="Explain this block alone.")


class ViewRequest(OnePageRequest):
    """A page that is looked at."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"html": _HTML}]})

    document: bool = Field(True, description="Give the page itself, too, made harmless.")
    pictures: bool = Field(False, description="Let it load pictures and style sheets.")
    source: bool = Field(False, description="Give the source of the page, too.")


class MethodChoice(StrictRequest):
    """A method with its parameters."""

    method: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    weights: str | None = Field(
        default=None,
        description="Of tamis: shipped, or project:NAME for those of the project; else accepted"
        " ones, if there are any.",
    )


class CompareRequest(OnePageRequest):
    """A page and the methods that are compared on it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"html": _HTML, "methods": ["tamis", "boilerpipe"]}]}
    )

    methods: Annotated[list[str | MethodChoice], Field(min_length=2, max_length=8)]
    gold: str | None = Field(None, description="The right text, which each is measured against.")


class CloudStyle(StrictRequest):
    """How a cloud looks."""

    palette: str = Field(default=PALETTES[0], description=", ".join(PALETTES))
    dark: bool = False
    seed: int = 0


class CloudRequest(OnePageRequest):
    """A page whose words are drawn."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"html": _HTML, "terms": 40}]})

    format: Literal["svg", "json"] = "svg"
    terms: int = Field(80, ge=1, le=1000)
    style: CloudStyle | None = None


class SiteRequest(_Formatted):
    """Pages of one site."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "pages": [
                        {"html": "<p>Menu, search, imprint.<p>Rain floods forty cellars."},
                        {"html": "<p>Menu, search, imprint.<p>A choir wins silver."},
                        {"html": "<p>Menu, search, imprint.<p>The bakery closes."},
                    ],
                    "formats": ["text"],
                    "options": {"method": "x_cex"},
                }
            ]
        }
    )

    pages: Annotated[list[PageRequest], Field(min_length=1, max_length=200)]
    options: dict[str, Any] = Field(default_factory=dict)
    model: bool = Field(False, description="Give the model, too: a file for --method, in base64.")


class ReadRequest(BaseModel):
    """As Jina's reader takes it; fields that are not known here are ignored."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={"examples": [{"url": "https://example.org/", "removeSelector": "nav"}]},
    )

    url: str | None = Field(default=None, description="The address of the page, or of the HTML.")
    html: str | None = Field(
        default=None, description="The HTML of the page, which is then not fetched."
    )
    respondWith: str | None = None
    targetSelector: str | list[str] | None = None
    removeSelector: str | list[str] | None = None
    retainImages: str | None = None
    retainLinks: str | None = None
    tokenBudget: float | None = None
    timeout: float | None = Field(default=None, description="Seconds.")


class ScrapeFields(BaseModel):
    """How Firecrawl scrapes a page; fields that are not known here are ignored."""

    model_config = ConfigDict(extra="ignore")

    formats: list[str | dict[str, Any]] = ["markdown"]
    onlyMainContent: bool = True
    includeTags: list[str] | None = None
    excludeTags: list[str] | None = None
    timeout: float | None = Field(None, description="Milliseconds.")

    @property
    def seconds(self) -> float | None:
        """The time limit."""
        return None if self.timeout is None else self.timeout / 1000

    def details(self) -> dict[str, Any]:
        """As the task takes them."""
        names = (each.get("type") if isinstance(each, dict) else each for each in self.formats)
        return {
            "formats": list(map(str, names)),
            "wanted": self.includeTags or (),
            "unwanted": self.excludeTags or (),
        }


class ScrapeRequest(ScrapeFields):
    """A page that is scraped."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"url": "https://example.org/", "formats": ["markdown", "links"]}]
        },
    )

    url: str


class BatchScrapeRequest(ScrapeFields):
    """Pages that are scraped by a job."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"urls": ["https://example.org/1", "https://example.org/2"]}]
        },
    )

    urls: Annotated[list[str], Field(min_length=1)]
    ignoreInvalidURLs: bool | None = Field(
        None, description="Leave out URLs that are not valid, and name them. Usual in v2."
    )
    maxConcurrency: int | None = Field(None, ge=1, description="Most pages at a time.")
    appendToId: str | None = Field(None, description="Add the URLs to this job, which still runs.")
    webhook: Any = Field(None, description="Refused: ask for the status instead.")


def read_request(model: type[_M], body: bytes) -> _M:
    """A request from its JSON, or the problem with it."""
    try:
        return validate(model, orjson.loads(body))
    except orjson.JSONDecodeError as error:
        detail = f"the request body is not valid JSON ({error}); send a JSON object"
        raise Problem(400, "no json", detail) from error


def validate(model: type[_M], value: object) -> _M:
    """A request, or the problem with it."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        detail = _message(model, error.errors(include_url=False)[0])
        raise Problem(422, "bad request", detail) from error


def _message(model: type[BaseModel], error: Any) -> str:
    """What is wrong with a field, and what to give instead."""
    place = ".".join(str(part) for part in error["loc"] if part not in ("str", "MethodChoice"))
    value = error["input"]
    if error["type"] == "extra_forbidden":
        known = list(model.model_fields) if len(error["loc"]) == 1 else []
        return f"there is no field {place!r}{nearest(str(error['loc'][-1]), known)}"
    if error["type"] == "missing":
        return f"the field {place!r} is missing; give it"
    if error["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        what = "format" if place.startswith("format") else place
        return f"there is no {what} {_show_value(value)}{nearest(str(value), known)}"
    name = f"{place} is {_show_value(value)}" if place else f"the request is {_show_value(value)}"
    return f"{name}; {error['msg'][:1].lower()}{error['msg'][1:]}"


def _show_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:100] + "…"


def nearest(name: str, known: list[str]) -> str:
    """The end of a message about a name that there is not."""
    near = difflib.get_close_matches(name[:100], known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are: {', '.join(known)}" if known else "; leave it out"


def check_one_page(page: PageRequest) -> None:
    """See that a page is given once."""
    if (page.html is None) == (page.url is None):
        both = "both html and url are" if page.html is not None else "neither html nor url is"
        raise Problem(422, "bad request", f"{both} given; give one of them")


def read_options(given: Mapping[str, Any], usual: Options) -> Options:
    """The options of a request; the limits are no higher than the usual ones."""
    if not given:
        return usual
    given = dict(given)
    check_name(given.get("method"))  # a class or a file would run code of this machine
    if given.get("page_type_weights") is not None or "weights" in _parameters(given):
        raise OptionsError(
            "weights are files of the server; leave them out, or start it with the ones you want"
        )
    if isinstance(given.get("today"), str):
        try:
            given["today"] = datetime.date.fromisoformat(given["today"])
        except ValueError:
            raise OptionsError(f"today is {given['today']!r}; give a day as 2026-11-16") from None
    options = change_options(usual, given)
    lowered = {name: min(getattr(options, name), getattr(usual, name)) for name in _LIMITS}
    return replace(options, **lowered)


def limit_seconds(options: Options, seconds: float | None) -> Options:
    """Options with a time limit that is no higher than theirs."""
    if seconds is None:
        return options
    if not seconds > 0:
        raise Problem(422, "bad request", f"timeout is {seconds}; give a number above 0")
    return replace(options, max_seconds=min(seconds, options.max_seconds))


def keep_all(options: Options) -> Options:
    """Options that keep all that a browser shows, whatever its score."""
    return replace(options, threshold=0.0, hidden=False)


def _parameters(given: Mapping[str, Any]) -> Mapping[str, Any]:
    parameters = given.get("parameters")
    return parameters if isinstance(parameters, Mapping) else {}


def read_query(query: Mapping[str, str]) -> ExtractRequest:
    """A request from the parameters of an address: url, base_url, formats, and options."""
    given: dict[str, Any] = {name: query[name] for name in _OF_PAGE if name in query}
    if "formats" in query:
        given["formats"] = [name.strip() for name in query["formats"].split(",")]
    given["options"] = {
        name: _value(text) for name, text in query.items() if name not in (*_OF_PAGE, "formats")
    }
    return validate(ExtractRequest, given)


def _value(text: str) -> Any:
    """A value from an address: true, 0.5 and null are what they are in JSON, all else is text."""
    if text in _OF_PYTHON:
        return _OF_PYTHON[text]
    try:
        return json.loads(text)
    except ValueError:
        return text
