"""A game that goes on from a position of another one: folded, recorded and verified by everybody as any game is."""
from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from engine import titles
from engine.kernel import SPECTATOR
from engine.kernel.published import read_layout
from engine.story.lines import lines
from services.problems import Problem
from services.records.present_rules import compared
from services.records.reading import read_record
from services.records.record import record_of
from services.records.verify import verify
from services.tables import branching, snapshots
from services.tables.bodies import NewBranch
from services.tables.events import event_body
from services.tables.history import folded, opened
from services.tables.rows import BranchStarted, GameStarted, SeedsRevealed, decode
from services.tables.views import table_view
from tests.records import stranger
from tests.records.pure import Game, player
