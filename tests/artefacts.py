"""Damaged weights and site models: made, sealed again so that no checksum shows it, and used.

`mutant` makes number n of a file from the seed alone. benchmarks/fuzz_weights.py uses thousands in
processes of their own, tests/test_artefacts.py some hundreds.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tamis
from tamis.errors import TamisError
from tamis.methods._registry import site_methods
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import load, path_of_shipped
from tamis.site import joint, stored
from tests.damage import Arrays, Random, damage_arrays, damage_file, damage_json, lean, pack
from tests.site.pages import article

PAGE = article(77)


@dataclass(frozen=True)
class Artefact:
    """A file as tamis wrote it."""

    name: str
    arrays: Arrays
    card: dict[str, Any] | None
    """Of weights; a site model has a header among its arrays."""
    method: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Mutant:
    """A damaged file."""

    what: str
    content: bytes
    card: bytes | None


def artefacts() -> list[Artefact]:
    """All shipped weights, taught ones, and a model of a site by each method that makes one."""
    made = [
        _weights("tamis", "tamis"),
        _weights("page_type", "page_type"),
        _weights("site", "site"),
        _weights("dragnet", "dragnet"),
        _weights("dragnet_paper", "dragnet", blocks="paper"),
        _weights("text_block_context", "text_block_context"),
        _weights("text_block_context_all", "text_block_context", text="all"),
    ]
    made.append(_taught(made[0]))
    pages = [(article(number), f"https://a.example/{number}") for number in range(5)]
    parameters: dict[str, list[dict[str, Any]]] = {
        "x_cex": [{}, {"content": "positions", "tag_similarity": "sequence"}]
    }
    for method in ("tamis", *site_methods()):
        for chosen in parameters.get(method, [{}]):
            site = tamis.Site().fit(pages, method=method, parameters=chosen)
            with np.load(io.BytesIO(site.pack())) as file:
                arrays = {name: file[name] for name in file.files}
            name = f"model of {method}{' as published' if chosen else ''}"
            made.append(Artefact(name, arrays, None, method, {}))
    return made


def _weights(name: str, method: str, **parameters: Any) -> Artefact:
    path = Path(path_of_shipped(name))
    with np.load(path) as file:
        arrays = {part: file[part] for part in file.files}
    card = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return Artefact(f"{path.name}", arrays, card, method, parameters)


def _taught(first: Artefact) -> Artefact:
    """Weights of a project: with trees appended, and a report in the card."""
    arrays = dict(first.arrays)
    for name in ("forest.feature", "forest.value", "second.feature", "second.value"):
        tree = np.array([2, -1, -1]) if name.endswith("feature") else np.array([1.5, 0.25, -0.25])
        arrays[name] = np.append(arrays[name], tree.astype(arrays[name].dtype))
    card = {**(first.card or {}), "taught": {"start": "tamis-1", "before": 0.9, "pages": [1, 2]}}
    return Artefact("taught weights", arrays, card, "tamis", {})


def mutant(artefact: Artefact, seed: int, number: int) -> Mutant:
    """Damaged file `number`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers that do not fit
        return _mutant(artefact, random.Random(f"{artefact.name} {seed} {number}"))


def _mutant(artefact: Artefact, draw: Random) -> Mutant:
    arrays, card = dict(artefact.arrays), artefact.card
    way = draw.choice(("arrays",) * 6 + ("json", "file", "lean"))
    what, written = "nothing", b""
    if way == "json":
        header = card if card is not None else json.loads(arrays["header"].tobytes())
        what, written = damage_json(header, draw)
    elif way == "lean":
        what = lean(arrays, draw)
    elif way == "arrays":
        what = ", ".join(damage_arrays(arrays, draw) for _ in range(draw.choice((1, 1, 1, 2))))
    if card is None:
        arrays["header"] = np.frombuffer(written or _sealed_header(arrays), np.uint8)
    content = pack(arrays)
    if way == "file":
        what, content = damage_file(content, draw)
    if card is None:
        return Mutant(what, content, None)
    checksum = hashlib.sha256(content).hexdigest().encode()
    written = written or json.dumps(card).encode()
    return Mutant(what, content, written.replace(card["sha256"].encode(), checksum))


def _sealed_header(arrays: Arrays) -> bytes:
    """The header of a site model with the digest of its arrays as they are now."""
    header = json.loads(arrays["header"].tobytes())
    # What is large is refused before, and its bytes would hide what a reader needs.
    rest = {
        name: array
        for name, array in arrays.items()
        if name != "header" and array.nbytes < 10_000_000
    }
    with contextlib.suppress(TypeError, ValueError):  # of what has no bytes
        header["digest"] = stored._digest(rest)
    return json.dumps(header).encode()


def use(artefact: Artefact, changed: Mutant, folder: Path) -> str:
    """Load a damaged file and extract a page by it: "loaded", or why it was refused.

    Whatever is wrong must come out when it is loaded, as a `TamisError` that says something; what
    loads must extract, with scores from 0 to 1.
    """
    path = folder / "damaged.npz"
    path.write_bytes(changed.content)
    if changed.card is not None:
        path.with_suffix(".json").write_bytes(changed.card)
    options: dict[str, Any] = {"method": artefact.method, "parameters": artefact.parameters}
    if artefact.card is not None and artefact.method == "page_type":
        options = {"page_type_weights": str(path)}
    elif artefact.card is not None:
        options["parameters"] = {**artefact.parameters, "weights": str(path)}
    try:
        if artefact.card is None:
            options = {"method": tamis.Site.load(path)}
        elif artefact.method == "site":
            arrays = load(path, method="site", spec=joint.VERSION).arrays
            correct(Forest.from_arrays(arrays, len(joint.NAMES)))
            return "loaded"
        else:
            # The first page loads the weights; no other error can come of this page.
            assert tamis.extract("<p>A page that loads.</p>", **options).page_type
    except TamisError as error:
        if len(str(error)) > 20:
            return "refused"
        raise
    result = tamis.extract(PAGE, **options)
    check_scores(result.scores)
    assert all(0 <= chance <= 1 for chance in result.page_types.values()), "chances of types"
    assert all(isinstance(block.reason, str) for block in result.blocks)
    if artefact.card is None:
        site = options["method"]
        assert 0 <= site.confidence <= 1 and repr(site)
        "".join(block.text for block in site.template_blocks).encode()
    return "loaded"


def correct(forest: Forest) -> None:
    """A page by the forest that corrects the default method on a site."""
    method = joint.SiteTamis()
    fitted = method.fit([tamis.parse(article(number)) for number in range(5)])
    check_scores(
        joint.combine_counts(
            fitted.learned, joint.score_alone(method.base, tamis.parse(PAGE)), forest
        )
    )


def check_scores(scores: np.ndarray) -> None:
    """Scores are finite and from 0 to 1."""
    assert np.isfinite(scores).all() and (scores >= 0).all() and (scores <= 1).all(), "scores"
