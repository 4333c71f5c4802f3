"""Who does the tasks of a run. A new engine is one file here and one line in `ENGINES`."""

from __future__ import annotations

from tamis.corpus.engines import local, ray

ENGINES = {kind.name: kind for kind in (local.LOCAL, ray.RAY)}
"""All engines by name; the first is the default."""
