"""Helpers of the course's programs."""

import logging
from contextlib import contextmanager


@contextmanager
def all_logging_disabled(highest_level=logging.CRITICAL):
    """Nothing up to this level is logged inside."""
    before = logging.root.manager.disable
    logging.disable(highest_level)
    try:
        yield
    finally:
        logging.disable(before)
