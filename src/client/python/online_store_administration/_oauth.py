"""An app at the authorization server: connects stores, refreshes tokens, ends connections."""

import hashlib
import math
import secrets
import threading
import time
from base64 import urlsafe_b64encode
from contextlib import suppress
from urllib.parse import parse_qsl, urlencode, urlsplit

from ._client import Client
from ._http import ApiError, Sender, check
from ._operations import DEFAULT_URL


class OAuthApp:
    """An app. `token_store` has `get(store)` and `compare_and_set(store, expected, next)`, shared by all processes."""

    def __init__(self, *, client_id, redirect_uri, token_store, base_url=DEFAULT_URL, issuer=None, **sending):
        self.client_id, self.redirect_uri = check("client_id", client_id, "X-Partner-Client-ID"), redirect_uri
        self.token_store, self.sender = token_store, Sender(base_url, **sending)
        self.issuer = issuer or self.sender.origin
        self._credentials = {}

    def authorize_url(self, scopes=None):
        """Returns the address for the merchant's browser, with PKCE, and what must be kept until they come back."""
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        digest = hashlib.sha256(verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "state": state,
            "code_challenge": urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **({"scope": " ".join(scopes)} if scopes else {}),
        }
        kept = {"state": state, "verifier": verifier, "redirect_uri": self.redirect_uri}
        return f"{self.sender.origin}/oauth/authorize?{urlencode(query)}", kept

    def exchange(self, callback_url, kept):
        """Exchanges the code that the merchant brings back, and stores the tokens. An older connection is ended."""
        form = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": self._read_callback(callback_url, kept),
            "redirect_uri": kept["redirect_uri"],
            "code_verifier": kept["verifier"],
        }
        asked = time.time()
        # The second use of a code ends the connection, so a lost answer means to start again.
        answer = self.sender.post_form("/oauth/token", lambda: form, False)
        tokens, store, scope = tokens_of(answer, asked), answer.get("merchant"), answer.get("scope")
        if not store or not isinstance(scope, str):
            raise no_tokens()
        older = self._change(store, lambda before: tokens)
        if older:
            # The new connection is stored; an older one that cannot be ended now does no harm.
            with suppress(ApiError):
                self._revoke(older)
        return {"store": store, "scopes": scope.split(), "tokens": tokens}

    def client(self, store, **options):
        """Returns the client of a connected store. Clients of one app share connections and refreshes."""
        credentials = self._credentials.setdefault(store, Credentials(self, store))
        return Client(store=store, app=(self.sender, credentials), **options)

    def is_connected(self, store):
        """Asks the service whether a connection lives. The tokens of one that has ended are deleted."""
        while tokens := self.token_store.get(store):
            try:
                self.client(store).request("POST", "/auth/me")
                return True
            except ApiError as error:
                if error.code not in ("invalid_grant", "not_connected"):
                    raise
            self.token_store.compare_and_set(store, tokens, None)
        return False

    def uninstall(self, store):
        """Ends the connection to a store, then deletes its tokens. May be repeated."""
        # First at the service: if the process dies between, the tokens still say what is to be ended.
        self._change(store, lambda tokens: tokens and self._revoke(tokens))

    def _read_callback(self, callback_url, kept):
        answer = {}
        for name, value in parse_qsl(urlsplit(callback_url).query, keep_blank_values=True):
            if name in answer and name in ("state", "iss", "error", "error_description", "code"):
                raise ApiError("invalid_callback", f"{name} is twice.")
            answer[name] = value
        state = kept and kept["state"]
        if not state or not secrets.compare_digest(answer.get("state", "").encode(), state.encode()):
            raise ApiError("state_mismatch", "The answer is not that of this browser's authorization. Start again.")
        if answer.get("iss", self.issuer) != self.issuer:
            raise ApiError("issuer_mismatch", "Another authorization server answered. Check issuer and base_url.")
        if "error" in answer:
            raise ApiError(answer["error"], answer.get("error_description", "The authorization server refused."))
        if not answer.get("code"):
            raise ApiError("invalid_callback", "The address has no code.")
        return answer["code"]

    def _change(self, store, next_of):
        """Replaces the stored tokens, and returns those before."""
        for _ in range(5):
            before = self.token_store.get(store)
            following = next_of(before)
            if before is following or self.token_store.compare_and_set(store, before, following):
                return before
        raise RuntimeError(f"compare_and_set refused five times for {store}. Check the token store.")

    def _revoke(self, tokens):
        form = {"client_id": self.client_id, "token": tokens["refresh_token"]}
        self.sender.post_form("/oauth/revoke", lambda: form, True)


