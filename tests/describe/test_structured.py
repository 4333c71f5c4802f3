"""The object that a page is about."""

from __future__ import annotations

from tamis.describe.structured import main_object, people, texts
from tamis.page.read import parse


def test_json_ld_is_read_with_all_its_objects() -> None:
    objects = parse(
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"@type":'
        ' ["NewsArticle"], "author": {"@id": "#ann"}}, {"@id": "#ann", "name": "Ann"}]}</script>'
    ).declared.objects
    article = main_object(objects)
    assert article["@type"] == ["NewsArticle"]
    assert people(article, objects) == ["Ann"]


def test_texts_come_from_every_shape_of_a_value() -> None:
    assert texts("  a  b ") == ["a b"]
    assert texts([{"name": "a"}, {"@value": "b"}, "c", 7, True, None, {}, {"name": ["d"]}]) == [
        "a",
        "b",
        "c",
        "7",
        "d",
    ]


def test_an_article_comes_before_the_page_that_it_is_on() -> None:
    objects = [{"@type": "WebPage"}, {"@type": "Product"}, {"@type": "BlogPosting"}]
    assert main_object(objects) is objects[2]
    assert main_object(objects[:2]) is objects[1]
    assert main_object([{"@type": "BreadcrumbList"}, {"@id": "#x"}]) == {}
