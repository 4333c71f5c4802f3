"""What `to_dict` gives is what its JSON Schema says, and nothing that the schema does not name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import tamis
from tamis import result

TESTS = Path(__file__).parents[1]
SCHEMA = json.loads((Path(result.__file__).parent / "render" / "result.schema.json").read_text())
PAGES = sorted(TESTS.glob("pages/*/source.html"))
MORE_PAGES = sorted(TESTS.glob("generators/unseen/*.html"))


def closed(schema: Any) -> Any:
    """The schema, with no names but those in it: users may meet new ones, the tests may not."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    extra = {"additionalProperties": False} if "properties" in schema else {}
    return {key: closed(value) for key, value in schema.items()} | extra


VALIDATOR = jsonschema.Draft202012Validator(closed(SCHEMA))


def wrong(page: Path, method: str) -> list[str]:
    made = json.loads(json.dumps(tamis.extract(page, method=method).to_dict()))
    best = jsonschema.exceptions.best_match(VALIDATOR.iter_errors(made))
    return [] if best is None else [f"{page}: {best.json_path}: {best.message[:300]}"]


# The method decides what is kept, and most of the result does not depend on that.
@pytest.mark.parametrize(
    ("method", "pages"),
    [("tamis", PAGES + MORE_PAGES), ("baseline", PAGES), ("text_block_context", PAGES)],
)
def test_every_page_gives_what_the_schema_says(method: str, pages: list[Path]) -> None:
    assert [problem for page in pages for problem in wrong(page, method)] == []


def test_the_schema_is_one_and_of_this_version() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["schema"] == {"const": result.SCHEMA}
