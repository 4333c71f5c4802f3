"""The training of the default method from files to weights, on generated pages."""

from __future__ import annotations

import json
from pathlib import Path

import lightgbm
import numpy as np
import pytest
import train
from click.testing import CliRunner
from training import boosted, corpus
from training.default_method import Files, PageMeasures, summary
from training.folds import FOLDS

import tamis
from tamis.bench.measures import Snippets
from tamis.model.features.token_weights import TokenTable


def page(number: int) -> dict[str, str]:
    story = [f"The ferry of day {day} left at six and carried people across." for day in range(6)]
    menu = "".join(f"<li class=item><a href=/{n}>Part {n}</a></li>" for n in range(10))
    body = "".join(f"<p>{text}</p>" for text in story)
    html = f"<ul class=menu>{menu}</ul><div class=content><h2>Day {number} at sea</h2>{body}</div>"
    return {
        "id": str(number),
        "html": html + f"<p class=footer>Imprint {number}, terms, privacy</p>" + " " * 1000,
        "text": "\n".join(story),
        "site": f"site{number % 8}.example",
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "ferries.jsonl"
    path.write_text("".join(json.dumps(page(number)) + "\n" for number in range(24)))
    return path


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    few = boosted.Stage(10, {"min_data_in_leaf": 5, "learning_rate": 0.3, "num_threads": 1})
    monkeypatch.setattr(boosted, "FIRST", few)
    monkeypatch.setattr(boosted, "SECOND", few)
    monkeypatch.setattr(corpus, "_REFUSALS", 20)


@pytest.mark.usefixtures("_small")
def test_one_command_makes_weights_card_and_folds(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.npz"
    arguments = ["tamis", "--data", data, "--output", out, "--work", tmp_path / "work"]
    result = CliRunner().invoke(train.main, [str(part) for part in arguments])
    assert result.exit_code == 0, result.output
    assert "ferries, F1, folds by site: " in result.output
    card = json.loads(out.with_suffix(".json").read_text("utf-8"))
    assert card["training_sets"] == {"ferries": "unstated"}
    assert "expected calibration error by word" in card["measures"]
    assert len(list((tmp_path / "mine-folds").glob("fold-*.npz"))) == FOLDS
    options = tamis.Options(parameters={"weights": str(out)})
    assert "across" in tamis.extract(page(99)["html"], options=options).text


def test_a_step_that_is_done_is_not_done_again(data: Path, tmp_path: Path) -> None:
    def table() -> TokenTable:
        tokens, weights = np.array([3, 5], np.uint64), np.ones((2, 2), np.float32)
        return TokenTable.from_arrays({"token": tokens, "weight": weights})

    def trees() -> lightgbm.Booster:
        rows = np.arange(200.0).reshape(100, 2)
        settings = {"objective": "cross_entropy", "verbose": -1, "num_threads": 1}
        return lightgbm.train(settings, lightgbm.Dataset(rows, rows[:, 0] > 100), 2)

    def fails() -> None:
        raise AssertionError("done again")

    first = Files(tmp_path / "work", [data], 0)
    made, grown = first.table("t", table), first.booster("b", trees)
    again = Files(tmp_path / "work", [data], 0)
    np.testing.assert_array_equal(again.table("t", fails).keys, made.keys)  # type: ignore[arg-type]
    assert again.booster("b", fails).model_to_string() == grown.model_to_string()  # type: ignore[arg-type]


def test_another_seed_or_other_data_start_anew(data: Path, tmp_path: Path) -> None:
    calls = []

    def table() -> TokenTable:
        calls.append(1)
        return TokenTable.make_empty()

    Files(tmp_path, [data], 0).table("t", table)
    Files(tmp_path, [data], 1).table("t", table)
    data.write_text(data.read_text() + " ")
    Files(tmp_path, [data], 0).table("t", table)
    assert len(calls) == 3


def test_the_summary_has_means_by_set_and_type_and_pooled_snippets() -> None:
    pages = [
        PageMeasures("a", "forum", 0.5, None),
        PageMeasures("a", "product", 1.0, None),
        PageMeasures("b", None, None, Snippets(present=1, wanted=2, leaked=0, unwanted=1)),
        PageMeasures("b", None, None, Snippets(present=2, wanted=2, leaked=0, unwanted=1)),
    ]
    assert summary(pages) == {
        "a, F1, folds by site": 0.75,
        "a, F1, forum, folds by site": 0.5,
        "a, F1, product, folds by site": 1.0,
        "b, snippet F1, folds by site": round(2 * 0.75 / 1.75, 4),
    }
