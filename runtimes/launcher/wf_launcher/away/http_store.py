"""A store over http: GET, HEAD and PUT of objects/ab/HASH below its address, by a few connections at once.

A server knows no modes, so that programs are known by their manifests alone; and it does not check what it is given, so
that who collects the records does.

A token goes to the address that the site names and to no other: redirects are not followed, and without TLS it goes
nowhere but to this machine."""

import os
import shutil
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from io import BytesIO
from urllib.parse import urlsplit

from ..folders import object_name
from .remote_store import StoreError

_CONNECTIONS = 8
_BATCH = 64
_TIMEOUT_SECONDS = 60
_IN_MEMORY_BYTES = 1 << 20
_FINAL = (300, 301, 302, 303, 307, 308, 400, 401, 403, 405)
_IS_THERE = 409
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class _NotFollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class HttpStore:
    def __init__(self, url, read_token, write_token, scratch):
        self._url = url.rstrip("/")
        self._tokens = {"GET": read_token, "HEAD": read_token, "PUT": write_token}
        self._scratch = scratch
        parts = urlsplit(url)
        is_here = parts.hostname in _LOOPBACK
        self._is_private = parts.scheme == "https" or is_here
        # A proxy would see a token that was to stay on this machine.
        proxies = [urllib.request.ProxyHandler({})] if is_here else []
        self._opener = urllib.request.build_opener(_NotFollowed, *proxies)

    def fetch(self, content_hashes, arrivals):
        for content_hash, found in self._at_once(self._get, content_hashes):
            if isinstance(found, bytes):
                arrivals.take(BytesIO(found), content_hash, len(found), False)
            elif found is not None:
                arrivals.take_file(found, content_hash, False)

    def deliver(self, content_hashes, folder):
        for content_hash, _ in self._at_once(lambda made: self._put(made, folder.object(made)), content_hashes):
            yield content_hash

    def _at_once(self, act, content_hashes):
        with ThreadPoolExecutor(_CONNECTIONS) as threads:
            for start in range(0, len(content_hashes), _BATCH):
                batch = content_hashes[start : start + _BATCH]
                yield from zip(batch, threads.map(act, batch))

    def _get(self, content_hash):
        """Its bytes, the path of a file for what is large, or None where the store does not have it."""
        response = self._ask("GET", content_hash)
        if response is None:
            return None
        try:
            with response:
                size = response.headers.get("Content-Length", "")
                if size.isdigit() and int(size) <= _IN_MEMORY_BYTES:
                    return response.read()
                path = "{}/.fetched-{}".format(self._scratch, content_hash)
                with open(path, "wb") as file:
                    shutil.copyfileobj(response, file, 1 << 20)
                return path
        except (HTTPException, OSError) as error:
            raise StoreError("GET {}: {}".format(content_hash, error)) from error

    def _put(self, content_hash, path):
        size = os.stat(path).st_size
        if self._has(content_hash, size):
            return
        with open(path, "rb") as file:
            answer = self._ask("PUT", content_hash, file, {"Content-Length": str(size)})
        if answer is not None:
            answer.close()
        elif not self._has(content_hash, size):  # another task may have made it meanwhile
            raise StoreError("PUT {}: the store has another content under this name".format(content_hash), True)

    def _has(self, content_hash, size):
        there = self._ask("HEAD", content_hash)
        if there is None:
            return False
        there.close()
        return there.headers.get("Content-Length") == str(size)

    def _ask(self, method, content_hash, body=None, headers=None):
        """The answer; None for what is not there, and of PUT for what is there already."""
        address = "{}/objects/{}".format(self._url, object_name(content_hash))
        request = urllib.request.Request(address, body, headers or {}, method=method)
        token = self._tokens[method]
        if token is not None:
            if not self._is_private:
                raise StoreError("{}: a token goes over https alone".format(self._url), True)
            request.add_unredirected_header("Authorization", "Bearer " + token)
        try:
            return self._opener.open(request, timeout=_TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            with error:
                if error.code == (_IS_THERE if method == "PUT" else 404):
                    return None
                says = "{} {}: {} {}".format(method, address, error.code, error.reason)
                if 300 <= error.code < 400:
                    says += "; it is not followed elsewhere"
                raise StoreError(says, error.code in _FINAL) from None
        except (HTTPException, OSError) as error:
            raise StoreError("{} {}: {}".format(method, address, getattr(error, "reason", error))) from None
