"""The protocols: who learns from which pages, and who is scored on which."""

from __future__ import annotations

from pathlib import Path

import pytest

import tamis
from tamis.bench import protocols
from tamis.errors import DatasetError, MethodError
from tamis.labels import datasets

FITTED = ("content_extractor", "infodiscoverer", "site_style_tree", "x_cex", "xpath_site", "site")


def test_half_of_the_pages_are_learned_and_the_others_scored_both_ways_round() -> None:
    pages = [f"page {i}" for i in range(7)]
    (first, second), (third, fourth) = protocols.split_pages("half", pages, str)
    assert (first, second) == (fourth, third)
    assert sorted([*first, *second]) == pages
    assert (len(first), len(second)) == (3, 4)
    assert protocols.split_pages("half", pages[::-1], str) == [(first, second), (third, fourth)]


def test_the_same_pages_are_learned_and_scored() -> None:
    assert protocols.split_pages("same", ["a", "b"], str) == [(["a", "b"], ["a", "b"])]


def test_sites_with_few_pages_take_no_part(site_set: Path) -> None:
    with protocols.sets_of_sites([site_set]) as (path,):
        assert datasets.name_of(path) == "mill"
        sites = list(protocols.sites_in(path))
        assert [len(site) for site in sites] == [6, 6]
        texts = {example.id: example.text for example in datasets.read(site_set)}
        assert {page.id: page.text for site in sites for page in site}.items() < texts.items()
    assert not path.exists()
    with (
        pytest.raises(DatasetError, match="7 pages or more"),
        protocols.sets_of_sites([site_set], least=7),
    ):
        pass


def test_a_sample_is_of_whole_sites_and_stays_in_the_folder(site_set: Path, tmp_path: Path) -> None:
    with protocols.sets_of_sites([site_set], folder=tmp_path / "kept", sample=3) as (path,):
        assert [len(site) for site in protocols.sites_in(path)] == [6]
    with protocols.sets_of_sites([site_set], folder=tmp_path / "kept", sample=3) as again:
        assert again == [path]


def test_a_split_is_a_site_of_its_own_and_bytes_are_read(tmp_path: Path) -> None:
    examples = [
        datasets.Example(
            id=str(i), dataset="x", html=b"<p>caf\xe9", url="https://www.mill.example/", split=split
        )
        for i, split in enumerate(["2005"] * 2 + ["2009"] * 2)
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(map(protocols._write_line, examples)))
    sites = list(protocols.sites_in(path))
    assert [[page.split for page in site] for site in sites] == [["2005"] * 2, ["2009"] * 2]
    assert sites[0][0].html == "<p>café"


@pytest.mark.parametrize("protocol", ["same", "half"])
@pytest.mark.parametrize("name", FITTED)
def test_every_method_that_is_fitted_runs_by_every_protocol(
    name: str, protocol: protocols.Protocol, site_set: Path
) -> None:
    with protocols.sets_of_sites([site_set]) as sets:
        contestant = protocols.make_fitted(name, {}, protocol, sets)
        assert contestant.name == f"{name} ({protocol})"
        extract = contestant.load()
        pages = [page for path in sets for site in protocols.sites_in(path) for page in site]
        texts = [extract(page.html) for page in pages]
    assert all(page.text in text for page, text in zip(pages, texts, strict=True))
    if name in ("content_extractor", "x_cex"):
        assert texts == [page.text for page in pages]


def test_every_method_that_is_fitted_is_known() -> None:
    fitted = [name for name in tamis.list_methods() if protocols.is_fitted_to_sites(name)]
    assert [*fitted, protocols.SITE_MODEL] == [*FITTED]


def test_a_method_that_looks_at_one_page_is_not_fitted() -> None:
    assert not protocols.is_fitted_to_sites("bte")
    with pytest.raises(MethodError, match="scores each page by itself"):
        protocols.fit("bte", {}, [])
