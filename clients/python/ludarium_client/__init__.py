"""Python client for Ludarium: `Client`, or `AsyncClient` for asyncio.

`bodies` has the types of all requests and answers.
"""

from ludarium_client.asynchronous import AsyncClient
from ludarium_client.blocking import Client
from ludarium_client.choices import answer, at_random, random_answer
from ludarium_client.follower import Reset
from ludarium_client.operations import owes, view_of
from ludarium_client.problems import LudariumError, Problem, Unreachable

__all__ = [
    "AsyncClient",
    "Client",
    "LudariumError",
    "Problem",
    "Reset",
    "Unreachable",
    "answer",
    "at_random",
    "owes",
    "random_answer",
    "view_of",
]
