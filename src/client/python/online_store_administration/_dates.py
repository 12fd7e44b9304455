"""Dates of answers: objects with a zone, ISO texts in UTC, and local texts. The last two only in fields of certain names."""

import re
from contextlib import suppress
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from ._operations import DATE_FIELDS

NAMES = frozenset(DATE_FIELDS.split())
PATTERN = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,6})\d*)?(Z?)")


def decode_dates(body):
    """Replaces all dates of a body by `datetime`. A local text has the zone of the objects beside it: a body is about one store."""
    zone = next(zones(body), "UTC")

    def decode(value, name=""):
        if isinstance(value, list):
            return [decode(one, name) for one in value]
        if is_date(value):
            return to_datetime(value["date"], value["timezone"]) or value
        if isinstance(value, dict):
            return {key: decode(one, key) for key, one in value.items()}
        return name in NAMES and isinstance(value, str) and to_datetime(value, zone) or value

    return decode(body)


def is_date(value):
    return isinstance(value, dict) and value.keys() >= {"date", "timezone", "timezone_type"}


def zones(value):
    """Yields the zones of all objects in a value."""
    if is_date(value):
        yield value["timezone"]
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from zones(one)


def to_datetime(text, zone):
    """Returns None for a text that is no date. A time that a clock change skips moves forward; of one that occurs twice the first counts."""
    found = PATTERN.fullmatch(text)
    if not found:
        return None
    *parts, fraction, is_utc = found.groups()
    at = datetime(*map(int, parts), int((fraction or "").ljust(6, "0")))
    with suppress(KeyError):
        # A machine without the database of zones knows none: then the time stays local.
        known = timezone.utc if is_utc or zone == "UTC" else ZoneInfo(zone)
        return at.replace(tzinfo=known).astimezone(timezone.utc).astimezone(known)
    return at
