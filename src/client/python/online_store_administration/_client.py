"""Groups and methods of one store, made from the table of operations."""

import json
import re
import time
from collections import namedtuple
from enum import Enum
from functools import partial
from types import SimpleNamespace
from urllib.parse import quote, urlencode

from ._dates import decode_dates
from ._http import FAILURES, ApiError, KeyCredentials, Sender, Transport, to_json
from ._operations import DEFAULT_URL, OPERATIONS, USUAL, VERBS

# The result of a call with `with_response=True`.
Response = namedtuple("Response", "data status headers etag request_id warning is_replayed")

# `next()` loads the page after this one, or returns None.
Page = namedtuple("Page", "data meta next")


class RemoteList:
    """A list of the service. Nothing is sent until it is read."""

    def __init__(self, client, path, query, options, read=decode_dates):
        self._client, self._path, self._query, self._options, self._read = client, path, query, options, read

    def __iter__(self):
        return self._walk(100)

    def all(self, limit=None):
        """Returns all records, or the first ones."""
        records = []
        for record in self._walk(min(100, limit or 100)) if limit != 0 else ():
            records.append(record)
            if len(records) == limit:
                break
        return records

    def page(self, path=None):
        data, meta, following = self._get(path or with_query(self._path, self._query))
        return Page(data, meta, lambda: self.page(following) if following else None)

    def _walk(self, limit):
        path = with_query(self._path, {"limit": limit, **(self._query or {})})
        while path:
            try:
                data, _, following = self._get(path)
            except ApiError as error:
                # Fewer records, if they are too large for one answer.
                following = re.sub(r"([?&]limit=)(\d+)", lambda at: f"{at[1]}{-(-int(at[2]) // 4)}", path)
                if error.code != "answer_too_large" or following == path:
                    raise
                data = ()
            yield from data
            path = following

    def _get(self, path):
        body = self._read(self._client.transport.send("GET", path, is_list=True, **self._options).body)
        meta = body.get("meta") or {}
        link = ((meta.get("pagination") or {}).get("links") or {}).get("next")
        cursor = (meta.get("cursor") or {}).get("next")
        following = self._client.resolve(link) if link else None
        if cursor and not link:
            rest = re.sub(r"[?&]$", "", re.sub(r"([?&])cursor=[^&]*&?", r"\1", path))
            following = with_query(rest, {"cursor": cursor})
        return body["data"], meta, following


