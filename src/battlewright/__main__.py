"""``python -m battlewright`` is the command ``battlewright``."""

from __future__ import annotations

from battlewright.cli import main

if __name__ == "__main__":
    main()
