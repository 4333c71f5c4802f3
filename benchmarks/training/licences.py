"""Weights of ours say under which licence each set is that they learned from."""

from __future__ import annotations

from functools import partial

from public_sets import table

from tamis.train import weights

LICENCES = {name: source.licence for name, source in table().items()}

write_weights = partial(weights.write_weights, licences=LICENCES)
"""`tamis.train.weights.write_weights` with the licences of the public sets."""
