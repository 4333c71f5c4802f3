"""Training of the page types."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from training import page_types as page_type
from training.page_types import (
    TypedPages,
    area_under_curve,
    calibration_error,
    measures,
    read,
    run,
    train,
    train_without,
)

import tamis
from tamis.describe.types.page_type import PLACES, SPEC, TYPES, PageTypeModel, describe
from tamis.errors import DatasetError, WeightsError
from tamis.model.weights.load import load
from tamis.page.reader import parse

MENU = '<nav><a href="/">Home</a> <a href="/a">A</a></nav>'
SENTENCE = "<p>The mill stood in the water for a day and a night, and nobody could reach it.</p>"
BODIES = {
    "article": f'<article class="story">{SENTENCE * 6}</article>',
    "listing": '<div class="teasers">' + '<div><a href="/x">A teaser</a></div>' * 20 + "</div>",
    "product": '<div class="product"><span class="price">9 €</span><form>Buy</form></div>',
}


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of pages of three types on 60 sites."""
    monkeypatch.setattr(page_type, "_TREES", 10)
    path = tmp_path / "mine.jsonl"
    kinds = list(BODIES) * 20
    lines = [
        {
            "id": str(number),
            "html": f"<title>{number}</title>{MENU}{BODIES[kind]}<footer>© {number}</footer>",
            "url": f"https://site{number}.example/{kind}/{number}",
            "page_type": kind,
        }
        for number, kind in enumerate(kinds)
    ]
    lines += [{"id": "other", "html": "<p>x", "page_type": "unheard of"}, {"id": "no", "html": "x"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_training_learns_plain_types_and_writes_a_card(pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "types.npz"
    messages: list[str] = []
    figures = run([pages], out, seed=3, say=messages.append)
    assert figures["accuracy, with URL, folds by site"] > 0.9
    assert figures["overview, area under the curve, without URL, folds by site"] > 0.9
    weights = load(out, method="page_type", spec=SPEC)
    assert weights.card.training_sets == {"mine": "unstated"}
    assert weights.card.seed == 3
    assert dict(weights.card.measures) == figures
    page = parse(f"<title>new</title>{MENU}{BODIES['listing']}")
    model = PageTypeModel.from_arrays(weights.arrays)
    assert TYPES[int(np.argmax(model.estimate_types(describe(page))))] == "listing"
    own = tamis.extract(page, options=tamis.Options(page_type_weights=str(out)))
    assert own.page_type == "listing"
    assert own.page_types != tamis.extract(page).page_types
    assert messages[0] == "reading mine.jsonl"


def test_weights_that_are_not_there_are_said(tmp_path: Path) -> None:
    missing = tamis.Options(page_type_weights=str(tmp_path / "none.npz"))
    with pytest.raises(WeightsError, match="there are no weights"):
        tamis.extract("<p>x", options=missing).page_type  # noqa: B018  made when asked for


def test_the_same_seed_makes_the_same_weights(pages: Path, tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        run([pages], tmp_path / name, seed=1)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_pages_without_a_known_type_are_left_out(pages: Path) -> None:
    typed = read([pages])
    assert len(typed) == 60
    assert typed[1].site == "site1.example"
    address = 2 * PLACES
    given, own, aged = typed[1].rows
    assert own.places.max() < address < given.places.max()
    assert len(aged.places) < len(own.places)


def test_the_sets_of_one_type_weigh_less_and_do_not_count_in_the_measures(
    pages: Path, tmp_path: Path
) -> None:
    lines = [
        json.dumps({"id": f"{n}", "html": f"{MENU}{SENTENCE * 5}", "site": f"news{n}.example"})
        for n in range(10)
    ]
    for name in ("mercury", "records"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    typed = read([pages, tmp_path / "mercury.jsonl", tmp_path / "records.jsonl"])
    assert [page.balanced for page in typed] == [True] * 60 + [False] * 20
    assert {page.kind for page in typed[60:70]} == {TYPES.index("article")}
    assert {page.kind for page in typed[70:]} == {-1}
    assert all(page.weight < 1 for page in typed[60:])
    without = train_without(TypedPages(typed), "mercury", train(TypedPages(typed)).arrays)
    PageTypeModel.from_arrays(without)
    with pytest.raises(DatasetError, match="page_type"):
        read([tmp_path / "mercury.jsonl"])


def test_a_set_without_types_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text('{"id": "1", "html": "<p>x"}\n')
    with pytest.raises(DatasetError, match="page_type"):
        read([path])


def test_measures_of_a_perfect_and_of_a_blind_answer() -> None:
    kind = np.arange(len(TYPES)).repeat(2)
    perfect = np.eye(len(TYPES))[kind]
    figures = measures(perfect, kind)
    assert figures["accuracy"] == figures["overview, area under the curve"] == 1
    assert figures["expected calibration error"] == 0
    blind = np.full_like(perfect, 1 / len(TYPES))
    assert measures(blind, kind)["overview, area under the curve"] == 0.5
    assert area_under_curve(np.ones(2), np.ones(2, bool)) == 0.5
    assert calibration_error(np.array([0.8, 0.8]), np.array([True, False])) == pytest.approx(0.3)
