"""Rivals, and the watched processes they run in."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib import metadata
from types import ModuleType, SimpleNamespace

import pytest

from tamis.bench import rivals
from tamis.bench.contestants import ContestantProcess, Gold, Limits
from tamis.errors import MethodError

from .conftest import Fake

GOLD = Gold("set", "1", None, "A fine sieve", (), (), "hash")
LIMITS = Limits(seconds=1.5, megabytes=2048)


@pytest.fixture
def worker(fake: Fake) -> Iterator[ContestantProcess]:
    worker = ContestantProcess(fake("fragile"), LIMITS, ["bag_of_words"])
    yield worker
    worker.end()


def test_an_output_is_scored_in_the_process(worker: ContestantProcess) -> None:
    outcome = worker.extract("<p>A fine sieve", GOLD)
    assert (outcome.text.split(), outcome.miss) == (["A", "fine", "sieve"], None)
    assert outcome.scores["bag_of_words"].f1 == 1.0
    assert outcome.seconds > 0


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("CRASH", "crashed (SIGABRT)"),
        ("LEAVE", "its process ended with exit code 3"),
        ("HANG", "no answer in 1.5 s"),
        ("RAISE", "ValueError: no article"),
        ("QUIT", "SystemExit: 1"),
        ("FETCH", "URLError: <urlopen error a bench has no network>"),
        ("MEMORY", "more memory than 2048 MB"),
    ],
)
def test_a_failure_is_a_miss_and_the_next_page_is_served(
    worker: ContestantProcess, page: str, message: str
) -> None:
    missed = worker.extract(page, GOLD)
    assert missed.miss is not None and missed.miss.startswith(message)
    assert len(missed.miss) <= 300
    assert (missed.text, missed.scores["bag_of_words"].f1) == ("", 0.0)
    assert worker.extract("A fine sieve", GOLD).scores["bag_of_words"].f1 == 1.0


@pytest.mark.parametrize(("page", "text"), [("NOTHING", ""), ("SURROGATE", "sieve ?")])
def test_odd_outputs_become_text(worker: ContestantProcess, page: str, text: str) -> None:
    outcome = worker.extract(page, GOLD)
    assert (outcome.text, outcome.miss) == (text, None)


def test_what_a_contestant_prints_goes_nowhere(
    worker: ContestantProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    assert worker.extract("PRINT", GOLD).text == "PRINT"
    assert capfd.readouterr() == ("", "")


def test_a_contestant_that_cannot_be_loaded_is_an_error(fake: Fake) -> None:
    with pytest.raises(MethodError, match="broken 1 cannot be loaded: it raised ImportError"):
        ContestantProcess(fake("broken"), LIMITS, []).extract("page", GOLD)


# --- the libraries, which need not be here ------------------------------------------------------


def test_every_rival_has_a_name_and_an_unknown_one_is_told_which() -> None:
    assert {"trafilatura", "readability-lxml", "resiliparse", "justext", "boilerpy3"} < set(
        rivals.RIVALS
    )
    with pytest.raises(MethodError, match="no rival is called 'sieve'; there are: trafilatura"):
        rivals.make_rival("sieve")


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(rivals.metadata, "version", missing)
    assert rivals.list_installed() == ()
    with pytest.raises(MethodError, match=r"'goose3' is not installed; pip install 'tamis\[riv"):
        rivals.make_rival("goose3")
    monkeypatch.setitem(sys.modules, "goose3", None)
    with pytest.raises(MethodError, match=r"cannot be imported.*tamis\[rivals\]"):
        rivals.load("goose3")


def test_the_version_of_a_library_is_part_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals.metadata, "version", lambda name: "9.8")
    old = rivals.make_rival("justext")
    assert old.name == "justext 9.8"
    monkeypatch.setattr(rivals.metadata, "version", lambda name: "9.9")
    assert rivals.make_rival("justext").fingerprint != old.fingerprint
    monkeypatch.setattr(rivals.metadata, "version", lambda name: "9.8")
    assert rivals.make_rival("justext") == old
    monkeypatch.setattr(rivals, "_adapters_hash", lambda: "changed")
    assert rivals.make_rival("justext").fingerprint != old.fingerprint


class _Library(ModuleType):
    """A stand-in for a library: the attributes that its adapter uses."""

    def __init__(self, name: str, **attributes: object) -> None:
        super().__init__(name)
        self.__dict__.update(attributes)


def _paragraph(text: str, boilerplate: bool) -> SimpleNamespace:
    return SimpleNamespace(text=text, is_boilerplate=boilerplate)


class _Article:
    def __init__(self, url: str, *, fetch_images: bool) -> None:
        assert not fetch_images
        self.text = ""

    def download(self, *, input_html: str, ignore_read_more: bool) -> None:
        assert ignore_read_more
        self.html = input_html

    def parse(self) -> None:
        self.text = f"newspaper {self.html}"


STAND_INS = {
    "trafilatura": _Library("trafilatura", extract=lambda page, include_comments: None),
    "resiliparse.extract.html2text": _Library(
        "html2text", extract_plain_text=lambda page, main_content: f"{page} {main_content}"
    ),
    "justext": _Library(
        "justext",
        get_stoplists=lambda: {"English"},
        get_stoplist=lambda language: {language},
        justext=lambda page, words: [_paragraph(page, False), _paragraph("ad", True)],
    ),
    "boilerpy3.extractors": _Library(
        "extractors", ArticleExtractor=lambda: SimpleNamespace(get_content=str.upper)
    ),
    "newspaper": _Library("newspaper", Article=_Article),
    "goose3": _Library(
        "goose3",
        Goose=lambda: SimpleNamespace(
            extract=lambda raw_html: SimpleNamespace(cleaned_text=f"goose {raw_html}")
        ),
    ),
    "turbohtml": _Library(
        "turbohtml", parse=lambda page: SimpleNamespace(main_text=lambda: f"turbo {page}")
    ),
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("trafilatura", ""),
        ("resiliparse", "é True"),
        ("justext", "é"),
        ("boilerpy3", "É"),
        ("newspaper4k", "newspaper é"),
        ("goose3", "goose é"),
        ("turbohtml", "turbo é"),
    ],
)
def test_an_adapter_turns_a_page_into_text(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    real = importlib.import_module
    monkeypatch.setattr(
        rivals.importlib, "import_module", lambda name: STAND_INS.get(name) or real(name)
    )
    extract = rivals.load(name)
    assert extract("é") == text
    assert extract("é".encode()) == text


@pytest.mark.parametrize(
    ("page", "language"),
    [
        ("<html lang=de>", "German"),
        ("<!doctype html><HTML class=x LANG='pt-BR'>", "Portuguese"),
        ("<html lang=hi>", "Hindi"),
        ("<html lang=no>", "Norwegian_Bokmal"),
        ("<html lang=th>", "none"),
        ("<p lang=de>", "English"),
    ],
)
def test_justext_gets_the_stop_words_of_the_declared_language(
    monkeypatch: pytest.MonkeyPatch, page: str, language: str
) -> None:
    library = _Library(
        "justext",
        get_stoplists=lambda: {"English", "German", "Hindi", "Portuguese", "Western_Panjabi"},
        get_stoplist=lambda name: name,
        justext=lambda page, words, stopwords_low=0.3, **_: [
            _paragraph(words if stopwords_low else "none", False)
        ],
    )
    monkeypatch.setattr(rivals.importlib, "import_module", lambda name: library)
    assert rivals.load("justext")(page) == language


class _Element:
    def __init__(self, tag: str, text: str, tail: str | None, *children: _Element) -> None:
        self.tag, self.text, self.tail, self.children = tag, text, tail, children

    def iter(self) -> Iterator[_Element]:
        yield self
        for child in self.children:
            yield from child.iter()

    def text_content(self) -> str:
        return self.text + "".join(
            child.text_content() + (child.tail or "") for child in self.children
        )


def test_blocks_of_readability_are_not_glued(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = _Element("div", "", None, _Element("p", "fine", None), _Element("b", "sieve", "s"))
    stand_ins = {
        "readability": _Library(
            "readability",
            Document=lambda page: SimpleNamespace(summary=lambda html_partial: page),
        ),
        "lxml.html": _Library("html", fromstring=lambda page: tree),
    }
    monkeypatch.setattr(rivals.importlib, "import_module", stand_ins.__getitem__)
    assert rivals.load("readability-lxml")("page") == "fine\nsieves"
