"""The directive `http-api`: the endpoints of `tamis serve`, from its OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tamis.serve.app import create


class HttpApi(SphinxDirective):
    """All endpoints, a section each."""

    def run(self) -> list[nodes.Node]:
        """The nodes of the sections, made anew in every build: they follow from the code."""
        self.env.note_reread()
        text = "\n\n".join(_sections(create().openapi()))
        made: list[nodes.Node] = self.parse_text_to_nodes(text, allow_section_headings=True)
        return made


def _sections(document: dict[str, Any]) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"## `{method.upper()} {path}`"
            yield operation.get("description") or operation["summary"]
            yield from _parameters(operation.get("parameters", []))
            body = operation.get("requestBody", {}).get("content", {})
            for kind, content in body.items():
                name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
                if name:
                    yield from _fields(schemas[name])
                yield from _example(f"A request, `{kind}`", content)
            for status, answer in operation["responses"].items():
                if status != "default":
                    for kind, content in answer.get("content", {}).items():
                        yield from _example(f"The answer, {status}, `{kind}`", content)


def _parameters(parameters: list[dict[str, Any]]) -> Iterator[str]:
    if parameters:
        rows = [
            f"| `{each['name']}` | {each['in']} | {_cell(each.get('description', ''))} |"
            for each in parameters
        ]
        yield "\n".join(["| parameter | in | meaning |", "|---|---|---|", *rows])


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    rows = [
        f"| `{name}` | {_type(field)} | {_default(field)} | {_cell(field.get('description', ''))} |"
        for name, field in schema["properties"].items()
    ]
    yield "\n".join(["| field | type | default | meaning |", "|---|---|---|---|", *rows])


def _type(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_type(each) for each in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("type") == "array" and "items" in field:
        return f"list of {_type(field['items'])}"
    return str(field.get("$ref", field.get("type", "anything"))).rpartition("/")[2]


def _default(field: dict[str, Any]) -> str:
    return f"`{json.dumps(field['default'])}`" if field.get("default") is not None else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _example(title: str, content: dict[str, Any]) -> Iterator[str]:
    if "example" in content:
        example = content["example"]
        plain = isinstance(example, str)
        shown = example if plain else json.dumps(example, indent=2, ensure_ascii=False)
        yield f"{title}:"
        yield f"````{'text' if plain else 'json'}\n{shown}\n````"


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    app.add_directive("http-api", HttpApi)
    return {"parallel_read_safe": True}
