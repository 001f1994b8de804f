"""Why no way led to a runtime."""


class Miss(Exception):
    """One way does not lead there. `package` is the one to blame, where that is known; `debian_package` is one of
    Debian's that would open the way."""

    def __init__(self, way, says, package=None, lines=(), debian_package=None):
        super().__init__(says)
        self.way = way
        self.says = says
        self.package = package
        self.lines = list(lines)
        self.debian_package = debian_package


class Unavailable(Exception):
    """No way does: what is missing, what was tried, and what to type."""

    def __init__(self, message, package, tried, advice, is_declared):
        super().__init__(message)
        self.message = message
        self.package = package
        self.tried = tried
        self.advice = advice
        self.is_declared = is_declared  # wrongly: the project itself must change

    def document(self):
        return {
            "event": "unavailable",
            "message": self.message,
            "package": self.package,
            "tried": self.tried,
            "advice": self.advice,
            "isDeclared": self.is_declared,
        }