class Client:
    """Calls operations of one store: `client.brands.create({...})`. Arguments: ids, body or query, options by name."""

    def __init__(self, *, store, base_url=DEFAULT_URL, token=None, secret=None, app=None, headers=None, strict=False, **sending):
        if not re.fullmatch(r"[\w-]+", store or ""):
            raise ValueError("store must be the alias of a store.")
        self._store = store
        # The client of an app has its sender and its tokens.
        access = app or (Sender(base_url, **sending), KeyCredentials(token, secret))
        self.transport = Transport(*access, headers, strict)
        for line in OPERATIONS.strip().split("\n"):
            group, base, *paths = line.split(" ")
            self.__dict__[group] = names = SimpleNamespace()
            for below, *methods in (path.split(",") for path in paths):
                template = (base + below).replace("~", "/{alias}")
                for name, _, letters in (method.partition("=") for method in methods):
                    letters = letters or USUAL[name]
                    setattr(names, name, self._method(f"{group}.{name}", template, *letters))
        for group in (self.imports, self.exports):
            group.wait = partial(wait_for, group.show)

    def request(self, method, path, *, query=None, body=None, **options):
        """Calls any operation, and returns its whole body."""
        return self._call(method, with_query(self.resolve(path), query), body, "r", options)

    def walk(self, path, query=None, **options):
        return RemoteList(self, self.resolve(path), query, options, dict)

    def resolve(self, path):
        """Returns the path for one of the document, one within the store, or a link of an answer."""
        rooted = path[path.index("/v2/") :] if "://" in path else "/" + path.lstrip("/")
        if rooted.startswith("/v2/"):
            return rooted
        if not rooted.startswith(("/{alias}", "/auth/")):
            rooted = "/{alias}" + rooted
        return "/v2" + rooted.replace("{alias}", self._store)

    def _method(self, name, template, letter, result, kind):
        verb, ids = VERBS[letter], re.findall(r"\{(\w+)\}", template.replace("{alias}", ""))

        def call(*args, **options):
            rest = list(args[len(ids) :])
            sent = rest.pop(0) if rest and kind != "n" else None
            if rest:
                raise TypeError(f"{name} takes fewer arguments.")
            path = fill_path(self.resolve(template), ids, args, name)
            if kind == "q":
                if result == "l":
                    return RemoteList(self, path, sent, options)
                path, sent = with_query(path, sent), None
                if result == "s":
                    return self._read_lines(path, options)
            if kind == "l":
                path = with_query(path, options.pop("query", None))
                options = {"timeout": 300, "content_type": "application/x-ndjson", **options}
                if not isinstance(sent, (bytes, str)):
                    sent = b"".join(to_json(value) + b"\n" for value in sent)
            return self._call(verb, path, sent, result, options)

        call.__name__ = call.__qualname__ = name
        call.__doc__ = f"{verb} /v2{template}"
        return call

    def _call(self, verb, path, sent, result, options):
        with_response = options.pop("with_response", False)
        if sent is not None:
            if isinstance(sent, str) and "content_type" in options:
                sent = sent.encode()
            body = sent if isinstance(sent, bytes) else to_json(sent)
            options = {"content_type": "application/json", **options, "body": body}
        status, headers, body = self.transport.send(verb, path, **options)
        # r: the body as it was sent; b: the body; d: its data; o: the only record of its data; n: nothing.
        body = body if result == "r" else decode_dates(body)
        data = body if result in "rb" else None if result == "n" else body["data"]
        data = data[0] if result == "o" else data
        if not with_response:
            return data
        known = (headers.get(name) for name in ("ETag", "X-Request-Id", "X-Warning"))
        return Response(data, status, headers, *known, headers.get("Idempotent-Replayed") == "true")

    def _read_lines(self, path, options):
        """Yields JSON lines. After a lost connection it asks again, and skips what was yielded."""
        yielded = failures = 0
        while True:
            try:
                for number, line in enumerate(self.transport.send("GET", path, stream=True, **options).body):
                    # A line that was cut off is no JSON.
                    value = decode_dates(json.loads(line))
                    if number == yielded:
                        yielded, failures = yielded + 1, 0
                        yield value
                return
            except FAILURES as cause:
                failures += 1
                if failures > 3:
                    raise ApiError("network", "The file was cut off. Try again.") from cause
            time.sleep(0.25 * 2**failures)


def wait_for(show, id, *, on_progress=lambda job: None, **options):
    """Asks until the job has ended, less often the longer it takes."""
    pause = 0.25
    while True:
        job = show(id, **options)
        on_progress(job)
        if job["state"] in ("done", "cancelled", "failed"):
            return job
        time.sleep(pause)
        pause = min(pause * 1.5, 5)


def fill_path(path, names, ids, method):
    """Fills ids in. Raises if one is missing or would make another path."""
    for index, name in enumerate(names):
        value = ids[index] if index < len(ids) else None
        if not isinstance(value, (int, str)) or value in ("", ".", ".."):
            raise TypeError(f"{method} needs {name}.")
        path = path.replace(f"{{{name}}}", quote(str(value), safe=""), 1)
    return path


def with_query(path, query):
    """Appends a query to a path that may have one. Lists are joined by commas, without None. A list of nothing else raises."""
    # A filter without a value would let every record through.
    sent = []
    for name, value in (query or {}).items():
        text = query_text(name, value)
        is_empty = text == "" and not isinstance(value, str)
        if is_empty and not name.startswith("include"):
            raise ValueError(f"{name} is a list without values. Leave it out for all.")
        if text is not None and not is_empty:
            sent.append((name, text))
    return f"{path}{'&' if '?' in path else '?'}{urlencode(sent)}" if sent else path


def query_text(name, value):
    value = value.value if isinstance(value, Enum) else value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict):
        raise TypeError(f"{name} must be a value or a list.")
    if hasattr(value, "__iter__"):
        return ",".join(text for text in (query_text(name, one) for one in value) if text is not None)
    return to_json(value).decode().strip('"')
