"""What requests have in common: pages, formats, options; and what is wrong with a request.

A request cannot name a file or code of this machine. Only the operator of the service chooses
weights, models and classes.
"""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tamis.errors import OptionsError
from tamis.method_choices import check_name
from tamis.options import LIMITS, Options, change_options
from tamis.serve.problems import Problem

_M = TypeVar("_M", bound=BaseModel)

Format = Literal[
    "text", "markdown", "html", "json", "metadata", "blocks", "items", "posts", "chunks"
]
USUAL_FORMATS: tuple[Format, ...] = ("markdown", "metadata")
EXAMPLE_PAGE = (
    "<title>Sieves</title><nav><a href=/>Home</a></nav><p>A tamis is a sieve with a fine mesh."
)


def with_example(**example: Any) -> ConfigDict:
    """Configure a model with an example for the OpenAPI document."""
    return ConfigDict(json_schema_extra={"examples": [example]})


class StrictRequest(BaseModel):
    """Reject unknown fields, and values of the wrong type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Query(BaseModel):
    """The parameters of an address; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid")


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

    def get_details(self) -> dict[str, Any]:
        """Get what the task takes besides the page and the options."""
        return self.model_dump(exclude=set(OnePageRequest.model_fields))


class ChunkSizes(StrictRequest):
    """How large chunks are."""

    max_tokens: int = Field(default=512, ge=1)
    overlap: int = Field(default=0, ge=0)


class FormatsRequest(StrictRequest):
    """The formats of an answer."""

    formats: list[Format] = Field(list(USUAL_FORMATS), min_length=1)
    chunks: ChunkSizes | None = None

    def get_details(self) -> dict[str, Any]:
        sizes = self.chunks.model_dump() if self.chunks else {}
        return {"formats": self.formats, "chunks": sizes}


def refuse(detail: str) -> Problem:
    return Problem(422, "bad request", detail)


def read_request(model: type[_M], body: bytes) -> _M:
    """Read a request from its JSON, or raise the problem with it."""
    try:
        return validate(model, orjson.loads(body))
    except orjson.JSONDecodeError as error:
        detail = f"the request body is not valid JSON ({error}); send a JSON object"
        raise Problem(400, "no json", detail) from error


def validate(model: type[_M], value: object) -> _M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise refuse(_explain_error(model, error.errors(include_url=False)[0])) from error


def _explain_error(model: type[BaseModel], error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"] if part not in ("str", "MethodChoice"))
    value = error["input"]
    if error["type"] == "extra_forbidden":
        known = list(model.model_fields) if len(error["loc"]) == 1 else []
        return f"there is no field {place!r}{_suggest_name(str(error['loc'][-1]), known)}"
    if error["type"] == "missing":
        return f"the field {place!r} is missing; give it"
    if error["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        what = "format" if place.startswith("format") else place
        return f"there is no {what} {_show_value(value)}{_suggest_name(str(value), known)}"
    name = f"{place} is {_show_value(value)}" if place else f"the request is {_show_value(value)}"
    return f"{name}; {error['msg'][:1].lower()}{error['msg'][1:]}"


def _show_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:100] + "…"


def _suggest_name(name: str, known: list[str]) -> str:
    """End a message about an unknown name."""
    near = difflib.get_close_matches(name[:100], known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are: {', '.join(known)}" if known else "; leave it out"


def check_one_page(page: PageRequest) -> None:
    if (page.html is None) == (page.url is None):
        both = "both html and url are" if page.html is not None else "neither html nor url is"
        raise refuse(f"{both} given; give one of them")


def read_options(given: Mapping[str, Any], usual: Options) -> Options:
    """Read the options of a request; its limits are no higher than the usual ones."""
    if not given:
        return usual
    given = dict(given)
    check_name(given.get("method"))  # a class or a file would run code of this machine
    parameters = given.get("parameters")
    names_weights = isinstance(parameters, Mapping) and "weights" in parameters
    if given.get("page_type_weights") is not None or names_weights:
        raise OptionsError(
            "weights are files of the server; leave them out, or start it with the ones you want"
        )
    if isinstance(given.get("today"), str):
        try:
            given["today"] = datetime.date.fromisoformat(given["today"])
        except ValueError:
            raise OptionsError(f"today is {given['today']!r}; give a day as 2026-11-16") from None
    options = change_options(usual, given)
    lowered = {name: min(getattr(options, name), getattr(usual, name)) for name in LIMITS}
    return replace(options, **lowered)


def limit_seconds(options: Options, seconds: float | None) -> Options:
    if seconds is None:
        return options
    if not seconds > 0:
        raise refuse(f"timeout is {seconds}; give a number above 0")
    return replace(options, max_seconds=min(seconds, options.max_seconds))


def keep_all(options: Options) -> Options:
    """Keep everything that a browser shows, whatever its score."""
    return replace(options, threshold=0.0, hidden=False)
