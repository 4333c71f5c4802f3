"""What can be asked of a project."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tamis.serve.problems import Problem
from tamis.serve.requests import PageRequest, StrictRequest

Kind = Literal["main", "title", "comments", "navigation", "promotion", "other"]
State = Literal["open", "done", "skipped"]
Order = Literal["added", "teaching"]

_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_NAME = Field(min_length=1, max_length=200, description="Who: a name that others see.")


class ProjectPageRequest(PageRequest):
    """A page to label."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "html": "<title>Sieves</title><p>A tamis is a sieve with a fine mesh.",
                    "base_url": "https://example.org/sieves",
                    "name": "sieves",
                }
            ]
        }
    )

    name: str = Field("", max_length=500, description="What people call it; else its address.")


class PagesQuery(BaseModel):
    """Which pages to list, and how."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["open", "done", "skipped", "all"] = "all"
    order: Order = "added"
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0)


class PageQuery(BaseModel):
    """How to show a page."""

    model_config = ConfigDict(extra="forbid")

    document: bool = True
    pictures: bool = False


class LabelsQuery(BaseModel):
    """Which labels to give out, and how."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["jsonl", "label-studio", "web-main-bench"] = "jsonl"
    state: Literal["done", "all"] = "done"


class LabelsRequest(StrictRequest):
    """Changed labels of a page."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 0,
                    "hash": _HASH,
                    "by": "ann",
                    "changes": {"0": "main", "1": None},
                    "state": "open",
                }
            ]
        }
    )

    version: int = Field(ge=0, description="Of the page as the person saw it.")
    hash: str = Field(max_length=100, description="Of the page as the person saw it.")
    by: str = _NAME
    changes: dict[str, Kind | None] = Field(
        default_factory=dict, description="Number of a block to its kind; null takes it back."
    )
    state: State | None = None
    force: bool = Field(False, description="Overwrite what others changed meanwhile.")

    def kinds(self) -> dict[int, str | None]:
        """The changes by number."""
        for block in self.changes:
            if not (block.isascii() and block.isdecimal() and len(block) < 10):
                detail = f"changes: {block[:50]!r} is no number of a block"
                raise Problem(422, "bad request", detail)
        return {int(block): kind for block, kind in self.changes.items()}


class NextRequest(StrictRequest):
    """Who wants a page to label."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"by": "ann", "after": 3, "order": "teaching"}]}
    )

    by: str = _NAME
    after: int | None = Field(None, description="The page that the person comes from.")
    order: Order = "added"


class TeachRequest(StrictRequest):
    """How to teach."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"comments": False}]})

    comments: bool = Field(False, description="Comments are content, too.")


class AcceptRequest(StrictRequest):
    """The weights to extract with."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"weights": "taught-1"}]})

    weights: str | None = Field(description="Their name; null for the shipped ones.")


MODELS: list[type[BaseModel]] = [
    ProjectPageRequest,
    LabelsRequest,
    NextRequest,
    TeachRequest,
    AcceptRequest,
]

_ENTRY: dict[str, Any] = {
    "id": 1,
    "name": "sieves",
    "url": "https://example.org/sieves",
    "title": "Sieves",
    "state": "open",
    "version": 2,
    "changed": "2026-11-16T18:00:00Z",
    "by": "ann",
    "blocks": 2,
    "close": 1,
    "claimed_by": None,
    "replaces": None,
    "replaced_by": None,
    "carried": 0,
    "lost": 0,
    "hash": _HASH,
}
_SAVED = {"version": 3, "state": "open", "labels": {"0": "main"}, "by": "ann", "merged": False}
_TEACHING = {
    "state": "running",
    "share": 0.4,
    "text": "cross-validation, fold 3 of 5",
    "weights": None,
    "report": None,
    "error": None,
}

EXAMPLES: dict[str, Any] = {
    "project": {
        "name": "mine",
        "pages": 12,
        "labelled": 7,
        "skipped": 1,
        "left": 4,
        "weights": [
            {
                "name": "taught-1",
                "created": "2026-11-16T18:00:00Z",
                "before": 0.58,
                "after": 0.95,
                "sure": 1.0,
                "pages": 12,
                "accepted": True,
            }
        ],
        "accepted": "taught-1",
        "teaching": _TEACHING,
        "kinds": ["main", "title", "comments", "navigation", "promotion", "other"],
    },
    "project_pages": {"total": 1, "pages": [_ENTRY]},
    "project_entry": _ENTRY,
    "project_page": {
        **_ENTRY,
        "labels": {"0": "main"},
        "view": {"method": "tamis", "blocks": [{"block": 0, "label": "main"}]},
    },
    "project_version": _SAVED,
    "project_saved": _SAVED,
    "project_history": {
        "changes": [
            {
                "version": 1,
                "at": "2026-11-16T18:00:00Z",
                "by": "ann",
                "state": "open",
                "proposed": False,
                "changes": {"0": "main"},
            }
        ]
    },
    "project_next": {"id": 4},
    "project_teaching": _TEACHING,
    "project_accepted": {"accepted": "taught-1"},
    "project_labels": '{"id": "sieves", "dataset": "mine", "html": "<p>A tamis is a sieve.",'
    ' "text": "A tamis is a sieve.", "blocks": [{"kind": "main", "xpath": "/html/body/p",'
    ' "start": 3, "end": 22}]}\n',
    "project_weights": "(a file of numpy)",
    "project_card": {"format": 1, "method": "tamis", "training_sets": {"mine": "unstated"}},
}
