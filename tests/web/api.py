"""The HTTP API, for tests that use the API together with a page."""

import httpx

from tests.support.waiting import LIMIT


def api(site: str) -> httpx.AsyncClient:
    """Return a client of the API at `site`, with the general limit as timeout."""
    return httpx.AsyncClient(base_url=f"{site}/api/v1", timeout=LIMIT)
