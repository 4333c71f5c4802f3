"""How endpoints are declared, and the OpenAPI document of all of them.

The decorator of a handler says its path, the model of its body, its parameters and what it answers
with. Routes, labels of metrics and the document follow from that. `endpoints/answers.json` has an
example of each answer, by the name of the handler.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.routing import Route

from tamis._runtime.version import __version__
from tamis.serve import problems
from tamis.serve.bodies import JSON
from tamis.serve.service import Handler

_ANSWERS = Path(__file__).parent / "endpoints" / "answers.json"
_REFERENCE = "#/components/schemas/{model}"
_PROBLEM = {
    "description": "A problem document of RFC 9457.",
    "content": {
        problems.MEDIA_TYPE: {
            "example": {
                "type": "urn:tamis:problem:bad-request",
                "title": "Unprocessable Entity",
                "status": 422,
                "detail": "there is no option 'focuss'; did you mean 'focus'?",
            }
        }
    },
}


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A path, a method, what answers them, and what clients should know."""

    method: str
    path: str
    handle: Handler
    tag: str
    takes: type[BaseModel] | None = None
    """The model of the body."""
    query: type[BaseModel] | None = None
    """The model of the parameters of the address."""
    takes_type: str = JSON
    takes_also: Mapping[str, Any] = field(default_factory=dict)
    """Other media types of the body, and what the document says of them."""
    parameters: Sequence[dict[str, Any]] = ()
    status: int = 200
    gives: str = JSON
    """The media type of the answer."""
    example: str = ""
    """The handler whose example the answer shares, if not its own."""
    operation: str = ""
    """How generated clients call it, if not by the name of the handler."""
    is_documented: bool = True

    @property
    def shown_path(self) -> str:
        """The path without the types of its parameters."""
        return self.path.replace(":path}", "}")

    def describe(self, examples: Mapping[str, Any]) -> dict[str, Any]:
        name = self.handle.__name__
        content: dict[str, Any] = {JSON: {"schema": {}}}
        content.setdefault(self.gives, {})["example"] = examples[self.example or name]
        body: dict[str, Any] = {}
        if self.takes:
            sent = self.takes.model_json_schema()["examples"][0]
            reference = {"$ref": _REFERENCE.format(model=self.takes.__name__)}
            body[self.takes_type] = {"schema": reference, "example": sent}
        body.update(self.takes_also)
        asked = self.query.model_fields.items() if self.query else ()
        parameters = [
            *self.parameters,
            *(describe_parameter(name, field.description or "") for name, field in asked),
        ]
        return {
            "tags": [self.tag],
            "summary": self.handle.__doc__,
            "description": self.handle.__doc__,
            "operationId": _name_operation(
                self.operation or name, self.shown_path, self.method.lower()
            ),
            **({"parameters": parameters} if parameters else {}),
            **({"requestBody": {"content": body, "required": True}} if body else {}),
            "responses": {
                str(self.status): {"description": "Success.", "content": content},
                "default": _PROBLEM,
            },
        }


class Endpoints(list[Endpoint]):
    """The endpoints of a module, which the document shows under one heading."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._tag = tag

    def at(self, place: str, **more: Any) -> Callable[[Handler], Handler]:
        """Declare what answers `GET /path`; `more` are fields of `Endpoint`."""
        method, path = place.split()

        def add_endpoint(handle: Handler) -> Handler:
            self.append(Endpoint(method=method, path=path, handle=handle, tag=self._tag, **more))
            return handle

        return add_endpoint


def make_route(method: str, path: str, answer: Callable[[Request], Any]) -> Route:
    """Make a route that answers one method; Starlette would add `HEAD` to `GET`."""
    route = Route(path, answer, methods=[method])
    route.methods = {method}
    return route


def describe_parameter(
    name: str,
    description: str = "",
    *,
    place: str = "query",
    required: bool = False,
    example: str | None = None,
) -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        **({"description": description} if description else {}),
        "required": required or place == "path",
        "schema": {"type": "string"},
        **({"example": example} if example else {}),
    }


def write_document(
    endpoints: Iterable[Endpoint], health: Mapping[str, Callable[..., Any]]
) -> dict[str, Any]:
    examples = json.loads(_ANSWERS.read_text("utf-8"))
    paths: dict[str, dict[str, Any]] = {}
    models: dict[type[BaseModel], None] = {}
    for each in endpoints:
        if each.is_documented:
            operations = paths.setdefault(each.shown_path, {})
            operations[each.method.lower()] = each.describe(examples)
            if each.takes:
                models[each.takes] = None
    for path, handle in health.items():
        paths[path] = {"get": _describe_health(path, handle)}
    _, definitions = models_json_schema(
        [(model, "validation") for model in models], ref_template=_REFERENCE
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tamis",
            "description": "Keeps what a web page is about and drops the rest.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": definitions["$defs"]},
    }


def _describe_health(path: str, handle: Callable[..., Any]) -> dict[str, Any]:
    name = path.strip("/")
    content = {"text/plain": {"schema": {"type": "string"}}}
    return {
        "tags": ["health"],
        "summary": name.title(),
        "description": handle.__doc__,
        "operationId": _name_operation(name, path, "get"),
        "responses": {"200": {"description": "Successful Response", "content": content}},
    }


def _name_operation(name: str, path: str, method: str) -> str:
    return re.sub(r"\W", "_", name + path) + f"_{method}"
