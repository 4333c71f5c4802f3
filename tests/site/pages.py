"""Pages of sites that do not exist, in several languages, with what real ones have around them."""

from __future__ import annotations

from random import Random

_WORDS = {
    "en": "ferry harbour morning fog hills cape sound people bridge winter storm river".split(),
    "de": "Fähre Hafen Morgen Nebel Hügel Leute Brücke Winter Sturm Fluss Feld Straße".split(),
    "ru": "паром гавань утро туман холмы мыс люди мост зима буря река поле".split(),
}
_MENU = {
    "en": ("Home", "News", "Sport", "Weather", "Subscribe"),
    "de": ("Start", "Nachrichten", "Sport", "Wetter", "Abonnieren"),
    "ru": ("Главная", "Новости", "Спорт", "Погода", "Подписка"),
}
PROMOTION = "Join our weekly letter and read the best of the harbour every Friday, free of charge."


def sentence(draw: Random, count: int, language: str = "en") -> str:
    return " ".join(draw.choices(_WORDS[language], k=count)).capitalize() + "."


def article(number: int, language: str = "en", promotion: str = PROMOTION) -> str:
    """An article of a small newspaper; the promotion looks like a paragraph."""
    draw = Random(f"{language} {number}")
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in _MENU[language])
    paragraphs = [f"<p>{sentence(draw, 40, language)}</p>" for _ in range(draw.randrange(4, 9))]
    paragraphs.insert(3, f"<p>{promotion}</p>")
    related = "".join(
        f'<li><a href="/{draw.randrange(9999)}">{sentence(draw, 6, language)}</a></li>'
        for _ in range(5)
    )
    title = sentence(draw, 6, language)
    return (
        f"<html lang={language}><head><meta charset=utf-8><title>{title}</title></head><body>"
        "<div id=cookies><p>We use cookies. <button>Accept</button></p></div>"
        f"<nav class=menu><ul>{menu}</ul></nav><article class=story><h1>{title}</h1>"
        f"<p class=byline>{number % 28 + 1} May 20{10 + number % 15}</p>{''.join(paragraphs)}"
        f"</article><aside class=related><h3>Related</h3><ul>{related}</ul></aside>"
        f"<footer><p>© 20{10 + number % 15} The Harbour Post. All rights reserved.</p></footer>"
        "</body></html>"
    )


def front(number: int = 0) -> str:
    """The front page of the newspaper: teasers in another layout."""
    draw = Random(f"front {number}")
    teasers = "".join(
        f'<section class="card {draw.choice("abc")}"><h2><a href="/{n}">{sentence(draw, 7)}</a>'
        f"</h2><div class=lead>{sentence(draw, 14)}</div></section>"
        for n in range(20)
    )
    return (
        "<html lang=en><head><meta charset=utf-8><title>The Harbour Post</title></head><body>"
        f"<div class=grid>{teasers}</div><footer><p>© 2020 The Harbour Post.</p></footer>"
        "</body></html>"
    )


def car(number: int) -> str:
    """A used car at a dealer's: a table of labels and values, and what the dealer always says."""
    draw = Random(f"car {number}")
    make = draw.choice(("Volvo", "Lada", "Fiat", "Skoda")) + f" {draw.randrange(100, 999)}"
    values = {
        "Colour:": sentence(draw, 2),
        "Mileage:": f"{draw.randrange(10_000, 200_000):,} km",
        "Owner:": sentence(draw, 3),
        "First registered:": f"{draw.randrange(1, 13)}/19{draw.randrange(80, 99)}",
    }
    rows = "".join(
        f"<tr><td class=label>{label}</td><td class=value>{value}</td></tr>"
        for label, value in values.items()
    )
    offers = "".join(
        f"<li><span class=button>Compare</span><a href=/{n}>{sentence(draw, 3)}</a></li>"
        for n in range(4)
    )
    return (
        f"<html lang=en><head><meta charset=utf-8><title>{make} - Harbour Cars</title></head><body>"
        "<nav class=menu><ul><li><a href=/>Home</a></li><li><a href=/c>Cars</a></li></ul></nav>"
        f"<h1>{make}</h1><div class=price>${draw.randrange(1000, 9000)}</div><table>{rows}</table>"
        f"<p class=letter>{PROMOTION}</p><div class=next>Our offers of the week</div>"
        f"<ul class=offers>{offers}</ul><footer><p>© 2009 Harbour Cars.</p></footer></body></html>"
    )
