"""Starlette's client warns when it is imported, of a package that it would like better: that is no fault of a test."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import fastapi.testclient  # noqa: F401 (once imported, it is silent)
