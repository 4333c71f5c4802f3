"""The folds of the sites, and the weights that did not see them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tamis.methods.tamis import Tamis
from tamis.train.labelled_pages import domain_of

FOLDS = 5


def fold_of(site: str) -> int:
    """The fold of a site; all hosts of a domain are in one."""
    digest = hashlib.sha256(domain_of(site).encode()).digest()
    return int.from_bytes(digest[:8], "big") % FOLDS


def path_of_fold(folder: Path, method: str, fold: int) -> Path:
    """The weights of a method that were learned without a fold."""
    return folder / f"{'' if method == 'tamis' else method + '-'}fold-{fold}.npz"


def load_methods(folder: Path) -> list[Tamis]:
    """The default method with the weights of each fold, as `train.py tamis --folds` wrote them."""
    return [Tamis(weights=str(folder / f"fold-{fold}.npz")) for fold in range(FOLDS)]
