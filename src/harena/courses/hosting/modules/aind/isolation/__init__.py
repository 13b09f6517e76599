"""The Isolation course's package: `from isolation import Board`."""

from .isolation import *  # noqa: F403 (a submission's own copy may have more names than ours)
