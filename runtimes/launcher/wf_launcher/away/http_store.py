"""A store over http: GET, HEAD and PUT of objects/ab/HASH below its address, by a few connections at once.

A server knows no modes, so that programs are known by their manifests alone; and it does not check what it is given, so
that who collects the records does."""

import os
import shutil
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from io import BytesIO

from .remote_store import StoreError

_CONNECTIONS = 8
_BATCH = 64
_TIMEOUT_SECONDS = 60
_IN_MEMORY_BYTES = 1 << 20
_FINAL = (400, 401, 403, 405)


class HttpStore:
    def __init__(self, url, token, scratch):
        self._url = url.rstrip("/")
        self._headers = {} if token is None else {"Authorization": "Bearer " + token}
        self._scratch = scratch

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
        there = self._ask("HEAD", content_hash)
        if there is not None:
            there.close()
            if there.headers.get("Content-Length") == str(size):
                return
        with open(path, "rb") as file:
            self._ask("PUT", content_hash, file, {"Content-Length": str(size)}).close()

    def _ask(self, method, content_hash, body=None, more=None):
        address = "{}/objects/{}/{}".format(self._url, content_hash[:2], content_hash)
        request = urllib.request.Request(address, body, dict(self._headers, **(more or {})), method=method)
        try:
            return urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 404 and method != "PUT":
                    return None
                says = "{} {}: {} {}".format(method, address, error.code, error.reason)
                raise StoreError(says, error.code in _FINAL) from None
        except (HTTPException, OSError) as error:
            raise StoreError("{} {}: {}".format(method, address, getattr(error, "reason", error))) from None
