"""The pictures that a task names in its reports: files of its sandbox, kept in the store, and linked beside its log
under names that programs for pictures understand."""

import os
import stat

from . import canonical
from .collect import Piece
from .names import native, printable
from .objects import Publisher, hash_file

COUNT_LIMIT = 200
SIZE_LIMIT_BYTES = 50 * 10**6


class Picture:
    __slots__ = ("document", "piece")

    def __init__(self, document, piece):
        self.document = document
        self.piece = piece


def find(named, attempt, folder, warnings):
    """Hashes them. To be called before outputs are moved out of the sandbox. `named`: as the task did, in order."""
    found = []
    names = set()
    sandbox = attempt.sandbox.path
    staged = attempt.staged.watched if attempt.staged is not None else []
    places = (folder.real(sandbox) + "/", {folder.real(item.object) for item in staged})
    for picture in _last_of_each_path(named, warnings):
        where = "{}: picture {} ({})".format(picture.where, picture.name, picture.path)
        if len(found) == COUNT_LIMIT:
            warnings.append("{} was left out: an attempt has {} at most".format(where, COUNT_LIMIT))
            break
        try:
            source = _source(picture.path, sandbox, places)
            content_hash, size = hash_file(source)
        except (OSError, ValueError) as error:
            warnings.append("{}: {}".format(where, getattr(error, "strerror", None) or error))
            continue
        name = _file_name(picture, names)
        file = {"kind": "file", "hash": content_hash, "size": size, "name": name}
        document = {"name": picture.name, "step": picture.step, "path": picture.path, "file": file}
        found.append(Picture(document, Piece(source, None, content_hash, size)))
    return found


def paths(found, real_sandbox):
    """Where they lie, seen from the sandbox."""
    start = len(real_sandbox) + 1
    return {picture.piece.source[start:] for picture in found if picture.piece.source.startswith(real_sandbox + "/")}


def publish(found, attempt, site, warnings):
    """The documents of those that are in the store now. Moves them out of the sandbox."""
    kept = []
    folder = attempt.sandbox.folder + "/pictures"
    publisher = Publisher(site.folder, attempt.sandbox.folder, site.durable)
    for picture in found:
        piece = picture.piece
        try:
            publisher.put_file(piece.source, piece.hash, piece.size, False)
            os.makedirs(folder, exist_ok=True)
            target = os.path.relpath(site.folder.object(piece.hash), folder)
            os.symlink(target, folder + "/" + picture.document["file"]["name"])
        except OSError as error:
            warnings.append("picture {} was not kept: {}".format(picture.document["name"], error.strerror or error))
            continue
        kept.append(picture.document)
    return kept


def _last_of_each_path(named, warnings):
    last = {}
    again = set()
    for picture in named:
        if last.pop(picture.path, None) is not None and picture.path not in again:
            again.add(picture.path)
            warnings.append("{}: {} is named again; what it holds at the end is kept".format(picture.where, picture.path))
        last[picture.path] = picture
    return last.values()


def _source(path, sandbox, places):
    """The regular file that is meant. Law: it lies in the sandbox, or is a declared input."""
    inside, inputs = places
    if "\0" in path:
        raise ValueError("not a path")
    real = os.path.realpath(os.path.join(sandbox, native(path)))
    if not real.startswith(inside) and real not in inputs:
        raise ValueError("it lies outside of the task's folder")
    found = os.stat(real)
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("not a regular file")
    if found.st_size > SIZE_LIMIT_BYTES:
        raise ValueError("larger than {} bytes".format(SIZE_LIMIT_BYTES))
    return real


def _file_name(picture, names):
    """`prediction-3.png`; a name that is taken gets a number."""
    import re

    unsafe = re.compile("[^A-Za-z0-9._-]+")
    ending = os.path.splitext(printable(native(picture.path)))[1]
    ending = ending if not unsafe.search(ending) and len(ending) <= 10 else ""
    stem = unsafe.sub("_", picture.name).lstrip(".")[:80] or "picture"
    stem += "" if picture.step is None else "-" + canonical.number(picture.step)
    name = stem + ending
    number = 2
    while name in names:
        name = "{}.{}{}".format(stem, number, ending)
        number += 1
    names.add(name)
    return name
