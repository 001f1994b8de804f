"""Training that can be stopped anywhere and gone on with, to the same numbers."""
