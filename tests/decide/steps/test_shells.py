"""Pages that are taken for shells of the article in their scripts, and pages that are not."""

from __future__ import annotations

import numpy as np
from tests.decide.steps.shell_pages import SENTENCES, ld, shell

import tamis
from tamis.decide.steps.shells import find_hidden_article
from tamis.page.read import parse

ARTICLE = ld({"@type": "Article", "articleBody": " ".join(SENTENCES)})


def replaced(visible: str) -> bool:
    """Whether a page of which nothing was kept is a shell of the article."""
    page = parse(f"<title>The ferry</title>{visible}{ARTICLE}")
    return find_hidden_article(page, np.zeros(len(page.blocks), bool)) is not None


def test_a_page_that_shows_the_article_is_no_shell() -> None:
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    assert not replaced(paragraphs)
    assert replaced(f"<div hidden>{paragraphs}</div>")


def test_a_page_that_shows_the_beginning_of_the_article_is_a_shell() -> None:
    assert replaced(f"<p>{SENTENCES[0]}</p><p>Subscribe to read on.</p>")


def test_a_page_with_much_text_of_its_own_is_no_shell() -> None:
    words = "This catalogue lists what the chandler has in stock this spring. " * 30
    assert not replaced(f"<p>{words}</p>")
    assert replaced(f"<p><a href=/stock>{words}</a></p>")


def test_a_shell_is_replaced_only_by_something_longer() -> None:
    page = shell(ld({"@type": "Article", "articleBody": " ".join(SENTENCES)}))
    nothing = np.zeros(len(page.blocks), bool)
    assert find_hidden_article(page, nothing) is not None
    short = parse(
        "<p>" + "A word and another. " * 30 + ld({"@type": "Article", "text": "word " * 150})
    )
    assert find_hidden_article(short, np.ones(len(short.blocks), bool)) is None


def test_all_of_the_article_is_kept_and_the_title_of_the_shell_stays() -> None:
    result = tamis.extract(shell(ld({"@type": "Article", "articleBody": "\n".join(SENTENCES)})))
    assert result.embedded == "json-ld"
    assert result.text.splitlines() == SENTENCES
    assert result.page.title == "The ferry across the river | Harbour News"
    assert not result.decision.switched
