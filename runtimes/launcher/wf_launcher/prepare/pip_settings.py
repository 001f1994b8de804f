"""What people have told pip, for those who do not hear of it: uv, and who looks whether an index can be reached."""

import configparser
import os

# Of the sections of pip's files, those that `pip install` reads; the later one wins.
_SECTIONS = ("global", "install")
_OF_ALL = "/etc"


class PipSettings:
    """The last word on each option is that of the environment, then that of one's own files."""

    def __init__(self, environment=os.environ):
        self._environment = environment
        self._told = _of_files(environment)
        for name, value in environment.items():
            if name.startswith("PIP_") and value:
                self._told[name[len("PIP_") :].lower().replace("_", "-")] = value

    @property
    def names_an_index(self):
        return "index-url" in self._told or self._is_on("no-index")

    @property
    def proxy(self):
        return self._told.get("proxy")

    @property
    def certificates(self):
        return self._told.get("cert")

    def options_for_uv(self):
        """Nothing where uv has been told where to look itself."""
        if self.uv_has_its_own:
            return []
        options = ["--no-index"] if self._is_on("no-index") else []
        for name in ("index-url", "extra-index-url", "find-links"):
            for value in self._told.get(name, "").split():
                options += ["--" + name, value]
        return options

    def variables_for_uv(self):
        proxy, certificates = self.proxy, self.certificates
        wanted = {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "SSL_CERT_FILE": certificates}
        return {name: value for name, value in wanted.items() if value and not self._has_variable(name)}

    @property
    def uv_has_its_own(self):
        """Whether uv has been told where to look: it does not read what pip was told."""
        is_named = any(name.startswith("UV_") and "INDEX" in name for name in self._environment)
        folders = [_OF_ALL, _own_folder(self._environment)]
        return is_named or any(os.path.exists(os.path.join(folder, "uv", "uv.toml")) for folder in folders)

    def _has_variable(self, name):
        return any(variable in self._environment for variable in (name, name.lower()))

    def _is_on(self, name):
        return self._told.get(name, "").lower() in ("1", "true", "yes", "on")


def _of_files(environment):
    named = environment.get("PIP_CONFIG_FILE")
    told = {}
    if named == os.devnull:
        return told
    shared = environment.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":")
    files = [os.path.join(folder, "pip", "pip.conf") for folder in reversed(shared)]
    files += [os.path.join(_OF_ALL, "pip.conf"), os.path.join(_home(environment), ".pip", "pip.conf")]
    files += [os.path.join(_own_folder(environment), "pip", "pip.conf")]
    for path in files + ([named] if named else []):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (OSError, UnicodeDecodeError, configparser.Error):
            continue  # pip says what is wrong with it
        for section in _SECTIONS:
            if parser.has_section(section):
                told.update((name.replace("_", "-"), value) for name, value in parser.items(section) if value)
    return told


def _own_folder(environment):
    return environment.get("XDG_CONFIG_HOME") or os.path.join(_home(environment), ".config")


def _home(environment):
    return environment.get("HOME") or os.path.expanduser("~")
