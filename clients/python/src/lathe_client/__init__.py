"""The client of the Lathe API."""

from ._async_client import AsyncLathe, AsyncRunStream
from ._client import Lathe, RunStream
from ._errors import (
    LatheApiError,
    LatheConnectionError,
    LatheError,
    LatheRunError,
    LatheRunUnknownError,
    LatheStreamError,
    LatheTimeoutError,
    LatheWebhookError,
)
from .webhooks import verify_event, verify_webhook

__all__ = [
    "AsyncLathe",
    "AsyncRunStream",
    "Lathe",
    "LatheApiError",
    "LatheConnectionError",
    "LatheError",
    "LatheRunError",
    "LatheRunUnknownError",
    "LatheStreamError",
    "LatheTimeoutError",
    "LatheWebhookError",
    "RunStream",
    "verify_event",
    "verify_webhook",
]
