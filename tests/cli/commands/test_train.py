"""`tamis train`."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.train.harbour import timetable

import tamis
from tamis.cli import main
from tamis.cli.commands.train import train_command
from tamis.errors import DatasetError, MethodError, TamisError, WeightsError
from tamis.labels import datasets

PARAGRAPH = "The ferry of day {} left the harbour at six and carried people across the sound."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "ferries.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for number in range(12):
            story = PARAGRAPH.format(number)
            menu = "".join(f"<li><a href={link}>Link {link}</a>" for link in range(10))
            html = f"<ul class=menu>{menu}</ul><p>{story}</p><p>{story}</p>"
            row = {"id": number, "html": html, "text": f"{story}\n{story}", "site": f"site{number}"}
            file.write(json.dumps(row) + "\n")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(train_command, [str(argument) for argument in arguments])


def error_of(*arguments: object) -> TamisError:
    error = run(*arguments).exception
    assert isinstance(error, TamisError)
    return error


@pytest.mark.parametrize("method", ["dragnet", "text-block-context"])
def test_weights_are_made_that_the_method_uses(method: str, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "ferries.npz"
    result = run(method, "--data", data, "--output", out)
    assert result.exit_code == 0, result.output
    assert "F of content, 5 folds by site" in result.output
    card = json.loads(out.with_suffix(".json").read_text("utf-8"))
    assert card["method"] == method.replace("-", "_")
    assert card["training_sets"] == {"ferries": "unstated"}
    assert card["tamis"] == tamis.__version__
    options = tamis.Options(method=method, parameters={"weights": str(out)})
    menu = "".join(f"<li><a href={link}>Link {link}</a>" for link in range(10))
    story = PARAGRAPH.format(77)
    page = f"<ul class=menu>{menu}</ul><p>{story}</p><p>{story}</p>"
    assert tamis.extract(page, options=options).text.split() == f"{story} {story}".split()


def test_the_training_of_dragnet_has_parameters(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "published.npz"
    result = run(
        *("dragnet", "--parameter", "blocks=paper", "--parameter", "most_words=200"),
        *("--data", data, "--output", out),
    )
    assert result.exit_code == 0, result.output
    story = PARAGRAPH.format(77)
    menu = "".join(f"<li><a href={link}>Link {link}</a>" for link in range(10))
    page = f"<ul class=menu>{menu}</ul><p>{story}</p><p>{story}</p>"
    parameters = {"weights": str(out), "blocks": "paper"}
    text = tamis.extract(page, method="dragnet", parameters=parameters).text
    assert text.split() == f"{story} {story}".split()


def test_the_training_of_text_block_context_has_those_of_the_paper(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "published.npz"
    chosen = ("confidence=0.7", "least=10", "text=all")
    parameters = [part for each in chosen for part in ("--parameter", each)]
    result = run("text_block_context", *parameters, "--data", data, "--output", out)
    assert result.exit_code == 0, result.output
    story = PARAGRAPH.format(77)
    menu = "".join(f"<li><a href={link}>Link {link}</a>" for link in range(10))
    page = f"<ul class=menu>{menu}</ul><p>{story}</p><p>{story}</p>"
    text = tamis.extract(
        page, method="text_block_context", parameters={"weights": str(out), "text": "all"}
    ).text
    assert text.split() == f"{story} {story}".split()


@pytest.mark.parametrize(
    ("method", "parameter", "message"),
    [
        ("dragnet", "blocks=dom", "blocks is one of text, paper"),
        ("dragnet", "block=paper", "did you mean blocks?"),
        ("dragnet", "most_words=many", "not a whole number"),
        ("tamis", "blocks=paper", "it has none at all"),
        ("text-block-context", "confidents=0.7", "did you mean confidence?"),
        ("text-block-context", "confidence=7", "confidence is above 0 and below 1, not 7"),
        ("text-block-context", "confidence=nan", "confidence is above 0 and below 1, not nan"),
        ("text-block-context", "confidence=high", "'high' is not a number"),
        ("text-block-context", "least=0", "least is at least 1, not 0"),
        ("text-block-context", "least=2.5", "not a whole number"),
        ("text-block-context", "smoothing=-1", "smoothing is a number from 0 on, not -1"),
        ("text-block-context", "text=hidden", "text is one of visible, all"),
    ],
)
def test_a_wrong_parameter_of_the_training_is_refused(
    method: str, parameter: str, message: str, data: Path, tmp_path: Path
) -> None:
    error = error_of(
        method, "--parameter", parameter, "--data", data, "--output", tmp_path / "x.npz"
    )
    assert isinstance(error, MethodError)
    assert message in str(error)


def test_a_method_that_does_not_learn_is_refused(data: Path, tmp_path: Path) -> None:
    error = error_of("dragnit", "--data", data, "--output", tmp_path / "x.npz")
    assert isinstance(error, MethodError)
    assert "did you mean 'dragnet'?" in str(error)
    error = error_of("boilerpipe", "--data", data, "--output", tmp_path / "x.npz")
    assert "dragnet, tamis, text_block_context" in str(error)


def test_a_wrong_name_for_the_weights_is_refused_before_the_work(
    data: Path, tmp_path: Path
) -> None:
    error = error_of("dragnet", "--data", data, "--output", tmp_path / "x.bin")
    assert isinstance(error, WeightsError)
    assert "ends in .npz" in str(error)


def test_pages_without_gold_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl.xz"
    with lzma.open(path, "wt") as file:
        file.write('{"id": 1, "html": "<p>x"}\n')
    error = error_of("dragnet", "--data", path, "--output", tmp_path / "x.npz")
    assert isinstance(error, DatasetError)
    assert "has gold" in str(error)


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    result = run("dragnet", "--data", tmp_path / "no.jsonl.xz", "--output", tmp_path / "x.npz")
    assert result.exit_code == 2
    assert "does not exist" in result.output


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(datasets.json_line(timetable(number)) for number in range(12)))
    return path


def test_a_few_pages_teach_the_shipped_weights(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.npz"
    result = run("tamis", "--from", "shipped", "--data", mine, "-o", out)
    assert result.exit_code == 0, result.output
    assert "12 pages of 6 sites" in result.stdout
    assert "gain: +" in result.stdout
    assert f"wrote {out} and mine.json" in result.stdout
    page = timetable(99)
    (tmp_path / "page.html").write_text(str(page.html))
    taught = CliRunner().invoke(
        main, ["extract", str(tmp_path / "page.html"), "--weights", str(out)]
    )
    assert page.text is not None and page.text.splitlines()[0] in taught.stdout


def test_what_cannot_be_told_is_said_with_the_names_of_the_pages(
    mine: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in mine.read_text().splitlines()[:4]]
    rows[2]["text"] = "A gold that is nowhere on this page, however long one looks"
    mine.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = run("tamis", "--from", "shipped", "--data", mine, "-o", tmp_path / "mine.npz")
    assert "tamis: day 2: left out, gold and page do not align" in result.stderr
    assert "tamis: 3 pages are too few to tell" in result.stderr


def test_only_tamis_goes_on_from_weights_that_are_there(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.npz"
    result = run("dragnet", "--from", "shipped", "--data", mine, "-o", out)
    assert result.exit_code == 2
    assert "--from is for method tamis" in result.output
    error = error_of("tamis", "--from", tmp_path / "no.npz", "--data", mine, "-o", out)
    assert isinstance(error, WeightsError)
    assert not out.exists()
