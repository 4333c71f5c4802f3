"""Products as shops declare them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tamis.describe.metadata.products import Product, read_price
from tamis.describe.metadata.record import Metadata, describe_page
from tamis.page.reader import parse

BODY = "<h1>Drum sieve 25 cm</h1><p>A sieve of silk on a drum of ash, made by hand in the valley."

LAMP = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Drum sieve 25 cm",
    "sku": "DS-25",
    "brand": {"@type": "Brand", "name": "Tamiserie Ek"},
    "offers": {
        "@type": "Offer",
        "price": 39.5,
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
    },
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.6", "reviewCount": 87},
}
WHOLE = Product("Drum sieve 25 cm", "39.5", "EUR", "InStock", "DS-25", "Tamiserie Ek", 4.6, 5.0, 87)


def read(html: str) -> Metadata:
    return describe_page(parse(html))


def data(*values: Any) -> str:
    scripts = (
        f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values
    )
    return f"<title>Drum sieve 25 cm | Sieves</title>{''.join(scripts)}{BODY}"


def test_a_product_is_read_from_json_ld() -> None:
    values = read(data(LAMP))
    assert values.product == WHOLE
    assert values.sources["product"] == "json-ld"
    assert json.loads(json.dumps(values.to_dict()))["product"]["price"] == "39.5"


def test_a_product_is_read_from_microdata_without_the_ratings_of_its_reviews() -> None:
    values = read(f"""<title>Drum sieve</title><div itemscope itemtype="https://schema.org/Product">
        {BODY}<span itemprop="name">Drum sieve 25 cm</span>
        <a itemprop="brand" itemscope itemtype="http://schema.org/Brand" href="/ek">
            <span itemprop="name">Tamiserie Ek</span></a>
        <meta itemprop="sku" content="DS-25">
        <div itemprop="review" itemscope itemtype="https://schema.org/Review">
            <b itemprop="name">Broke soon</b>
            <i itemprop="reviewRating" itemscope><i itemprop="ratingValue">1</i></i></div>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
            <span itemprop="price" content="39.5">39,50 €</span>
            <meta itemprop="priceCurrency" content="EUR">
            <link itemprop="availability" href="https://schema.org/InStock"></div>
        <p itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">
            <b itemprop="ratingValue">4.6</b> of <b itemprop="bestRating">5</b>,
            <b itemprop="reviewCount">87</b> reviews</div>""")
    assert values.product == WHOLE
    assert values.sources["product"] == "microdata"


def test_a_product_is_read_from_rdfa() -> None:
    values = read(f"""<title>Drum sieve</title><script>if (typeof a == "Product") b()</script>
        <div vocab="https://schema.org/" typeof="Product">{BODY}
        <h2 property="name">Drum sieve 25 cm</h2><i property="brand" typeof="Brand">
        <i property="name">Tamiserie Ek</i></i> <span property="sku">DS-25</span>
        <div property="offers" typeof="schema:Offer"><span property="schema:price">39.5</span>
        <span property="priceCurrency" content="EUR">€</span>
        <link property="availability" href="http://schema.org/InStock"></div>
        <p property="aggregateRating" typeof="AggregateRating"><b property="ratingValue">4.6</b>
        <b property="ratingCount">87</b></div>""")
    assert values.product == WHOLE


def test_meta_tags_of_shops_fill_what_is_missing() -> None:
    values = read(
        """<title>Drum sieve</title><meta property="og:type" content="product">
        <meta property="product:price:amount" content="1,299.00">
        <meta property="product:price:currency" content="usd">
        <meta property="product:availability" content="in stock">
        <meta property="product:brand" content="Ek">"""
        + BODY
    )
    assert values.product == Product(
        price="1299.00", currency="USD", availability="InStock", brand="Ek"
    )
    assert values.sources["product"] == "opengraph"


@pytest.mark.parametrize(
    ("offers", "price", "availability"),
    [
        ([{"price": "45"}, {"price": "39,50 €"}], "39.50", ""),
        ({"@type": "AggregateOffer", "lowPrice": 12, "highPrice": 90}, "12", ""),
        ({"priceSpecification": [{"price": 8.25, "priceCurrency": "GBP"}]}, "8.25", ""),
        ({"offers": [{"price": 7, "availability": "OutOfStock"}]}, "7", "OutOfStock"),
        ({"price": "on request", "availability": "http://schema.org/Nonsense"}, "", ""),
        ({"price": float("nan")}, "", ""),
        (["39", None, 5, [[]]], "", ""),
    ],
)
def test_offers_of_every_form_are_read(offers: Any, price: str, availability: str) -> None:
    product = read(data({**LAMP, "offers": offers})).product
    assert product is not None
    assert (product.price, product.availability) == (price, availability)


def test_variants_of_a_group_have_the_price() -> None:
    group = {
        "@graph": [
            {"@type": "BreadcrumbList", "itemListElement": []},
            {
                "@type": "ProductGroup",
                "name": "Drum sieve",
                "hasVariant": [
                    {"@type": "Product", "offers": {"price": price}} for price in (9, 7)
                ],
            },
        ]
    }
    product = read(data(group)).product
    assert product is not None and (product.name, product.price) == ("Drum sieve", "7")


def test_a_page_that_lists_products_is_about_none_of_them() -> None:
    others = [{**LAMP, "name": f"Basket {number}"} for number in range(3)]
    listed = [{"@type": "ListItem", "item": each} for each in others]
    assert read(data(*others)).product is None
    assert read(data({"@type": "ItemList", "itemListElement": listed})).product is None


def test_of_several_products_the_one_of_the_title_counts() -> None:
    product = read(data({**LAMP, "name": "Basket", "sku": "B-1"}, LAMP)).product
    assert product == WHOLE


def test_an_article_has_no_product() -> None:
    assert read(data({"@type": "Article", "headline": "Product news"})).product is None


def test_structured_has_all_json_ld_as_it_is() -> None:
    other = {"@type": "BreadcrumbList", "itemListElement": [{"position": 1}]}
    values = read(data(LAMP, [other]))
    assert values.structured == (LAMP, [other])
    assert "structured" not in values.to_dict()


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("1.299", "1299"),
        ("1.299.000 ₫", "1299000"),
        ("1 299,5", "1299.5"),
        ("0.125", "0.125"),
        ("CHF 12.–", "12"),
        ("1'299.00", "1299.00"),
        ("", ""),
        ("9" * 40, ""),
    ],
)
def test_prices_are_written_in_plain_digits(text: str, price: str) -> None:
    assert read_price(text) == price


def test_broken_declarations_give_no_error() -> None:
    for value in (
        {**LAMP, "brand": [], "aggregateRating": "4", "offers": 3},
        {"@type": ["Product", 4]},
    ):
        read(data(value))
    read('<div itemscope itemtype="Product"><i itemprop="offers price" itemscope>')
