"""`prepare`: finds or builds the interpreter that a Python project needs, once per site.

Python 3.6 and the standard library, since it runs on the login node of a cluster too.
"""
