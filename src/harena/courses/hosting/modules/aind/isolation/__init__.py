"""The Isolation course's package: `from isolation import Board`."""

import io

from .isolation import *
