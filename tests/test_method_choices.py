"""What can be given as a method: names, classes, files, models and objects, and what cannot."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import method_choices
from tamis.bench.report import summarise_sets
from tamis.bench.run import Bench
from tamis.corpus.records import Settings
from tests.site.pages import article

OWN = """
from dataclasses import dataclass
import numpy as np
import tamis
from tamis.methods.site.x_cex import XCex

@dataclass(frozen=True)
class LongBlocks(tamis.Method):
    least: int = 30
    def score(self, page):
        return np.minimum((page.blocks.words - page.blocks.link_words) / self.least, 1.0)

class Mine(XCex):
    pass

class Incomplete(tamis.Method):
    pass

class Plain:
    pass
"""
PAGE = "<nav><a href=/>Home</a></nav><p>A tamis is a sieve of silk or steel.<p>Two words."
LONG = "A tamis is a sieve of silk or steel."


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module `own_method` of a folder that is the current one and on the path."""
    (tmp_path / "own_method.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "own_method", raising=False)
    import own_method  # type: ignore[import-not-found]  # it was written just now

    module: ModuleType = own_method
    return module


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.html").write_text(article(number))
    return folder


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "my.jsonl"
    path.write_text(json.dumps({"id": "1", "html": PAGE, "text": LONG}) + "\n")
    return path


@pytest.mark.parametrize(
    "text", ["own_method:LongBlocks", "own_method.py:LongBlocks", "./own_method.py:LongBlocks"]
)
def test_text_names_a_class_of_a_module_or_a_file(own: ModuleType, text: str) -> None:
    result = tamis.extract(PAGE, method=text, parameters={"least": 8})
    assert result.text == LONG
    assert result.method == "LongBlocks"
    assert tamis.extract(PAGE, method=text, parameters={"least": 2}).text == f"{LONG}\nTwo words."


def test_a_class_is_made_with_its_parameters_and_an_object_has_its_own(own: ModuleType) -> None:
    by_class = tamis.extract(PAGE, method=own.LongBlocks, parameters={"least": 8})
    assert by_class.text == tamis.extract(PAGE, method=own.LongBlocks(least=8)).text == LONG
    with pytest.raises(tamis.OptionsError, match="this one is made"):
        tamis.Options(method=own.LongBlocks(), parameters={"least": 8})


def test_the_path_of_a_model_is_a_method(tmp_path: Path, pages: Path) -> None:
    path = tmp_path / "site.npz"
    site = tamis.Site().fit(sorted(pages.glob("*.html")), method="x_cex")
    site.save(path)
    result = tamis.extract(article(1), method=str(path))
    assert (result.method, result.site_pages) == ("x_cex", 4)
    assert result.text == site.extract(article(1)).text
    with pytest.raises(tamis.MethodError, match="a model has its parameters"):
        tamis.Options(method=str(path), parameters={"least": 1})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("own_method.py:LongBlock", "there is no class LongBlock; did you mean LongBlocks?"),
        ("own_method:zzz", "there is no class zzz; its methods are: LongBlocks, Mine"),
        ("own_method.py:Plain", "Plain does not derive from tamis.Method; its methods are: "),
        ("own_method.py:Incomplete", "method 'Incomplete': Can't instantiate abstract class"),
        ("own_method.py", "give the class, too, as FILE:CLASS; its methods are: "),
        ("other.py:LongBlocks", "other.py: cannot be read (No such file or directory); check"),
        ("other:LongBlocks", "there is no module other; give the name of a method, or the file"),
        ("own_method.other:LongBlocks", "there is no module own_method.other"),
        ("missing.npz", "there is no site model at missing.npz"),
        ("own_method.py:LongBlocks:least=8", "no method is called"),
    ],
)
def test_errors_say_what_there_is_instead(own: ModuleType, text: str, message: str) -> None:
    with pytest.raises(tamis.TamisError) as caught:
        tamis.Options(method=text)
    assert message in str(caught.value)
    assert isinstance(caught.value, tamis.MethodError | tamis.WeightsError)


def test_a_wrong_parameter_is_named_with_those_there_are(own: ModuleType) -> None:
    with pytest.raises(tamis.MethodError, match="no parameter 'most'; it has: least"):
        tamis.Options(method="own_method.py:LongBlocks", parameters={"most": 1})


