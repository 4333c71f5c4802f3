"""`python -m tamis` is the same program as `tamis`."""

from __future__ import annotations

from tamis.cli import main

if __name__ == "__main__":
    main(prog_name="tamis")
