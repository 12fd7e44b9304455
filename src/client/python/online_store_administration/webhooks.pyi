from typing import Any, Dict, Mapping, Sequence

from .types import WebhookEvent

def verify(
    headers: Mapping[str, str], body: str | bytes, secret: str | Sequence[str], tolerance_seconds: float = ...
) -> WebhookEvent:
    """Checks that a delivery is genuine and recent, and returns its event. With several secrets, any may have signed."""

def verify_app_event(
    headers: Mapping[str, str], body: str | bytes, secret: str | Sequence[str], tolerance_seconds: float = ...
) -> Dict[str, Any]:
    """The same for the webhook of an app itself. Its times stay texts."""
