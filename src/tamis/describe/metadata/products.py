"""The product that a page sells: its price, brand, rating and so on, as the page declares them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from tamis.page.declared import Declared, Object, find_items, list_texts
from tamis.page.table import Page


@dataclass(frozen=True, slots=True)
class Product:
    """What a page declares about a product. What it does not declare is empty or None."""

    name: str = ""
    price: str = ""
    """The lowest price that is offered, in plain digits: `1299.00`."""
    currency: str = ""
    """ISO 4217: `EUR`."""
    availability: str = ""
    """A word of schema.org: `InStock`, `OutOfStock`, `PreOrder`."""
    sku: str = ""
    """The shop's own number for it."""
    brand: str = ""
    rating: float | None = None
    """The mean of all ratings."""
    best_rating: float | None = None
    """The highest rating that can be given."""
    ratings: int | None = None
    """How many ratings or reviews there are."""


_KINDS = frozenset(
    "Product IndividualProduct ProductGroup ProductModel SomeProducts Vehicle Car".split()
)
_AROUND = ("@graph", "mainEntity", "about")
_LEVELS = 4
_MOST_OFFERS = 200
_NUMBER = re.compile(r"\d[\d\s.,'’\u00a0\u202f]*")
_SIGNS = {"€": "EUR", "£": "GBP", "₹": "INR", "฿": "THB", "₽": "RUB", "₩": "KRW", "₫": "VND",
          "₺": "TRY", "₪": "ILS", "₴": "UAH", "zł": "PLN", "R$": "BRL"}  # fmt: skip
_AVAILABILITIES = {
    name.lower(): name
    for name in (
        "BackOrder Discontinued InStock InStoreOnly LimitedAvailability MadeToOrder OnlineOnly"
        " OutOfStock PreOrder PreSale Reserved SoldOut"
    ).split()
} | {"oos": "OutOfStock", "pending": "PreOrder", "available": "InStock"}


def find_product(page: Page, title: str) -> tuple[Product | None, str]:
    """Find the product that a page is about and where it is declared; None on lists of products."""
    declared = page.declared
    kind = next(declared.contents("og:type"), "").lower()
    is_product = kind.endswith("product") or kind == "product.item"
    described = _choose_product(list(_list_outermost(declared.json_ld)), title)
    made = [(_read_product(described), "json-ld")] if described else []
    if described := _choose_product(list(find_items(page, "Product")), title):
        made.append((_read_product(described), "microdata"))
    if made or is_product:
        made.append((_read_meta(declared), "opengraph"))
    made = [(each, source) for each, source in made if each != Product()]
    if not made:
        return None, ""
    whole, source = made[0]
    for other, _ in made[1:]:
        whole = _fill_gaps(whole, other)
    return whole, source


def _fill_gaps(product: Product, other: Product) -> Product:
    """Fill in what a product does not say from another declaration."""
    # A price and its currency, a rating and its scale belong together.
    values = {each.name: getattr(other, each.name) for each in fields(Product)}
    if product.price:
        del values["price"]
    if product.rating is not None:
        del values["rating"], values["best_rating"], values["ratings"]
    empty = {name: value for name, value in values.items() if not getattr(product, name)}
    return replace(product, **empty)


def _list_outermost(values: Sequence[Any]) -> Iterator[Object]:
    """List the products in JSON-LD that are neither entries of a list nor parts of another."""
    level = list(values)
    for _ in range(_LEVELS):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, list):
                inner += value
            elif isinstance(value, dict):
                kinds = value.get("@type")
                if not _KINDS.isdisjoint(list_texts(kinds)):
                    yield value
                elif kinds != "ItemList":
                    inner += [value[name] for name in _AROUND if name in value]
        level = inner[:_MOST_OFFERS]


def _choose_product(products: list[Object], title: str) -> Object | None:
    """Choose the product that the page is about: the only one, or the one that the title names."""
    if len(products) > 1:
        named = [each for each in products if _is_same(_read_text(each, "name"), title)]
        products = named[:1]
    return products[0] if products else None


def _is_same(name: str, title: str) -> bool:
    name, title = name.casefold(), title.casefold()
    return bool(name and title) and (name in title or title in name)


