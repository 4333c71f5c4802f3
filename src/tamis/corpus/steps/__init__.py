"""The steps of a run, in their order. A new one is one file here and one line in `STEPS`.

    learn    per shard    what each page adds to the model of its site       (with site models)
    unite    per part     the models of the sites that fall into it          (with site models)
    extract  per shard    its rows
    compare  per run      which rows have a text that was there before       (without duplicates)
    select   per shard    its rows without those                             (without duplicates)

A task needs nothing but the output folder and its own name, so any process of any machine can do
it. It writes files under temporary names, renames them when they are whole, and then its receipt.
What the steps leave for each other stays: when inputs are added, the earlier shards need no work.
"""

from __future__ import annotations

from tamis.corpus.manifest import Basis, Run, Task
from tamis.corpus.steps.duplicates import COMPARE, SELECT
from tamis.corpus.steps.extraction import EXTRACT
from tamis.corpus.steps.site_models import LEARN, UNITE

STEPS = {step.name: step for step in (LEARN, UNITE, EXTRACT, COMPARE, SELECT)}
"""All steps by name."""


def steps_of(run: Run) -> dict[str, int]:
    """The steps of a run in order, with the number of tasks of each."""
    return {name: tasks for name, step in STEPS.items() if (tasks := step.tasks(run))}


def basis_of(run: Run, task: Task) -> Basis:
    return STEPS[task.step].basis(run, task.number)
