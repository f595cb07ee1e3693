"""Work beside the loop: one worker thread, in order, and tasks whose failures are logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

logger = logging.getLogger(__name__)

Result = TypeVar("Result")


class Jobs:
    """What is done on the worker thread, and what goes on by itself."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="stilltrue")
        self._tasks: set[asyncio.Task[Any]] = set()

    async def work(self, job: Callable[[], Result]) -> Result:
        """Run a job on the worker thread, after those asked for before."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, job)

    def spawn(self, coroutine: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Run a coroutine on its own; what goes wrong in it is logged."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task failed", exc_info=error)