def _read_product(described: Object) -> Product:
    price, currency, availability = _read_offer(described)
    rating = _take_first(described.get("aggregateRating"))
    rating = rating if isinstance(rating, dict) else {}
    value = _read_number(_read_text(rating, "ratingValue"))
    counts = (_read_number(_read_text(rating, name)) for name in ("ratingCount", "reviewCount"))
    number = next((count for count in counts if count is not None), None)
    return Product(
        _read_text(described, "name"),
        price,
        currency,
        availability,
        next(filter(None, (_read_text(described, name) for name in ("sku", "productID"))), ""),
        _read_text(described, "brand") or _read_text(described, "manufacturer"),
        value,
        None if value is None else _read_number(_read_text(rating, "bestRating")) or 5.0,
        None if value is None or number is None else int(number),
    )


def _read_offer(described: Object) -> tuple[str, str, str]:
    """Read the lowest price, its currency and the availability of the first offer that has one."""
    offers = list(_list_offers(described))
    prices = []
    for offer in offers:
        for name in ("lowPrice", "price"):
            text = _read_text(offer, name)
            if price := read_price(text):
                currency = _read_text(offer, "priceCurrency").upper()
                prices.append((float(price), price, currency or _find_currency(text)))
    _, price, currency = min(prices, default=(0.0, "", ""))
    stated = (_read_availability(_read_text(offer, "availability")) for offer in offers)
    return price, currency, next(filter(None, stated), "")


def _list_offers(described: Object) -> Iterator[Object]:
    """List the offers of a product, of its variants, and the specifications of their prices."""
    level: list[Any] = [described.get("offers"), described.get("hasVariant")]
    room = _MOST_OFFERS
    while level and room > 0:
        inner: list[Any] = []
        for value in level:
            room -= 1
            if isinstance(value, list):
                inner += value[:room] if room > 0 else ()
            elif isinstance(value, dict):
                yield value
                specified = value.get("priceSpecification")
                if not _read_text(value, "price"):
                    inner.append(specified)
                inner.append(value.get("offers"))
        level = [value for value in inner if value]


def _read_meta(declared: Declared) -> Product:
    def meta(*names: str) -> str:
        return next((content for content, _ in declared.of_meta(names) if content), "")

    price = meta("product:price:amount", "product:sale_price:amount", "og:price:amount")
    currency = meta("product:price:currency", "product:sale_price:currency", "og:price:currency")
    return Product(
        price=read_price(price),
        currency=currency.upper() or _find_currency(price),
        availability=_read_availability(meta("product:availability", "og:availability")),
        sku=meta("product:retailer_item_id"),
        brand=meta("product:brand", "og:brand"),
    )


def _take_first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _read_text(described: Object, name: str) -> str:
    value = _take_first(described.get(name))
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return next(iter(list_texts(value)), "")[:200]


def _read_number(text: str) -> float | None:
    match = re.match(r"\s*(\d{1,9}(?:[.,]\d{1,9})?)(?![\d.,])", text)
    return float(match[1].replace(",", ".")) if match else None


def read_price(text: str) -> str:
    """Read the number in a price, in plain digits; empty if there is none.

    >>> [read_price(text) for text in ("1.299,00 €", "$1,299", "19.9", "on request")]
    ['1299.00', '1299', '19.9', '']
    """
    match = _NUMBER.search(text)
    if not match or len(match[0]) > 30:
        return ""
    digits = re.sub(r"[^\d.,]", "", match[0]).rstrip(".,")
    whole, sign, rest = digits.rpartition(max(digits, key=lambda c: (c in ".,") * digits.rfind(c)))
    # Three digits after a sign are thousands, but for fractions of one.
    if sign in (".", ",") and (len(rest) != 3 or whole == "0") and sign not in whole:
        return f"{re.sub('[.,]', '', whole) or 0}.{rest}"
    return re.sub("[.,]", "", digits)


def _find_currency(price: str) -> str:
    return next((code for sign, code in _SIGNS.items() if sign in price), "")


def _read_availability(text: str) -> str:
    """Read a word of schema.org from its address, or from a text such as "in stock"."""
    word = re.sub(r"[\s_-]", "", text.rstrip("/").rpartition("/")[2]).lower()
    return _AVAILABILITIES.get(word, "")
