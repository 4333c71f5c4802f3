"""Articles that are only in the scripts of a page."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.decide.steps.shell_pages import SENTENCES, ld, shell, state

import tamis
from tamis.decide.steps.embedded_articles import find_article, find_hidden_article, make_html
from tamis.page.reader import parse


def test_the_body_of_an_article_in_json_ld_is_found() -> None:
    article = find_article(
        shell(ld({"@type": "NewsArticle", "articleBody": "\n\n".join(SENTENCES)}))
    )
    assert article is not None
    assert article.source == "json-ld"
    assert article.html.count("<p>") == len(SENTENCES)
    assert article.words == sum(len(sentence.split()) for sentence in SENTENCES)


def test_markup_in_a_body_is_kept_as_it_is() -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    article = find_article(shell(ld({"@type": "Article", "articleBody": body})))
    assert article is not None
    assert article.html.strip() == body


def test_a_recipe_has_its_ingredients_and_steps() -> None:
    recipe = {
        "@type": "Recipe",
        "description": SENTENCES[0],
        "recipeIngredient": ["2 eggs", "salt & pepper"],
        "recipeInstructions": [
            {
                "@type": "HowToSection",
                "itemListElement": [{"text": sentence} for sentence in SENTENCES[1:5]],
            },
            *({"@type": "HowToStep", "text": sentence} for sentence in SENTENCES[5:]),
        ],
    }
    article = find_article(shell(ld(recipe)))
    assert article is not None
    assert "<ul><li>2 eggs</li><li>salt &amp; pepper</li></ul>" in article.html
    assert article.html.count("<li>") == 13


def test_a_question_has_its_answers() -> None:
    question = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question",
            "text": SENTENCES[0],
            "acceptedAnswer": {"@type": "Answer", "text": " ".join(SENTENCES[1:6])},
            "suggestedAnswer": [{"@type": "Answer", "text": " ".join(SENTENCES[6:])}],
        },
    }
    article = find_article(shell(ld(question)))
    assert article is not None
    assert all(sentence in article.html for sentence in SENTENCES)


def test_a_rich_text_tree_becomes_paragraphs() -> None:
    body = [
        {
            "type": "paragraph",
            "children": [{"text": sentence[:20]}, {"text": sentence[20:], "bold": True}],
        }
        for sentence in SENTENCES
    ]
    article = find_article(shell(state({"props": {"pageProps": {"story": {"body": body}}}})))
    assert article is not None
    assert article.source == "__NEXT_DATA__"
    assert article.html.count("<p>") == len(SENTENCES)


@pytest.mark.parametrize(
    "start",
    ["<script>window.__INITIAL_STATE__ = ", "<script>\n window['__INITIAL_STATE__']="],
)
def test_the_state_of_a_script_is_read(start: str) -> None:
    body = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    article = find_article(shell(state({"article": {"html": body}}, start)))
    assert article is not None
    assert (article.source, article.html) == ("__INITIAL_STATE__", body)


def test_an_article_without_spaces_is_found() -> None:
    body = "<p>" + "渡し船は正午に川を渡る。" * 30 + "</p>"
    page = shell(state({"entry": {"content": body}}), title="渡し船は正午に川を渡る")
    assert find_article(page) is not None


@pytest.mark.parametrize(
    "value",
    [
        {"labels": {f"label{number}": "Add to the basket and go on" for number in range(300)}},
        {"reviews": [{"rating": 5, "body": sentence} for sentence in SENTENCES]},
        {"config": {"description": "function () { return a; } " * 100}},
        {"terms": {"body": "We may use cookies for any purpose that we like. " * 40}},
        {"body": "too short"},
        [],
    ],
)
def test_texts_of_the_interface_are_no_article(value: Any) -> None:
    assert find_article(shell(state(value))) is None


@pytest.mark.parametrize(
    "script",
    [
        "",
        "<script type=application/json>{" + " " * 600,
        '<script type="application/json">' + "[" * 100_000 + "</script>",
        "<script>window.state = {" + "a" * 600 + "</script>",
        '<script type="application/ld+json">' + '{"@type":' * 10_000 + "</script>",
    ],
)
def test_broken_and_deep_scripts_hold_nothing(script: str) -> None:
    assert find_article(shell(script)) is None


def test_plain_text_is_escaped_and_escaped_markup_is_markup() -> None:
    assert make_html("a < b\n\nc & d") == "<p>a &lt; b</p>\n<p>c &amp; d</p>"
    assert make_html("&lt;p&gt;a&lt;/p&gt;") == "<p>a</p>"


def test_a_passage_as_text_and_as_html_is_taken_once() -> None:
    body = [
        {"type": "PARAGRAPH", "text": sentence, "textHtml": sentence.replace("noon", "<i>noon</i>")}
        for sentence in SENTENCES
    ]
    article = find_article(shell(state({"props": {"content": {"body": body}}})))
    assert article is not None
    assert article.html.count("<p>") == len(SENTENCES)
    assert article.html.count("at <i>noon</i>") == article.html.count("noon") == len(SENTENCES)


def test_a_body_that_is_there_as_one_text_too_is_taken_once() -> None:
    body = [{"type": "p", "children": [{"text": sentence}]} for sentence in SENTENCES]
    story = {"type": "story", "plainText": " ".join(SENTENCES), "body": body}
    article = find_article(shell(state({"stories": [story]})))
    assert article is not None
    assert all(article.html.count(sentence) == 1 for sentence in SENTENCES)


def test_a_rich_text_tree_that_is_stored_as_text_is_read() -> None:
    body = [{"type": "p", "children": [{"text": sentence}]} for sentence in SENTENCES]
    article = find_article(shell(state({"story": {"body": json.dumps(body)}})))
    assert article is not None
    assert article.html.count("<p>") == len(SENTENCES)


def test_a_description_that_repeats_the_steps_of_a_recipe_is_taken_once() -> None:
    steps = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
    recipe = {"@type": "Recipe", "description": steps, "recipeInstructions": [steps]}
    article = find_article(shell(ld(recipe)))
    assert article is not None
    assert article.html.count(SENTENCES[0]) == 1


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
