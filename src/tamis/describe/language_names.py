"""Languages as people write them: a code, a tag, an English name, their own name."""

from __future__ import annotations

import difflib
from functools import cache

from tamis.describe.language import normalise_tag
from tamis.describe.word_lists import word_lists
from tamis.errors import OptionsError


def language_tags(name: str) -> tuple[str, ...]:
    """The BCP 47 tags of a language, or an `OptionsError`; several if pages have several for it.

    >>> language_tags("German"), language_tags("pt_br"), language_tags("norwegian")
    (('de',), ('pt-BR',), ('nb', 'nn', 'no'))
    """
    codes = _codes()
    written = "-".join(name.casefold().replace("_", " ").replace("-", " ").split())
    if written in codes:
        return codes[written]
    primary, _, rest = written.partition("-")
    if len(primary) <= 3 and primary in codes and rest and (tag := normalise_tag(written)):
        return ("-".join((*codes[primary], *tag.split("-")[1:])),)
    near = difflib.get_close_matches(written, codes, n=1, cutoff=0.75)
    hint = f"did you mean {near[0]!r}?" if near else "give a name or a code: english, en, pt-BR"
    raise OptionsError(f"no language is called {name!r}; {hint}")


@cache
def _codes() -> dict[str, tuple[str, ...]]:
    """Codes by name, by code, and by ISO 639-3 code."""
    codes: dict[str, tuple[str, ...]] = {}
    for code, names in word_lists("language_names.tsv").items():
        for name in (code, *names):
            codes[name.casefold()] = (*codes.get(name.casefold(), ()), code)
    for code, longer in word_lists("language_codes.tsv").items():
        codes |= dict.fromkeys(longer, (code,))
    return codes
