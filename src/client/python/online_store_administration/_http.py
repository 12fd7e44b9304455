"""Requests over `http.client`: connections, time limits, repetitions, credentials and idempotency keys."""

import http.client
import itertools
import json
import os
import random
import re
import secrets
import selectors
import socket
import ssl
import time
import weakref
from base64 import b64encode
from collections import namedtuple
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from urllib.parse import quote, unquote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

from ._operations import VERSION

# In characters. Servers and proxies before the service may refuse a longer address.
MAX_PATH = 4000

OPTION_HEADERS = ("idempotency_key", "if_match", "if_none_match")

# Failures on the way.
FAILURES = (OSError, http.client.HTTPException, json.JSONDecodeError, UnicodeDecodeError)

# `body` is parsed JSON, a text, or the lines of a file.
Answer = namedtuple("Answer", "status headers body")


class ApiError(Exception):
    """A call that did not succeed: a refusal, or a failure on the way (status 0). It holds no credentials."""

    def __init__(self, code, hint, status=0, headers=None, body=None):
        super().__init__(code, hint)
        self.code, self.hint, self.status, self.headers = code, hint, status, headers or {}
        body = body or {}
        self.errors, self.request_id = body.get("errors") or {}, body.get("request_id") or self.headers.get("X-Request-Id")
        self.documentation_url = body.get("documentation_url") or body.get("error_uri")

    def __str__(self):
        first = f"{self.status or ''} {self.code}: {self.hint}".strip()
        return "\n  ".join([first, *(f"{name}: {' '.join(texts)}" for name, texts in self.errors.items())])


def error_of(status, headers, body):
    """Returns the error of an answer. Those of the authorization server have other members."""
    code, hint = "unexpected_answer", "This is not the service. Check base_url."
    if status == 304:
        code, hint = "not_modified", "The record has not changed."
    code = body.get("code") or body.get("error") or code
    hint = body.get("hint") or body.get("message") or body.get("error_description") or hint
    return ApiError(code, hint, status, headers, body)


