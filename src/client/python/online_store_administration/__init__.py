"""Client of the Online Store Administration API."""

from . import webhooks
from ._client import Client
from ._http import ApiError
from ._oauth import OAuthApp
from ._operations import VERSION as __version__

__all__ = ["ApiError", "Client", "OAuthApp", "webhooks"]
