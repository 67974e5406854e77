"""What goes wrong, each in a class of its own; all of them are a LatheError."""

from __future__ import annotations

import math
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional


class LatheError(Exception):
    """What every error of this client is."""


class LatheApiError(LatheError):
    """The service refused. `code` is stable, `service_message` is for people."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any, now: float) -> None:
        known = body if isinstance(body, dict) and isinstance(body.get("error"), str) and "message" in body else None
        text = f"{known['error']}: {known['message']}" if known else "The answer is none of this API."
        super().__init__(f"{status} {text}")
        self.status = status
        #: The service's code; `UNEXPECTED_ANSWER` when something else answered in its place, such as a proxy.
        self.code: str = known["error"] if known else "UNEXPECTED_ANSWER"
        self.service_message: Optional[str] = (known["message"] or None) if known else None
        #: The broken places of the request, of `INVALID_INPUT`.
        self.details: List[Dict[str, Any]] = (known.get("details") or []) if known else []
        #: Quote it when you report a problem.
        self.request_id: Optional[str] = headers.get("x-request-id")
        #: Seconds to wait before another try, when the service said so.
        self.retry_after: Optional[int] = _retry_after(headers.get("retry-after"), body, now)
        self.body = body


class LatheConnectionError(LatheError):
    """No whole answer came: the connection failed or broke, the time was up, or what came was no answer of this API."""


class LatheRunUnknownError(LatheConnectionError):
    """The connection broke before a streamed run had told its id: nobody knows whether it was started, and it is not started again."""


class LatheRunError(LatheError):
    """The run ended, and not well; `run` is its last state, `code` its failure code."""

    def __init__(self, run: Mapping[str, Any]) -> None:
        result, error = run.get("result") or {}, run.get("error") or {}
        other = "RUN_CANCELLED" if run["status"] == "cancelled" else "AGENT_BUILD_FAILED" if result.get("build") else "EXECUTION_FAILED"
        self.code: str = error.get("code") or other
        self.run = run
        words = error.get("message") or result.get("text") or self.code
        end = "made no agent" if run["status"] == "completed" else f"ended as {run['status']}"
        super().__init__(f"Run {run['run_id']} {end}: {words}")


class LatheStreamError(LatheError):
    """A run's events cannot be read on. The run may go on: go on from `last_sequence_number` by `runs.events`."""

    def __init__(self, message: str, run_id: str, last_sequence_number: int) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.last_sequence_number = last_sequence_number


class LatheTimeoutError(LatheError):
    """The time given for waiting is up. The run goes on; `run_id` is what to wait for again."""

    def __init__(self, message: str, run_id: str) -> None:
        super().__init__(message)
        self.run_id = run_id


class LatheWebhookError(LatheError):
    """A call that did not prove to be the service's: answer it with a 4xx and do nothing with it. `fault` says why."""

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def _retry_after(header: Optional[str], body: Any, now: float) -> Optional[int]:
    text = (header or "").strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    if text:
        try:
            return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - now))
        except (TypeError, ValueError, IndexError):
            pass
    seconds = body.get("retryAfterSeconds") if isinstance(body, dict) else None
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and math.isfinite(seconds) and seconds >= 0:
        return math.ceil(seconds)
    return None
