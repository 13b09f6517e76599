"""What requests have in common: names, texts and limits, each with one bound for all; unknown fields are refused.

Whether a name or a limit makes sense is said later, by whoever uses it: these are bounds of what is read at all.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from harena.search.result import Limits
from harena.web.given import LONGEST_BOARD, LONGEST_TEXT

MOST_SEED = 2**53 - 1  # exact in JavaScript

GameName = Annotated[str, Field(max_length=40, examples=["isolation"])]
PlayerText = Annotated[str, Field(max_length=LONGEST_TEXT, examples=["random"])]
Position = Annotated[str, Field(max_length=LONGEST_BOARD)]
Size = Annotated[str, Field(max_length=12, examples=["7", "5x7"])]
Setup = Annotated[str, Field(max_length=40)]
Colour = Annotated[str, Field(max_length=8, description="tiles: which colour moves first")]
MoveText = Annotated[str, Field(max_length=60, examples=["c4"])]
Seed = Annotated[int, Field(ge=0, le=MOST_SEED)]


class Form(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid")


class LimitsGiven(Form):
    """What an agent may use for a move; nothing is its own limit, or a second."""

    seconds: Annotated[float, Field(gt=0, le=3600)] | None = None
    nodes: Annotated[int, Field(gt=0, le=10**9)] | None = None
    iterations: Annotated[int, Field(gt=0, le=10**9)] | None = None
    depth: Annotated[int, Field(gt=0, le=1000)] | None = None

    @property
    def allowed(self) -> Limits:
        """As a search wants them."""
        return Limits(seconds=self.seconds, nodes=self.nodes, iterations=self.iterations, depth=self.depth)
