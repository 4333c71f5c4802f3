"""`tamis train`."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tamis
from tamis.cli.train import train_command
from tamis.errors import DatasetError, MethodError, TamisError, WeightsError

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


@pytest.mark.parametrize(
    ("method", "parameter", "message"),
    [
        ("dragnet", "blocks=dom", "blocks is one of text, paper"),
        ("dragnet", "block=paper", "did you mean blocks?"),
        ("dragnet", "most_words=many", "not a whole number"),
        ("text-block-context", "blocks=paper", "it has none at all"),
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
