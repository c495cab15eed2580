"""Run the command `ludarium-engine` as `python -m ludarium_engine.testkit`."""
from __future__ import annotations

from ludarium_engine.testkit.cli import main

if __name__ == "__main__":
    main()
