"""What the OpenAPI document says of requests and answers, with examples."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tamis.options import Options
from tamis.serve import project_requests, requests
from tamis.serve.problems import MEDIA_TYPE

_MODELS: list[type[BaseModel]] = [
    requests.ExtractRequest,
    requests.ExplainRequest,
    requests.ViewRequest,
    requests.CompareRequest,
    requests.CloudRequest,
    requests.SiteRequest,
    requests.ReadRequest,
    requests.ScrapeRequest,
    requests.BatchScrapeRequest,
    *project_requests.MODELS,
]
_REFERENCE = "#/components/schemas/{model}"

_EXAMPLES: dict[str, Any] = {
    "extract": {
        "url": "https://example.org/sieves",
        "method": "tamis",
        "markdown": "A tamis is a sieve with a fine mesh.",
        "metadata": {"title": "Sieves", "authors": [], "language": "en"},
    },
    "batch": '{"id":1,"url":null,"method":"tamis","text":"A tamis is a sieve."}\n'
    '{"error":{"status":422,"detail":"neither html nor url is given; give one of them"}}\n',
    "explain": {
        "url": None,
        "method": "tamis",
        "cut": 0.41,
        "blocks": [
            {
                "block": 0,
                "kept": False,
                "score": 0.03,
                "kind": "navigation",
                "text": "Home",
                "xpath": "/html/body/nav",
                "start": 31,
                "end": 35,
                "decision": "Dropped: 0.03, below this page's cut of 0.41.",
                "because": "Against it: 100% of its words are links.",
                "signals": [
                    {"name": "links", "words": "100% of its words are links", "effect": -2.1}
                ],
            }
        ],
    },
    "view": {
        "url": None,
        "title": "Sieves",
        "language": "en",
        "direction": "ltr",
        "method": "tamis",
        "page_type": "article",
        "cut": 0.41,
        "focus": "balanced",
        "threshold": None,
        "embedded": None,
        "pictures": False,
        "document": '<!doctype html>...<p><span data-tamis="1">A tamis is a sieve.</span></p>...',
        "blocks": [
            {
                "block": 0,
                "kept": False,
                "score": 0.03,
                "kind": "navigation",
                "label": "navigation",
                "text": "Home",
                "words": 1,
                "xpath": "/html/body/nav",
                "start": 31,
                "end": 35,
                "line": 1,
            }
        ],
        "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    "methods": {
        "methods": [
            {
                "name": "boilerpipe",
                "summary": "Shallow text features of a block and its two neighbours.",
                "default": False,
                "fitted": False,
                "parameters": {"variant": "words"},
            }
        ]
    },
    "compare": {
        "url": None,
        "results": [
            {"name": "tamis", "text": "A tamis is a sieve.", "words": 5, "blocks": 1, "kept": [1]}
        ],
        "agreement": [{"names": ["tamis", "boilerpipe"], "f1": 0.91}],
        "differences": [{"block": 0, "text": "Home", "kept_by": ["boilerpipe"]}],
    },
    "cloud": '<svg xmlns="http://www.w3.org/2000/svg">...</svg>',
    "site": {
        "site": {"method": "x_cex", "pages": 3, "skipped": 0, "templates": 1, "confidence": 0.6},
        "model": None,
        "results": [{"url": None, "method": "x_cex", "text": "Rain floods forty cellars."}],
    },
    "read": "Title: Sieves\n\nURL Source: https://example.org/sieves\n\nMarkdown Content:\n"
    "A tamis is a sieve with a fine mesh.",
    "scrape": {
        "success": True,
        "data": {
            "markdown": "A tamis is a sieve with a fine mesh.",
            "metadata": {"title": "Sieves", "sourceURL": "https://example.org/sieves"},
        },
    },
    "batch scrape": {
        "success": True,
        "id": "0c2b8d2e-6a39-4f0e-9d57-1f3f7a1c8e55",
        "url": "http://127.0.0.1:8765/v2/batch/scrape/0c2b8d2e-6a39-4f0e-9d57-1f3f7a1c8e55",
    },
    "batch status": {
        "success": True,
        "status": "completed",
        "completed": 2,
        "total": 2,
        "creditsUsed": 0,
        "expiresAt": "2026-11-17T13:00:00+00:00",
        "data": [{"markdown": "A tamis is a sieve.", "metadata": {"title": "Sieves"}}],
    },
    "batch errors": {
        "success": True,
        "errors": [
            {
                "id": "9b1f4c56-3f0c-4f3e-8a39-0f3f3a0a4a55",
                "timestamp": "2026-11-17T12:00:00+00:00",
                "url": "https://example.org/gone",
                "error": "https://example.org/gone: the server answered 404 Not Found",
            }
        ],
        "robotsBlocked": [],
    },
    "batch cancel": {"success": True, "status": "cancelled"},
    **project_requests.EXAMPLES,
}

PROBLEM: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem document of RFC 9457.",
        "content": {
            MEDIA_TYPE: {
                "example": {
                    "type": "urn:tamis:problem:bad-request",
                    "title": "Unprocessable Entity",
                    "status": 422,
                    "detail": "there is no option 'focuss'; did you mean 'focus'?",
                }
            }
        },
    }
}


def body_of(
    model: type[BaseModel],
    media_type: str = "application/json",
    more: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The body of a request."""
    reference = {"$ref": _REFERENCE.format(model=model.__name__)}
    example = model.model_json_schema()["examples"][0]
    content = {media_type: {"schema": reference, "example": example}, **(more or {})}
    return {"requestBody": {"required": True, "content": content}}


def example_of(
    name: str, media_type: str = "application/json", status: int = 200
) -> dict[int | str, dict[str, Any]]:
    """An answer, and what else may come."""
    success = {"description": "Success.", "content": {media_type: {"example": _EXAMPLES[name]}}}
    return {status: success, **PROBLEM}


def parameters_of_page() -> list[dict[str, Any]]:
    """The parameters of an address that asks for a page."""
    return [
        parameter("url", "The address of the page.", required=True, example="https://example.org/"),
        parameter("base_url", "What relative addresses of the page are resolved against."),
        parameter("formats", "Names with commas between them.", example="markdown,metadata"),
        *(
            parameter(each.name, f"`{each.name}` of tamis.Options.")
            for each in fields(Options)
            if each.name not in ("parameters", "page_type_weights")
        ),
    ]


def header(name: str, description: str, example: str) -> dict[str, Any]:
    """A header of a request."""
    return {**parameter(name, description, example=example), "in": "header"}


def parameter(
    name: str, description: str, *, required: bool = False, example: str | None = None
) -> dict[str, Any]:
    """A parameter of an address."""
    return {
        "name": name,
        "in": "query",
        "description": description,
        "required": required,
        "schema": {"type": "string"},
        **({"example": example} if example else {}),
    }


class DocumentedApp(FastAPI):
    """Documents the models of requests, too, that are read here and not by FastAPI."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document."""
        document = super().openapi()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        if _MODELS[0].__name__ not in schemas:
            _, definitions = models_json_schema(
                [(model, "validation") for model in _MODELS], ref_template=_REFERENCE
            )
            schemas.update(definitions["$defs"])
        return document
