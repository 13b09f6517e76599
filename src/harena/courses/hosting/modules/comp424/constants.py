"""The constants of the course."""

from base_constants import *
