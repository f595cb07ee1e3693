from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stilltrue.store.engine import Store, StoreLocation, open_store
from store.writing import Writer
from support.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def location(tmp_path: Path) -> StoreLocation:
    return StoreLocation.from_path(tmp_path / "data" / "memories.db")


@pytest.fixture
def store(location: StoreLocation, clock: FakeClock) -> Iterator[Store]:
    opened = open_store(location, clock=clock, create=True, busy_ms=300)
    assert opened is not None
    yield opened
    opened.close()


@pytest.fixture
def writer(store: Store) -> Writer:
    return Writer(store)
