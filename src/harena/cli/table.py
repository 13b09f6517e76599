"""A game at the terminal: whoever is to move is asked, a person at the keyboard or an agent."""

import time
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from harena.agents.analysis import own_scale, reason, worth
from harena.agents.contestant import Contestant, ProcessContestant, Said
from harena.agents.environments import usual_environment
from harena.agents.expected import score_of
from harena.agents.fault import AgentFault
from harena.agents.launch import check, is_ours
from harena.agents.names import PLAYERS
from harena.agents.player import Player, player
from harena.agents.serve import NO_FLAG, described
from harena.agents.text import own_files
from harena.api import Game, Move, State
from harena.arena.casual import HUMAN, SEEDS, draw, last_decision
from harena.arena.record import ILLEGAL, RESIGNED, RULES, UNREADABLE, Ply, Record
from harena.cli.compiling import announced
from harena.cli.records import heading, result
from harena.cli.start import legend, legend_line
from harena.cli.talk import (
    ALIASES,
    COMMANDS,
    LONGEST_INPUT,
    ROWS_BESIDE,
    SCORES,
    Quit,
    broken,
    chance_of_hit,
    falls,
    heard,
    helped,
    landed,
    listed,
    percent,
    removed,
    rules_text,
    say,
    shown,
    thinking,
)
from harena.contract import CHANCE
from harena.errors import IllegalMove, UnreadableMove, clean
from harena.kernel import patience
from harena.kernel.rng import generator
from harena.search.result import Limits, Result

ALIKE = 0.7  # a word that is meant for a command is at least so near to it, from 0 to 1
CHAMPION = "champion"
MARGIN = 1.0  # seconds beyond its limit before an agent of a file loses


