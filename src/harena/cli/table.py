"""A game at the terminal: whoever is to move is asked, a person at the keyboard or an agent."""

import time
from difflib import get_close_matches
from typing import Any

from harena.agents.analysis import own_scale, reason, worth
from harena.agents.contestant import Contestant, ProcessContestant, Said
from harena.agents.environments import usual_environment
from harena.agents.expected import score_of
from harena.agents.fault import AgentFault
from harena.agents.names import PLAYERS
from harena.agents.player import Player
from harena.agents.serve import NO_FLAG, described
from harena.agents.spec import parse_agent, player
from harena.api import Game, State
from harena.arena.play.session import GameSession
from harena.arena.record import HUMAN, Record
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
from harena.search.result import Limits, Result
from harena.termination import Termination

ALIKE = 0.7  # a word that is meant for a command is at least so near to it, from 0 to 1
CHAMPION = "champion"
MARGIN = 1.0  # seconds beyond its limit before an agent of a file loses


class Table:
    """A game at the terminal: `session` is where it stands."""

    def __init__(self, session: GameSession, *, twice: bool = False, delay: float = 0.0) -> None:
        self.session = session
        self.twice = twice  # tiles: the board after each removal, also where nothing falls
        self.delay = delay  # seconds after each move, for who watches two agents
        self.game = session.state.game
        self.is_watched = HUMAN in session.seats
        self.advisor: Player | None = None
        self.explained = set[str]()  # symbols of the board
        self.agents: list[Contestant | None] = [self._agent(text) for text in session.seats]

    def _agent(self, text: str) -> Contestant | None:
        """Whoever thinks in a seat; nobody where a human sits."""
        if text == HUMAN:
            return None
        agent = parse_agent(text)
        if not agent.is_trusted:
            agent.check(self.game.name)
            options, environment = [dict(self.session.header.options)], usual_environment(agent.course)
            return ProcessContestant(agent, self.game.found_as, options, margin=MARGIN, environment=environment)
        return Thinker(text, self.game, can_be_hurried=self.is_watched)

    def play(self) -> Record | None:
        """The finished game, or None if somebody left."""
        try:
            with announced(is_shown=True):
                self._open()
            while not self.session.is_over:
                self._ply()
                time.sleep(self.delay)
        except Quit:
            return None
        except (KeyboardInterrupt, EOFError):
            print()  # the prompt's line is still open
            return None
        record = self.session.record
        if self.session.termination != Termination.RULES:
            say(result(record.winner, record.reason) + (f" ({clean(record.detail)})" if record.detail else ""))
        elif why := self.game.face.end_text(self.session.state.value):
            say(why)
        return record

    def close(self) -> None:
        """The agents may go."""
        for agent in self.agents:
            if agent is not None:
                agent.close()

    def _open(self) -> None:
        """Who plays what; then the board."""
        state, seats = self.session.state, self.session.seats
        say(f"{heading(self.session.header)}, seed {self.session.header.seed}")
        for seat, text in enumerate(seats):
            say(f"player {seat + 1}: {clean(text)}")
        for path in dict.fromkeys(path for text in seats for path in parse_agent(text).unwalled_files()):
            say(f"{clean(path)} runs without a sandbox")
        if self.is_watched:
            say("type a move; rules says how the game is played, help lists what else there is")
            if reach := self.game.face.reach_text(state.value):
                say(reach)
            if CHAMPION in seats:
                option = ("--first", "--second")[seats.index(CHAMPION)]
                say(f'the champion has levels from 1 to 10: {option} "champion(level=3)" is weaker')
        if any(isinstance(one, Thinker) and score_of(one.player, state, 0.0) is not None for one in self.agents):
            say(SCORES)
        if all(self._begin(seat, agent) for seat, agent in enumerate(self.agents) if agent is not None):
            say(f"\n{self._board()}")

    def _begin(self, seat: int, agent: Contestant) -> bool:
        """Make an agent ready for this game, as it begins or after something was taken back; False if it fails."""
        record = self.session.header
        try:
            with thinking(f"{record.seats[seat]} gets ready (the first time it is compiled)"):
                patience.run(agent.begin, dict(record.options), record.start, seat, record.seed)
        except AgentFault as fault:
            self.session = self.session.fail(seat, fault)
            return False
        return True

    def _ply(self) -> None:
        seat = self.session.mover
        if seat == CHANCE:
            self._land()
        elif (agent := self.agents[seat]) is None:
            self._ask(seat)
        else:
            self._let_think(seat, agent)

    # Moves

    def _go(self, after: GameSession, words: str = "") -> None:
        """Go on with the session after a move, and show what the move did."""
        before, self.session = self.session.state, after
        move = after.state.last_move
        assert move is not None
        say(f"\nplayer {before.mover + 1} plays {move}{words}")
        if (chance := chance_of_hit(before, move)) is not None:
            say(f"{move} hits with {percent(chance)}")
        if after.mover == CHANCE and not after.is_over:
            return  # the board is drawn when it has landed
        if self.game.name == "tiles" and (self.twice or falls(before, move)):
            say(removed(before, move))
        say(self._board())

    def _board(self) -> str:
        """The board, and below it what those of its marks mean that appear for the first time."""
        state = self.session.state
        picture = state.picture
        if picture is None or picture.heat:
            return shown(state)
        line = legend_line(picture, ROWS_BESIDE + 1, self.explained)
        self.explained |= legend(picture, ROWS_BESIDE + 1).keys()
        return f"{shown(state)}\n{line}" if line else shown(state)

    def _land(self) -> None:
        before, self.session = self.session.state, self.session.roll()
        landing = self.session.state.last_move
        assert landing is not None
        say(f"{landed(before, landing)}\n{self._board()}")

    def _let_think(self, seat: int, agent: Contestant) -> None:
        session = self.session
        hurry = " (Ctrl-C: move at once)" if isinstance(agent, Thinker) and agent.can_be_hurried else ""
        try:
            with thinking(f"{session.seats[seat]} is thinking{hurry}"):
                answer = _ask_agent(agent, session)
            after = session.answer(answer)
        except AgentFault as fault:
            self.session = session.fail(seat, fault)
        else:
            self._go(after, f", {words}" if (words := _words(agent, session.state, answer)) else "")

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
                after = self._play_typed(text, begin)
            except IllegalMove as error:
                near = get_close_matches(words, COMMANDS, 1, ALIKE) if isinstance(error, UnreadableMove) else []
                say(f"no move, and no command: did you mean {near[0]}?" if near else clean(error))
                return
            self._go(after)

    def _play_typed(self, text: str, begin: float) -> GameSession:
        """The session after a typed move, of which the human has thought since `begin`."""
        if len(text) > LONGEST_INPUT:
            raise UnreadableMove("that is no move: help lists what can be typed, moves what can be played")
        return self.session.play(clean(text), seconds=round(time.perf_counter() - begin, 3))

    def _obey(self, command: str, seat: int) -> None:
        if command == "quit":
            raise Quit
        if command == "resign":
            self.session = self.session.resign(seat)
        elif command == "undo":
            self._take_back()
        elif command == "hint":
            self._advise()
        else:
            say({"moves": listed, "help": helped, "board": shown, "rules": rules_text}[command](self.session.state))

    def _take_back(self) -> None:
        """Back to the last position before this one in which a human decided."""
        try:
            after = self.session.undo()
        except IllegalMove as error:
            say(str(error))
            return
        number = len(self.session.plies) - len(after.plies)
        self.session = after
        started = [(seat, agent) for seat, agent in enumerate(self.agents) if isinstance(agent, ProcessContestant)]
        if all(self._begin(seat, agent) for seat, agent in started):  # they may have kept the moves
            say(f"took back {number} {'ply' if number == 1 else 'plies'}\n{shown(after.state)}")

    def _advise(self) -> None:
        """The champion's move and its reason."""
        name = "champion" if self.game.name in PLAYERS else "mcts"
        session, state = self.session, self.session.state
        limits, _ = session.limits_for(session.mover)
        with thinking(f"{name} is thinking (Ctrl-C: answer at once)"):
            if self.advisor is None:
                self.advisor = player(name, self.game)
                patience.run(self.advisor.ready)
            found = self.advisor.think(state, limits, seed=session.ply_seed(session.mover))
        self.session = session.count("hints")
        why = reason(state, found, score_of(self.advisor, state, found.value))
        say(broken(f"hint: {state.named(found.move)} ({why})"))


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


def _ask_agent(agent: Contestant, session: GameSession) -> Said:
    """An agent's answer; Ctrl-C hurries it if it listens, and else leaves the table."""
    limits, _ = session.limits_for(session.mover)
    if isinstance(agent, ProcessContestant) and not limits:
        limits = Limits(seconds=1.0)
    question = (session.state, session.moves, limits, session.ply_seed(session.mover))
    if isinstance(agent, Thinker) and agent.can_be_hurried:
        return agent.choose(*question)
    return patience.run(agent.choose, *question)


def _words(agent: Contestant, state: State, said: Said) -> str:
    """What an agent thinks of the move that it chose in this state; of a stranger's value only he knows the meaning."""
    if isinstance(agent, Thinker) and agent.found is not None:
        return worth(agent.found, score_of(agent.player, state, agent.found.value))
    return "" if said.value is None else own_scale(said.value)