class Sender:
    """Sends requests without credentials. Threads may share it; connections are kept for later requests."""

    def __init__(self, base_url, *, retries=4, timeout=30, ssl_context=None):
        self.origin = re.sub(r"/v2$", "", base_url.rstrip("/"))
        self._address = address = urlsplit(self.origin)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("base_url must be an address such as https://api.example.com.")
        self._ssl = ssl_context or (ssl.create_default_context() if address.scheme == "https" else None)
        self.retries, self.timeout, self._kept = retries, timeout, []
        weakref.finalize(self, close_all, self._kept)

    def attempt(self, method, path, *, headers, body=None, timeout=None, stream=False, is_list=False, is_new=False):
        """Makes one attempt, and returns the answer of a success. No redirect is followed: it would take the credentials along."""
        connection = None
        try:
            connection = self._connect(timeout or self.timeout, is_new)
            # A refusal may come before the whole body is sent.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, self._address.path + path, body, headers)
            answer = connection.getresponse()
            status, headers, is_ok = answer.status, answer.headers, 200 <= answer.status < 300
            if is_ok and stream:
                return Answer(status, headers, lines_of(connection, answer))
            body = answer.read().decode()
            is_json = headers.get("Content-Type", "").startswith("application/json")
            # A refusal may have no body.
            if is_json and (body or is_ok):
                body = json.loads(body)
            # The service may have ended it.
            if connection.sock:
                self._kept.append((os.getpid(), connection))
        except FAILURES as cause:
            if connection:
                connection.close()
            if isinstance(cause, socket.timeout):
                raise ApiError("timeout", "No answer in time. Raise timeout.") from cause
            hint = f"No complete answer came ({type(cause).__name__}). Check the network and base_url."
            raise ApiError("network", hint) from cause
        # A list without a match is a 404 with its empty data.
        if is_ok or is_list and status == 404 and is_json and "data" in body:
            return Answer(status, headers, body)
        raise error_of(status, headers, body if isinstance(body, dict) else {})

    def repeat(self, attempt, may_repeat=lambda error: True):
        """Makes attempts until one succeeds, or fails in a way that the next one would, too."""
        for count in itertools.count(1):
            try:
                return attempt()
            except ApiError as error:
                wait = wait_before(error, count) if count <= self.retries and may_repeat(error) else None
                if wait is None:
                    raise
            time.sleep(wait)

    def post_form(self, path, fields, is_repeatable):
        """Posts a form to the authorization server. A refusal for now is always repeated."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        limits = {"timeout": min(self.timeout, 10), "is_new": not is_repeatable}
        answer = self.repeat(
            lambda: self.attempt("POST", path, headers=headers, body=urlencode(fields()), **limits),
            lambda error: is_repeatable or error.status in (429, 503),
        )
        return answer.body if isinstance(answer.body, dict) else {}

    def _connect(self, timeout, is_new):
        """Returns a kept connection of this process, or a new one. One that the service has closed is readable."""
        with suppress(IndexError):
            while not is_new:
                process, connection = self._kept.pop()
                with selectors.DefaultSelector() as selector:
                    selector.register(connection.sock, selectors.EVENT_READ)
                    if process == os.getpid() and not selector.select(0):
                        connection.sock.settimeout(timeout)
                        return connection
                connection.close()
        host, is_secure = self._address.hostname, self._address.scheme == "https"
        target = (host, self._address.port or (443 if is_secure else 80))
        proxy = urlsplit("" if proxy_bypass(host) or not is_secure else getproxies().get("https", ""))
        at = (proxy.hostname, proxy.port) if proxy.hostname else target
        if is_secure:
            connection = http.client.HTTPSConnection(*at, timeout=timeout, context=self._ssl)
        else:
            connection = http.client.HTTPConnection(*at, timeout=timeout)
        if proxy.hostname:
            login = b64encode(unquote(f"{proxy.username}:{proxy.password}").encode()).decode()
            connection.set_tunnel(*target, {"Proxy-Authorization": f"Basic {login}"} if proxy.username else {})
        connection.connect()
        return connection


def close_all(kept):
    for _, connection in kept:
        connection.close()


def lines_of(connection, answer):
    try:
        yield from answer
        # A file that ends early has bytes left.
        if answer.length:
            raise http.client.IncompleteRead(b"")
    finally:
        connection.close()


def wait_before(error, count):
    """Returns the seconds before the next attempt; None if there should be none."""
    is_transient = error.code in ("network", "timeout", "request_under_way")
    asked = seconds_of(error.headers.get("Retry-After", ""))
    # A wait of more than a minute is left to the caller.
    if not (is_transient or error.status == 429 or 502 <= error.status < 600) or asked > 60:
        return None
    backoff = min(0.25 * 2 ** (count - 1), 8)
    return max(asked, backoff / 2) + random.random() * backoff / 2


def seconds_of(value):
    """Reads `Retry-After`: seconds or a date."""
    with suppress(TypeError, ValueError):
        return int(value) if value.isdigit() else parsedate_to_datetime(value).timestamp() - time.time()
    return 0


def check(name, value, header):
    """Returns a value of a header. Raises unless it can be sent; the error does not repeat it."""
    if isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]+", value):
        return value
    raise ValueError(f"{name} must be a text without spaces. It is sent as {header}.")


class KeyCredentials:
    """An API key, which cannot be renewed."""

    def __init__(self, token, secret):
        names = {"User-Token": ("token", token), "User-Secret-Key": ("secret", secret)}
        self._headers = {header: check(*named, header) for header, named in names.items()}

    def headers(self):
        return self._headers

    def renew(self, refused, error):
        if "User-" not in error.hint:
            error.hint += " token was sent as User-Token, secret as User-Secret-Key."
        raise error


class Transport:
    """Sends requests with credentials."""

    def __init__(self, sender, credentials, headers, strict):
        self.sender, self._credentials, self._headers, self._strict = sender, credentials, headers or {}, strict

    def send(self, method, path, *, content_type=None, headers=None, **options):
        """Sends a request until it succeeds or fails for good. A 401 of an app is answered by one refresh."""
        path = quote(path, safe="!#$%&'()*+,/:;=?@[]~")
        # A list answers QUERY (RFC 10008) as GET.
        if method == "GET" and (len(path) > MAX_PATH or "body" in options):
            method = "QUERY"
            if "body" not in options:
                path, _, options["body"] = path.partition("?")
                content_type = "application/x-www-form-urlencoded"
        is_read = method in ("GET", "QUERY")
        common = {
            "Accept": "application/json, application/x-ndjson",
            "User-Agent": f"online-store-administration-python/{VERSION}",
            "Content-Type": content_type,
            "Prefer": self._strict and "handling=strict",
            # One key for all attempts, so that a change is made once.
            "Idempotency-Key": None if is_read else secrets.token_hex(16),
            **{name.replace("_", "-").title(): options.pop(name) for name in OPTION_HEADERS if name in options},
            **self._headers,
            **(headers or {}),
        }
        sent = {name: value for name, value in common.items() if value}
        for is_renewed in (False, True):
            credentials = self._credentials.headers()
            options["headers"] = {**sent, **credentials}
            try:
                return self.sender.repeat(lambda: self.sender.attempt(method, path, **options))
            except ApiError as error:
                if is_renewed or error.status != 401:
                    raise
                self._credentials.renew(credentials, error)


def to_json(value):
    """Encodes a body. Dates become ISO 8601, decimals numbers, members of an enum their values. Raises for NaN."""
    return json.dumps(value, default=plain, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def plain(value):
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, datetime):
        return value.astimezone().isoformat()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"A {type(value).__name__} cannot be sent.")