class GivenUp(Exception):
    """The game ends before the rules end it: who lost, why, and what there is to say about it."""

    def __init__(self, loser: int, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.loser, self.reason, self.detail = loser, reason, detail


class Table:
    """A game in progress: `state` and `plies` are where it stands, and both always agree."""

    def __init__(
        self, record: Record, state: State, limits: Limits, *, twice: bool = False, delay: float = 0.0
    ) -> None:
        self.begun, self.state, self.limits = record, state, limits
        self.twice = twice  # tiles: the board after each removal, also where nothing falls
        self.delay = delay  # seconds after each move, for who watches two agents
        self.plies = list(record.plies)
        given = {key: value for key, value in vars(limits).items() if value is not None}
        self.conditions = {**record.conditions, "limits": given}
        self.game = state.game
        self.is_watched = HUMAN in record.seats
        self.advisor: Player | None = None
        self.explained = set[str]()  # symbols of the board
        self.agents: list[Contestant | None] = [self._agent(text) for text in record.seats]

    @property
    def record(self) -> Record:
        """The game as far as it is played."""
        return replace(self.begun, plies=tuple(self.plies), conditions=self.conditions)

    def _agent(self, text: str) -> Contestant | None:
        """Whoever thinks in a seat; nobody where a human sits."""
        if text == HUMAN:
            return None
        if not is_ours(text):
            check(text, self.game.name)
            options, environment = [dict(self.begun.options)], usual_environment(text)
            return ProcessContestant(text, self.game.found_as, options, margin=MARGIN, environment=environment)
        return Thinker(text, self.game, can_be_hurried=self.is_watched)

    def play(self) -> Record | None:
        """The finished game, or None if somebody left."""
        try:
            with announced(is_shown=True):
                self._open()
            while not self.state.is_over:
                self._ply()
                time.sleep(self.delay)
        except Quit:
            return None
        except (KeyboardInterrupt, EOFError):
            print()  # the prompt's line is still open
            return None
        except GivenUp as end:
            ended = replace(self.record, winner=1 - end.loser, reason=end.reason, detail=end.detail)
            say(result(ended.winner, ended.reason) + (f" ({clean(end.detail)})" if end.detail else ""))
            return ended
        if why := self.game.face.end_text(self.state.value):
            say(why)
        outcome = self.state.outcome
        assert outcome is not None
        return replace(self.record, winner=outcome.winner, score=outcome.score, reason=RULES)

    def close(self) -> None:
        """The agents may go."""
        for agent in self.agents:
            if agent is not None:
                agent.close()

    def _open(self) -> None:
        """Who plays what; then the board."""
        seats = self.begun.seats
        say(f"{heading(self.begun)}, seed {self.begun.seed}")
        for seat, text in enumerate(seats):
            say(f"player {seat + 1}: {clean(text)}")
        for path in dict.fromkeys(path for text in seats if is_ours(text) for path in own_files(text)):
            say(f"{clean(path)} runs without a sandbox")
        if self.is_watched:
            say("type a move; rules says how the game is played, help lists what else there is")
            if reach := self.game.face.reach_text(self.state.value):
                say(reach)
            if CHAMPION in seats:
                option = ("--first", "--second")[seats.index(CHAMPION)]
                say(f'the champion has levels from 1 to 10: {option} "champion(level=3)" is weaker')
        if any(isinstance(one, Thinker) and score_of(one.player, self.state, 0.0) is not None for one in self.agents):
            say(SCORES)
        for seat, agent in enumerate(self.agents):
            if agent is not None:
                self._begin(seat, agent)
        say(f"\n{self._board()}")

    def _begin(self, seat: int, agent: Contestant) -> None:
        """Make an agent ready for this game, as it begins or after something was taken back."""
        record = self.begun
        try:
            with thinking(f"{record.seats[seat]} gets ready (the first time it is compiled)"):
                patience.run(agent.begin, dict(record.options), record.start, seat, record.seed)
        except AgentFault as fault:
            raise GivenUp(seat, fault.reason, fault.detail) from None

    def _ply(self) -> None:
        seat = self.state.mover
        if seat == CHANCE:
            self._land()
        elif (agent := self.agents[seat]) is None:
            self._ask(seat)
        else:
            self._let_think(seat, agent)

    def _drawn(self, what: str) -> int:
        return draw(self.begun.seed, what, len(self.plies))

    # Moves

    def _go(self, move: Move, ply: Ply, said: str = "") -> None:
        """Make a legal move and show what it did."""
        before = self.state
        self.state = before.play(move)
        self.plies.append(ply)
        say(f"\nplayer {ply.by + 1} plays {move}{said}")
        if (chance := chance_of_hit(before, move)) is not None:
            say(f"{move} hits with {percent(chance)}")
        if self.state.mover == CHANCE and not self.state.is_over:
            return  # the board is drawn when it has landed
        if self.game.name == "tiles" and (self.twice or falls(before, move)):
            say(removed(before, move))
        say(self._board())

    def _board(self) -> str:
        """The board, and below it what those of its marks mean that appear for the first time."""
        picture = self.state.picture
        if picture is None or picture.heat:
            return shown(self.state)
        line = legend_line(picture, ROWS_BESIDE + 1, self.explained)
        self.explained |= legend(picture, ROWS_BESIDE + 1).keys()
        return f"{shown(self.state)}\n{line}" if line else shown(self.state)

    def _land(self) -> None:
        landing = self.state.random_move(generator(self._drawn("dice")))
        words = landed(self.state, landing)
        self.state = self.state.play(landing)
        self.plies.append(Ply(by=CHANCE, move=str(landing)))
        say(f"{words}\n{self._board()}")

    def _let_think(self, seat: int, agent: Contestant) -> None:
        text = self.begun.seats[seat]
        hurry = " (Ctrl-C: move at once)" if isinstance(agent, Thinker) and agent.can_be_hurried else ""
        moves = [ply.move for ply in self.plies]
        try:
            with thinking(f"{text} is thinking{hurry}"):
                said = _asked(agent, self.state, moves, self.limits, self._drawn("ply") % SEEDS)
            move = self.state.play(said.move).last_move
        except AgentFault as fault:
            raise GivenUp(seat, fault.reason, fault.detail) from None
        except UnreadableMove:
            raise GivenUp(seat, UNREADABLE, f"{said.move[:80]!r} is no move") from None
        except IllegalMove as error:
            raise GivenUp(seat, ILLEGAL, str(error)[:200]) from None
        assert move is not None
        ply = Ply(
            by=seat,
            move=str(move),
            seconds=round(said.seconds, 6),
            value=said.value,
            depth=said.depth,
            nodes=said.nodes,
        )
        self._go(move, ply, f", {words}" if (words := _words(agent, self.state, said)) else "")

    # The human

    def _ask(self, seat: int) -> None:
        """One line of the human: a move or a command; anything else is answered in a line."""
        begin = time.perf_counter()
        text = heard(f"player {seat + 1}> ")
        words = text.lower()
        command = ALIASES.get(words, words)
        if command in COMMANDS:
            self._obey(command, seat)
        elif text:
            try:
                move = self._read(text)
            except IllegalMove as error:
                near = get_close_matches(words, COMMANDS, 1, ALIKE) if isinstance(error, UnreadableMove) else []
                say(f"no move, and no command: did you mean {near[0]}?" if near else clean(error))
                return
            self._go(move, Ply(by=seat, move=str(move), seconds=round(time.perf_counter() - begin, 3)))

    def _read(self, text: str) -> Move:
        if len(text) > LONGEST_INPUT:
            raise UnreadableMove("that is no move: help lists what can be typed, moves what can be played")
        move = self.state.play(clean(text)).last_move
        assert move is not None
        return move

    def _obey(self, command: str, seat: int) -> None:
        if command == "quit":
            raise Quit
        if command == "resign":
            raise GivenUp(seat, RESIGNED)
        if command == "undo":
            self._take_back()
        elif command == "hint":
            self._advise()
        else:
            say({"moves": listed, "help": helped, "board": shown, "rules": rules_text}[command](self.state))

    def _take_back(self) -> None:
        """Back to the last position before this one in which a human decided."""
        number, state = last_decision(self.state, self.begun.seats)
        if not number:
            say("there is nothing to take back")
            return
        self.state = state
        del self.plies[-number:]
        self.conditions["undone"] += 1
        for seat, agent in enumerate(self.agents):
            if isinstance(agent, ProcessContestant):  # it may have kept the moves
                self._begin(seat, agent)
        say(f"took back {number} {'ply' if number == 1 else 'plies'}\n{shown(state)}")

    def _advise(self) -> None:
        """The champion's move and its reason."""
        name = "champion" if self.game.name in PLAYERS else "mcts"
        with thinking(f"{name} is thinking (Ctrl-C: answer at once)"):
            if self.advisor is None:
                self.advisor = player(name, self.game)
                patience.run(self.advisor.ready)
            found = self.advisor.think(self.state, self.limits, seed=self._drawn("ply") % SEEDS)
        self.conditions["hints"] += 1
        why = reason(self.state, found, score_of(self.advisor, self.state, found.value))
        say(broken(f"hint: {self.state.named(found.move)} ({why})"))


class Thinker:
    """A player of ours in this process; one that can be hurried answers Ctrl-C with its best move so far."""

    def __init__(self, text: str, found: Game, *, can_be_hurried: bool) -> None:
        self.player = player(text, found)
        self.can_be_hurried = can_be_hurried
        self.found: Result | None = None  # by the last search

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game."""
        self.player.ready()

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """A move, with what was found about it."""
        begin = time.perf_counter()
        flag = None if self.can_be_hurried else NO_FLAG
        self.found = found = self.player.think(state, limits, seed=seed, flag=flag)
        return Said(seconds=time.perf_counter() - begin, **described(state, found))

    def end(self) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to end."""


def _asked(agent: Contestant, state: State, moves: list[str], limits: Limits, seed: int) -> Said:
    """An agent's answer; Ctrl-C hurries it if it listens, and else leaves the table."""
    if isinstance(agent, Thinker) and agent.can_be_hurried:
        return agent.choose(state, moves, limits, seed)
    if isinstance(agent, ProcessContestant):
        limits = limits if limits else Limits(seconds=1.0)
    return patience.run(agent.choose, state, moves, limits, seed)


def _words(agent: Contestant, state: State, said: Said) -> str:
    """What an agent thinks of the move that it chose in this state; of a stranger's value only he knows the meaning."""
    if isinstance(agent, Thinker) and agent.found is not None:
        return worth(agent.found, score_of(agent.player, state, agent.found.value))
    return "" if said.value is None else own_scale(said.value)