@pytest.mark.parametrize("name", ["broken.py:X", "broken:X"])
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "import tamis\nimport no_such_library\n",
            "broken.py, line 2: ModuleNotFoundError: No mod",
        ),
        ("import tamis\n\nx = 1 +\n", "broken.py, line 3: SyntaxError: invalid syntax"),
        ("def f():\n    return 1 / 0\nf()\n", "broken.py, line 2: ZeroDivisionError: division by"),
        ("import sys\nsys.exit(3)\n", "broken.py, line 2: SystemExit: 3"),
    ],
)
def test_an_error_in_the_code_of_a_method_has_its_file_and_line(
    own: ModuleType, tmp_path: Path, name: str, code: str, message: str
) -> None:
    (tmp_path / "broken.py").write_text(code)
    with pytest.raises(tamis.MethodError) as caught:
        tamis.Options(method=name)
    assert message in str(caught.value)
    assert not [name for name in sys.modules if name == "broken"]


def test_a_file_that_has_changed_is_loaded_again(own: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "own_method.py"
    assert tamis.extract(PAGE, method=f"{path}:LongBlocks").text == ""
    path.write_text(OWN.replace("least: int = 30", "least: int = 2"))
    assert tamis.extract(PAGE, method=f"{path}:LongBlocks").text == f"{LONG}\nTwo words."


def test_files_of_the_same_name_do_not_get_in_each_others_way(
    own: ModuleType, tmp_path: Path, labelled: Path
) -> None:
    old = tmp_path / "old" / "own_method.py"
    old.parent.mkdir()
    old.write_text(OWN.replace("least: int = 30", "least: int = 2"))
    trials = Bench(workers=1).run(["own_method.py:LongBlocks", f"{old}:LongBlocks"], [labelled])
    new, before = summarise_sets(trials)
    assert (new.recall, before.recall) == (0.0, 1.0)
    assert "old" in before.contestant and "old" not in new.contestant


def test_a_method_of_a_file_imports_the_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text(OWN)
    path = tmp_path / "importing.py"
    path.write_text("from beside_it import LongBlocks")
    assert tamis.extract(PAGE, method=f"{path}:LongBlocks").method == "LongBlocks"


def test_worker_processes_load_the_file_or_module(own: ModuleType) -> None:
    many = [PAGE] * 40
    for method in ("own_method.py:LongBlocks", "own_method:LongBlocks", own.LongBlocks):
        results = list(tamis.extract_many(many, method=method, workers=2, parameters={"least": 8}))
        assert {getattr(result, "text", result) for result in results} == {LONG}


def test_a_fitted_method_of_a_file_is_sent_to_processes_and_read_back_with_its_class(
    own: ModuleType, tmp_path: Path, pages: Path
) -> None:
    site = tamis.Site().fit(sorted(pages.glob("*.html")), method="own_method.py:Mine")
    assert (
        pickle.loads(pickle.dumps(site)).extract(article(1)).text == site.extract(article(1)).text
    )
    site.save(tmp_path / "mine.npz")
    with pytest.raises(tamis.WeightsError, match="of method Mine, which is not one of tamis"):
        tamis.Site.load(tmp_path / "mine.npz")
    with pytest.raises(tamis.WeightsError, match="of method Mine, not of x_cex"):
        tamis.Site.load(tmp_path / "mine.npz", method="x_cex")
    for method in ("own_method.py:Mine", own.Mine, own.Mine()):
        loaded = tamis.Site.load(tmp_path / "mine.npz", method=method)
        assert loaded.extract(article(1)).text == site.extract(article(1)).text


def test_a_bench_takes_objects_classes_and_text(own: ModuleType, labelled: Path) -> None:
    methods: list[Any] = [own.LongBlocks(least=8), own.LongBlocks, "own_method:Mine", "baseline"]
    trials = Bench(workers=2).run(methods, [labelled])
    assert [trial.contestant.name for trial in trials] == [
        *("LongBlocks least=8", "LongBlocks", "Mine", "baseline")
    ]
    assert [trial.outcome.text for trial in trials][:2] == [LONG, ""]
    assert "learns from pages of one site" in (trials[2].outcome.miss or "")


def test_a_bench_measures_a_changed_file_again(
    own: ModuleType, tmp_path: Path, labelled: Path
) -> None:
    bench = Bench(workers=1, cache=tmp_path / "cache")
    (first,) = bench.run(["own_method.py:LongBlocks"], [labelled])
    (tmp_path / "own_method.py").write_text(OWN.replace("least: int = 30", "least: int = 8"))
    (second,) = bench.run(["own_method.py:LongBlocks"], [labelled])
    assert (first.outcome.text, second.outcome.text) == ("", LONG)


@pytest.mark.parametrize("as_text", [True, False])
def test_a_corpus_run_remembers_the_file_of_its_method(
    own: ModuleType, tmp_path: Path, pages: Path, as_text: bool
) -> None:
    fields: dict[str, Any] = {"method": own.LongBlocks(least=8)}
    if as_text:
        fields = {"method": "own_method.py:LongBlocks", "parameters": {"least": 8}}

    def run() -> tamis.CorpusReport:
        return tamis.extract_corpus(pages, tmp_path / "rows", format="jsonl", workers=1, **fields)

    assert run().counts.kept == 4
    written = json.loads((tmp_path / "rows" / "run.json").read_text())["settings"]["options"]
    assert written["parameters"] == {"least": 8}
    assert "own_method" in written["method"]
    assert run().new.records == 0
    (tmp_path / "own_method.py").write_text(OWN + "# changed")
    with pytest.raises(tamis.InputError, match=r"own_method.*:LongBlocks has changed since"):
        run()


def test_a_worker_refuses_a_file_that_is_not_that_of_the_run(
    own: ModuleType, tmp_path: Path
) -> None:
    settings = Settings(options=tamis.Options(method="own_method.py:LongBlocks"))
    (tmp_path / "own_method.py").write_text(OWN + "# changed")
    for again in (lambda: Settings.from_dict(settings.to_dict()), settings.options.make_method):
        with pytest.raises(tamis.MethodError, match="not the one that the run began with"):
            again()


def test_other_processes_are_not_told_of_classes_that_they_cannot_import(labelled: Path) -> None:
    class Local(tamis.Method):
        def score(self, page: tamis.Page) -> Any:
            return np.ones(len(page.blocks))

    with pytest.raises(tamis.MethodError, match="save it to a file"):
        Bench().run([Local()], [labelled])


def test_a_fitted_object_is_not_taken_for_one_that_is_not(pages: Path, tmp_path: Path) -> None:
    site = tamis.Site().fit(sorted(pages.glob("*.html")), method="x_cex")
    for method in (site, site.method):
        with pytest.raises(tamis.MethodError, match=r"\.save\('site.npz'\)"):
            tamis.extract_corpus(pages, tmp_path / "rows", method=method)
    site.save(tmp_path / "site.npz")
    report = tamis.extract_corpus(
        *(pages, tmp_path / "rows"), method=str(tmp_path / "site.npz"), format="jsonl", workers=1
    )
    assert report.counts.kept == 4


def test_what_is_written_down_makes_the_same_method() -> None:
    from tamis.methods.boilerpipe import Boilerpipe

    written = method_choices.pin(Boilerpipe(variant="density"), {})
    assert written == ("boilerpipe", {"variant": "density"})
    assert method_choices.make_method(*written) == Boilerpipe(variant="density")
    assert method_choices.pin("text-block-context", {}) == ("text_block_context", {})


@pytest.mark.parametrize(
    "text", ["own_method.py:LongBlocks", "own_method:LongBlocks", "site.npz", "own_method.py", "x"]
)
def test_a_name_from_outside_is_a_name(own: ModuleType, text: str) -> None:
    del sys.modules["own_method"]
    with pytest.raises(tamis.MethodError):
        method_choices.check_name(text)
    assert "own_method" not in sys.modules
    method_choices.check_name("tamis")


def test_no_model_says_what_code_to_run(tmp_path: Path, pages: Path) -> None:
    site = tamis.Site().fit(sorted(pages.glob("*.html")), method="x_cex")
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'was_run')!r}, 'w')")
    for named in (f"{tmp_path / 'evil.py'}:X", "evil:X", "site.npz", "evil"):
        arrays = dict(np.load(_saved(site, tmp_path)))
        header = json.loads(arrays["header"].tobytes()) | {"method": named}
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        np.savez(tmp_path / "bad.npz", **arrays)
        with pytest.raises(tamis.WeightsError):
            tamis.Site.load(tmp_path / "bad.npz")
    assert not (tmp_path / "was_run").exists()


def _saved(site: tamis.Site, folder: Path) -> Path:
    site.save(folder / "site.npz")
    return folder / "site.npz"
