"""`python -m ludarium_engine.testkit` is the command `ludarium-engine`."""
from __future__ import annotations

from ludarium_engine.testkit.cli import main

if __name__ == "__main__":
    main()
