import ssl
from datetime import datetime
from typing import Any, Dict, Generic, Iterable, Iterator, List, Mapping, NamedTuple, Protocol, Tuple, TypedDict, TypeVar
from typing_extensions import NotRequired

from . import webhooks as webhooks
from .types import Groups

__all__ = ["ApiError", "Client", "OAuthApp", "webhooks"]
__version__: str

Record = TypeVar("Record")
Meta = TypeVar("Meta")

class ApiError(Exception):
    """A call that did not succeed: the refusal of the service, or a failure on the way (status 0)."""
    code: str
    """The kind of the refusal; `network` or `timeout` without an answer."""
    hint: str
    """The next step for the caller."""
    status: int
    """Status of the answer; 0 if there was none."""
    errors: Dict[str, List[str]]
    """Messages by field, for data that do not fit."""
    request_id: str | None
    documentation_url: str | None
    headers: Mapping[str, str]

class Response(NamedTuple, Generic[Record]):
    data: Record
    status: int
    headers: Mapping[str, str]
    etag: str | None
    request_id: str | None
    warning: str | None
    is_replayed: bool

class Page(NamedTuple, Generic[Record, Meta]):
    data: List[Record]
    meta: Meta
    def next(self) -> Page[Record, Meta] | None: ...

class RemoteList(Generic[Record, Meta]):
    """A list of the service. Nothing is sent until it is read."""
    def __iter__(self) -> Iterator[Record]: ...
    def all(self, limit: int | None = ...) -> List[Record]:
        """Returns all records, or the first ones."""
    def page(self) -> Page[Record, Meta]:
        """Loads one page."""

class Client(Groups):
    """A client of one store: a group of methods for each tag of the reference."""
    def __init__(
        self,
        *,
        store: str,
        base_url: str = ...,
        token: str,
        secret: str,
        headers: Mapping[str, str] | None = ...,
        strict: bool = ...,
        retries: int = ...,
        timeout: float = ...,
        ssl_context: ssl.SSLContext | None = ...,
    ) -> None: ...
    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = ...,
        body: Any = ...,
        with_response: bool = ...,
        content_type: str = ...,
        idempotency_key: str = ...,
        if_match: str = ...,
        if_none_match: str = ...,
        headers: Mapping[str, str] = ...,
        timeout: float = ...,
    ) -> Any:
        """Calls any operation, by a path within the store. The body is as it was sent."""
    def walk(self, path: str, query: Mapping[str, Any] | None = ..., **options: Any) -> RemoteList[Dict[str, Any], Dict[str, Any]]:
        """Walks a list by its path. The records are as they were sent."""

class Tokens(TypedDict):
    access_token: str
    refresh_token: str
    expires_at: NotRequired[float | str | datetime | None]

class TokenStore(Protocol):
    """Where tokens are kept, shared by all processes."""
    def get(self, store: str) -> Any: ...
    def compare_and_set(self, store: str, expected: Any, next: Any) -> bool:
        """Replaces the tokens in one step if they are still those of `expected`, and returns whether it did."""

class ConnectedStore(TypedDict):
    store: str
    scopes: List[str]
    tokens: Tokens

class OAuthApp:
    """Connects stores to an app."""
    def __init__(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        token_store: TokenStore,
        base_url: str = ...,
        issuer: str | None = ...,
        retries: int = ...,
        timeout: float = ...,
        ssl_context: ssl.SSLContext | None = ...,
    ) -> None: ...
    def authorize_url(self, scopes: Iterable[str] | None = ...) -> Tuple[str, Dict[str, str]]:
        """Returns the address to send the merchant to, and what must be kept until they come back."""
    def exchange(self, callback_url: str, kept: Mapping[str, str] | None) -> ConnectedStore:
        """Checks the address that the merchant came back to, exchanges its code once, and stores the tokens."""
    def client(self, store: str, *, headers: Mapping[str, str] | None = ..., strict: bool = ...) -> Client:
        """A client of a connected store."""
    def is_connected(self, store: str) -> bool:
        """Asks the service whether a connection lives. The tokens of one that has ended are deleted."""
    def uninstall(self, store: str) -> None:
        """Ends the connection, then deletes its tokens. May be repeated."""
