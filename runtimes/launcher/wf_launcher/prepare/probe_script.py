"""Runs inside an interpreter that is looked at, and says what it has. It imports nothing of ours.

Its argument is JSON: `packages` by name, each with the module to try or null, and whether to `load` them. Loading takes
seconds where looking takes milliseconds, so whoever asks looks first.
"""

import json
import os
import sys

MARK = "wf-probe:"


def main():
    asked = json.loads(sys.argv[1])
    answer = interpreter()
    look = loaded if asked["load"] else seen
    answer["packages"] = {name: look(name, module) for name, module in asked["packages"].items()}
    print("\n" + MARK + json.dumps(answer))


def interpreter():
    full = "%d.%d.%d" % sys.version_info[:3]
    machine = os.uname()
    implementation = sys.implementation
    return {
        "executable": sys.executable,
        "prefix": sys.prefix,
        "version": full,
        "markers": {
            "python_version": "%d.%d" % sys.version_info[:2],
            "python_full_version": full,
            "os_name": os.name,
            "sys_platform": sys.platform,
            "platform_system": machine[0],
            "platform_release": machine[2],
            "platform_version": machine[3],
            "platform_machine": machine[4],
            "implementation_name": implementation.name,
            "implementation_version": "%d.%d.%d" % implementation.version[:3],
            "platform_python_implementation": {"cpython": "CPython", "pypy": "PyPy"}.get(
                implementation.name, implementation.name
            ),
        },
    }


def seen(name, module):
    distribution = distribution_of(name)
    if distribution is not None:
        return {"version": distribution.version, "isThere": True}
    return {"version": None, "isThere": has_module(module or name.replace("-", "_"))}


def has_module(name):
    from importlib.util import find_spec

    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def loaded(name, module):
    distribution = distribution_of(name)
    version = None if distribution is None else distribution.version
    module = module or module_of(name, distribution)
    if module is None:
        return {"version": version, "file": None, "problem": None}
    try:
        imported = __import__(module, fromlist=["__version__"])
        problem = works(name, imported)
    except BaseException as error:  # a package may raise anything, or end the process
        return {"version": version, "file": None, "problem": "{}: {}".format(type(error).__name__, error)[:500]}
    version = version or getattr(imported, "__version__", None)
    return {"version": version and str(version), "file": getattr(imported, "__file__", None), "problem": problem}


def works(name, module):
    """The little that shows that native code does its work; None if it does."""
    if name in ("numpy", "torch"):
        ones = module.ones((2, 2))
        product = float(ones.dot(ones)[0][0] if name == "numpy" else ones.matmul(ones)[0][0])
        if product != 2.0:
            return "it multiplies wrongly: {}".format(product)
    return None


def distribution_of(name):
    try:
        from importlib import metadata
    except ImportError:  # Python before 3.8
        return next(listed_distributions(name), None)
    try:
        distribution = metadata.distribution(name)
        return distribution if distribution.version else None
    except metadata.PackageNotFoundError:
        return None


class ListedDistribution:
    """What importlib.metadata would tell, as far as the name of a folder and one file in it do."""

    files = None

    def __init__(self, path, version):
        self._path = path
        self.version = version

    def read_text(self, name):
        try:
            with open(os.path.join(self._path, name)) as file:
                return file.read()
        except OSError:
            return None


def listed_distributions(name):
    for folder in filter(os.path.isdir, sys.path):
        for entry in sorted(os.listdir(folder)):
            stem, ending = os.path.splitext(entry)
            words = stem.split("-")
            if ending in (".dist-info", ".egg-info") and len(words) > 1 and words[0].lower().replace("_", "-") == name:
                yield ListedDistribution(os.path.join(folder, entry), words[1])


def module_of(name, distribution):
    """What the package calls its module; None where it has none that can be named."""
    guess = name.replace("-", "_")
    if distribution is None:
        return guess
    names = (distribution.read_text("top_level.txt") or "").split()
    if not names:
        files = [str(file).split("/") for file in distribution.files or ()]
        names = sorted(
            {parts[0] for parts in files if len(parts) == 2 and parts[1] == "__init__.py"}
            | {parts[0][:-3] for parts in files if len(parts) == 1 and parts[0].endswith(".py")}
        )
    public = [word for word in names if word.isidentifier() and not word.startswith("_")]
    return guess if guess in public or has_module(guess) else next(iter(public), None)


if __name__ == "__main__":
    main()
