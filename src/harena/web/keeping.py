"""Answers that are kept for the next who asks: so many, the ones asked for last."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Kept(Generic[Answer]):
    """Answers by their questions; any thread may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, question: Hashable) -> Answer | None:
        """The answer, if it is still there."""
        with self._lock:
            if question in self._answers:
                self._answers.move_to_end(question)
            return self._answers.get(question)

    def put(self, question: Hashable, answer: Answer) -> Answer:
        """Keep an answer, and give it back."""
        with self._lock:
            self._answers[question] = answer
            self._answers.move_to_end(question)
            while len(self._answers) > self.most:
                self._answers.popitem(last=False)
        return answer
