"""Calls of the service to a run's `webhook_url`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import LatheWebhookError

TOLERANCE_SECONDS = 300
#: A call has one signature a secret that is valid; who sends hundreds wants the receiver to compute.
SIGNATURES_MAX = 10


def verify_webhook(
    payload: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """The payload of a webhook call, if the service signed it (Standard Webhooks). The same call may come more than once: `runId` is the key by which to do things once.

    `payload` is the body exactly as it came: parsed and written again it is other bytes. `secret` may be several, while one takes the place of another.

    :raises LatheWebhookError: when it is not proven
    :raises ValueError: when the secret is none
    """
    parsed = _verified(payload, headers, secret, tolerance_seconds, now)
    if "runId" not in parsed or "status" not in parsed:
        raise LatheWebhookError("bad_payload", "The call is signed, but its body is no webhook of a run.")
    return parsed


def verify_event(
    payload: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """The event of a call to a webhook endpoint, if the service signed it with the endpoint's secret; as
    `verify_webhook`. The same call may come more than once: let `id` be the key by which you do things once.

    :raises LatheWebhookError: when it is not proven
    :raises ValueError: when the secret is none
    """
    parsed = _verified(payload, headers, secret, tolerance_seconds, now)
    if any(name not in parsed for name in ("id", "type", "data")):
        raise LatheWebhookError("bad_payload", "The call is signed, but its body is no event.")
    return parsed


def _verified(
    payload: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    tolerance_seconds: float,
    now: Optional[float],
) -> Dict[str, Any]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets:
        raise ValueError("A webhook is verified by at least one secret.")
    call_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature").split(" ")[:SIGNATURES_MAX]
    _require_time(timestamp, tolerance_seconds, time.time() if now is None else now)
    body = payload.encode() if isinstance(payload, str) else payload
    signed = f"{call_id}.{timestamp}.".encode() + body
    if not any(_is_signed(each, signed, signatures) for each in secrets):
        raise LatheWebhookError("bad_signature", "No signature of the call fits its body and a secret.")
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise LatheWebhookError("bad_payload", "The call is signed, but its body is no webhook.")
    return parsed


def _header(headers: Mapping[str, Any], name: str) -> str:
    found = [value for key, value in headers.items() if key.lower() == name]
    value = found[0] if len(found) == 1 else None
    if isinstance(value, (list, tuple)):
        value = value[0] if len(value) == 1 else None
    if not isinstance(value, str) or not value:
        raise LatheWebhookError("missing_header", f"The call has no {name} header.")
    return value


def _require_time(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,11}", timestamp):
        raise LatheWebhookError("bad_timestamp", "webhook-timestamp is no time in seconds.")
    age = now - int(timestamp)
    if age > tolerance:
        raise LatheWebhookError("too_old", "The call is too old: it may be a recorded one, sent again.")
    if age < -tolerance:
        raise LatheWebhookError("too_new", "The call comes from the future: one of the clocks is wrong.")


def _is_signed(secret: str, signed: bytes, signatures: List[str]) -> bool:
    expected = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    for signature in signatures:
        if not signature.startswith("v1,"):
            continue
        try:
            given = base64.b64decode(signature[3:], validate=True)
        except (binascii.Error, ValueError):
            continue
        if hmac.compare_digest(expected, given):
            return True
    return False


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True) if secret.startswith("whsec_") else b""
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("A webhook secret is whsec_ and base64.")
    return key
