"""The classes of the annotators of L3S-GN1."""

from __future__ import annotations

from public_sets import l3s_gn1

from tamis.labels.datasets import Example
from tamis.methods import text_block_context as context

ANNOTATED = (
    '<div class=menu><span class="x-nc-sel0"><a href=/>Home</a></span></div>'
    '<h1><span class="x-nc-sel1">Ferry returns</span></h1>'
    '<p><span class="x-nc-sel2">The first <span class=own>ferry</span> departed</span> six</p>'
    '<p><span class="x-nc-sel5">I was there</span></p><p><b>plain</b> text '
    '<span class="x-nc-sel3"><i>and more</i></span></p>'
)


def test_annotated_classes_become_the_classes_of_texts() -> None:
    page, classes = l3s_gn1.span_classes(ANNOTATED)
    by_text = {page.text(text): int(kind) for text, kind in enumerate(classes)}
    assert by_text["Home"] == 0
    assert by_text["Ferry returns"] == 1
    assert by_text["The first"] == by_text["ferry"] == 2
    assert by_text["plain"] == 0
    assert by_text["I was there"] == 5


def test_a_text_that_is_annotated_in_part_has_the_class_of_its_longest_part() -> None:
    page, classes = l3s_gn1.span_classes(ANNOTATED)
    assert (
        dict(zip(map(page.text, range(len(page.texts))), classes, strict=True))["departed six"] == 2
    )


def test_the_annotation_is_not_in_the_page_that_is_learned_from() -> None:
    page, _ = l3s_gn1.span_classes(ANNOTATED)
    assert b"x-nc" not in page.source
    assert b"<span class=own>" in page.source


def test_annotated_pages_are_labelled_by_their_classes() -> None:
    annotated = '<p><span class="x-nc-sel0">menu</span></p><p><span class="x-nc-sel2">text</span>'
    html = "<p>menu</p><p>text"
    example = Example(id="1", dataset="l3s", html=html, text="menu", annotated=annotated)
    for text in context.TEXTS:
        assert l3s_gn1.unit_table(text, [example]).content.tolist() == [False, True]


def test_all_annotated_text_is_learned_from_if_that_is_wanted() -> None:
    spans = '<p><span class="x-nc-sel2">{}</span></p>'
    annotated = spans.format("The first ferry") + "<p hidden>Gone</p><p>" + spans.format("***")
    page = Example(id="2", dataset="l3s", html="", annotated=annotated)
    for text, content in (("visible", [True]), ("all", [True, False, True])):
        assert l3s_gn1.unit_table(text, [page]).content.tolist() == content