class Credentials:
    """Tokens of one store. New ones are not used before they are stored; of concurrent calls one refreshes."""

    def __init__(self, app, store):
        self._app, self._store, self._lock = app, store, threading.Lock()
        # Tokens in use; those that are not stored yet; the refresh token that was refused, with its error.
        self._tokens = self._unsaved = self._ended = None

    def headers(self):
        with self._lock:
            if self._unsaved or not self._tokens or is_expiring(self._tokens):
                try:
                    self._renew()
                except ApiError:
                    # A service that cannot refresh now may still accept the token that has not expired.
                    if self._ended or not self._tokens or is_expiring(self._tokens, 0):
                        raise
            return {"Authorization": self._bearer(), "X-Partner-Client-ID": self._app.client_id}

    def renew(self, refused, error):
        with self._lock:
            # Another call may have refreshed since the refused request was sent.
            if self._tokens and refused["Authorization"] == self._bearer():
                self._renew()

    def _bearer(self):
        return f"Bearer {check('access_token', self._tokens['access_token'], 'Authorization')}"

    def _renew(self):
        """Takes what another process has stored, or else refreshes. The same refresh token gets the same successor."""
        if not self._unsaved:
            before, stored = self._tokens, self._read()
            self._tokens = stored
            is_news = not before or before["access_token"] != stored["access_token"]
            if is_news and not is_expiring(stored):
                return
            following = self._successor_of(stored["refresh_token"])
            if not following:
                self._tokens = self._read()
                return
            self._unsaved = stored, following
        expected, following = self._unsaved
        is_stored = self._app.token_store.compare_and_set(self._store, expected, following)
        self._unsaved = None
        self._tokens = following if is_stored else self._read()

    def _read(self):
        stored = self._app.token_store.get(self._store)
        if not stored:
            self._tokens = None
            raise ApiError("not_connected", f"There are no tokens of {self._store}. Ask the merchant to connect it.")
        return stored

    def _successor_of(self, refresh_token):
        """Returns new tokens, or None if another process has stored others meanwhile."""
        if self._ended and self._ended[0] == refresh_token:
            raise self._ended[1].with_traceback(None)
        self._ended, asked = None, []

        def fields():
            # A repetition may come late. Then a token whose successor is in use would end the connection.
            if asked and self._read()["refresh_token"] != refresh_token:
                raise ApiError("overtaken", "Other tokens were stored.")
            asked.append(time.time())
            return {"grant_type": "refresh_token", "client_id": self._app.client_id, "refresh_token": refresh_token}

        try:
            return tokens_of(self._app.sender.post_form("/oauth/token", fields, True), asked[0])
        except ApiError as error:
            is_refused = 400 <= error.status < 429
            if not is_refused and error.code != "overtaken":
                raise
            if self._read()["refresh_token"] != refresh_token:
                return None
            if is_refused:
                self._ended = refresh_token, error
            raise


def tokens_of(answer, asked):
    """Returns the tokens of an answer to a request of that time."""
    access, refresh, seconds = (answer.get(name) for name in ("access_token", "refresh_token", "expires_in"))
    if not access or not refresh or not isinstance(seconds, (int, float)):
        raise no_tokens()
    return {"access_token": access, "refresh_token": refresh, "expires_at": asked + seconds}


def no_tokens():
    return ApiError("unexpected_answer", "The answer has no tokens. Check base_url.")


def is_expiring(tokens, leeway=30):
    at = tokens.get("expires_at", math.inf)
    # The TypeScript client stores milliseconds.
    return time.time() > (at / 1000 if 1e11 < at < math.inf else at) - leeway
