"""What is changed after the scores were decided by: rules of content, then a caller's switches.

The steps run in the order in which they are listed. Each gets the decision so far and returns it,
changed or not; what it changed is in `Decision.switched` under its name, which `explain` reads.
What a step knows of pages is in its module here, or is asked of `describe` and `page`; it is
imported when it is needed, so that `import tamis` stays small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from tamis.decide.decision import AD_LABEL, READING, WHOLE, Decision
from tamis.methods._base import Flags
from tamis.options import Options
from tamis.page.table import Page
from tamis.page.tags import HIDDEN

SHELL_WORDS = 150
"""Words kept up to which a page may be a shell, whose content is in its data."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the steps know beside the decision so far."""

    page: Page
    options: Options
    url: str | None
    """Address of the page, if it is known."""


Step: TypeAlias = Callable[[Context, Decision], Decision]


def run_steps(steps: tuple[Step, ...], context: Context, decision: Decision) -> Decision:
    """Run steps one after the other."""
    for step in steps:
        decision = step(context, decision)
    return decision


def _change(decision: Decision, name: str, kept: Flags) -> Decision:
    """Keep other blocks, and note under a name which ones changed."""
    changed = decision.kept != kept
    if not changed.any():
        return decision
    return replace(decision, kept=kept, switched={**decision.switched, name: changed})


def open_shell(context: Context, decision: Decision) -> tuple[Context, Decision]:
    """Take the article in the data of a page instead of the page, if what it shows is a shell.

    Comes before the steps, since they look at the page that it gives.
    """
    page = context.page
    if page.blocks.words[decision.kept].sum() > SHELL_WORDS:
        return context, decision
    from tamis.decide.steps import embedded_articles

    page, decision = embedded_articles.read_article(page, decision, context.options)
    return replace(context, page=page), decision


# Rules: what the scores alone get wrong


def choose_reading(context: Context, decision: Decision) -> Decision:
    """Choose between whole readings of the page."""
    if not decision.kept.any():
        return decision
    from tamis.decide import readings

    options = context.options
    made = readings.choose_reading(
        context.page,
        decision.scores,
        options.make_method(),
        context.url,
        options.page_type_weights,
    )
    if made is None:
        return decision
    reading, chosen = made
    if options.focus == "precision":
        reading = reading & decision.kept
    elif options.focus == "recall":
        reading = reading | decision.kept
    if not reading.any():
        return decision
    return _change(replace(decision, choice=chosen), READING, reading)


def complete_structures(context: Context, decision: Decision) -> Decision:
    """Keep the rest of footnotes and callouts of which a part was kept."""
    from tamis.decide.steps.whole_structures import add_torn_parts

    return _change(decision, WHOLE, add_torn_parts(context.page, decision.kept))


def drop_ad_labels(context: Context, decision: Decision) -> Decision:
    """Drop the labels of advertisements."""
    from tamis.decide.steps.advertisements import find_labels

    labels = find_labels(context.page, decision.kept)
    return decision if labels is None else _change(decision, AD_LABEL, decision.kept & ~labels)


# Switches: what a caller wants otherwise; each is named as its option


def apply_overview(context: Context, decision: Decision) -> Decision:
    """Of an overview page keep only its entries, or nothing."""
    page, options = context.page, context.options
    if options.overview == "keep":
        return decision
    from tamis.describe.types import overview, page_type

    types = partial(page_type.estimate_types, page, context.url, options.page_type_weights)
    if not page_type.is_overview(overview.estimate_chance(page, options.make_method(), types)):
        return decision
    wants_items = options.overview == "items"
    items = (
        overview.find_item_blocks(page, decision.scores) if wants_items else decision.kept & False
    )
    return _change(decision, "overview", items)


def add_comments(context: Context, decision: Decision) -> Decision:
    """Keep the comments of readers, too."""
    if not context.options.comments:
        return decision
    from tamis.describe.regions import KIND, find_regions

    # Where comments are follows from the content, also if only the entries of a list are kept.
    content = decision.kept != decision.switched.get("overview", False)
    comments = find_regions(context.page, content, context.url) == KIND["comments"]
    return _change(decision, "comments", decision.kept | comments)


def drop_tables(context: Context, decision: Decision) -> Decision:
    """Drop the tables of data."""
    if context.options.tables:
        return decision
    from tamis.page.structure.data_tables import mark_data_tables

    return _change(decision, "tables", decision.kept & ~mark_data_tables(context.page))


def drop_hidden(context: Context, decision: Decision) -> Decision:
    """Drop what a browser does not show."""
    if context.options.hidden:
        return decision
    return _change(decision, "hidden", decision.kept & (context.page.blocks.flags & HIDDEN == 0))


def drop_title(context: Context, decision: Decision) -> Decision:
    """Drop the blocks that say no more than the title."""
    if context.options.title is not False:
        return decision
    from tamis.page.headline import mark_titles

    return _change(decision, "title", decision.kept & ~mark_titles(context.page, context.url))


RULES: tuple[Step, ...] = (choose_reading, complete_structures, drop_ad_labels)
"""The steps after a decision by probabilities."""

SWITCHES: tuple[Step, ...] = (apply_overview, add_comments, drop_tables, drop_hidden, drop_title)
"""The steps after any decision."""
