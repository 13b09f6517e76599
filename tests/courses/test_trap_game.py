"""`harena trap-game`: what it prints, and that it is a game of Trap!."""

import importlib
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import harena
from cli.support import Answer, run
from cli.terminal import Terminal
from harena.agents.contestant import ProcessContestant, Said
from harena.agents.fault import AgentFault
from harena.arena import pacing, words
from harena.arena.joint import joint
from harena.arena.record import Record
from harena.arena.scores import Tally
from harena.arena.sources import sources
from harena.arena.store import FINISHED, STOPPED, Store
from harena.courses import trap_game
from harena.courses.hosting.importing import MODULES

pytestmark = pytest.mark.process

Harena = Callable[..., Answer]
AGENTS = Path(__file__).parent / "agents" / "w4701"
GREEDY, WALKER, WRONG, SLOW = (
    str(AGENTS / name) for name in ("greedy", "random_walker", "illegal_aim/PlayerAI.py", "slow_walk")
)
SHOWN = """\
Player 1: w4701:GREEDY
Player 2: w4701:WRONG
5 s for walk and aim together, seed 4, sandbox off
BOARD...1.../......./......./......./......./......./...2...

Player 1's turn:
Moving to (1, 2)
BOARD......./..1..../......./......./......./......./...2...
Throwing a trap to (5, 2)
The trap lands on (5, 2)
BOARD......./..1..../......./......./......./..x..../...2...

Player 2's turn:
Moving to (6, 2)
BOARD......./..1..../......./......./......./..x..../..2....
Tried to put trap in (1, 2)
Invalid trap!
Player 1 wins by a fault of player 2: illegal move ((1, 2) from getTrap: a player stands there)
"""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    return tmp_path / "games.sqlite"


def told(out: str) -> str:
    """What the course prints: all but the line that says where the games are."""
    *lines, last = out.splitlines(keepends=True)
    assert "all games: harena records list --run " in last
    return "".join(lines)


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *typed: run(capsys, monkeypatch, "trap-game", *typed)


def board(rows: str) -> str:
    signs = {".": "   ", "1": " 1 ", "2": " 2 ", "x": " x "}
    lines = [f"|{'|'.join(signs[sign] for sign in row)}|" for row in rows.split("/")]
    rule = "-" * 29
    return "\n".join([rule, *(f"{line}\n{rule}" for line in lines)])


def cells(line: str) -> str:
    """The cell at the end of a line, in our notation."""
    row, column = (int(number) for number in re.findall(r"-?\d+", line))
    return "abcdefg"[column] + str(row + 1)


def replayed(told: str) -> harena.State:
    """The game that was told, by our rules; every board that was shown is the right one."""
    state = harena.game("trap").initial()
    signs = {"Moving to": "", "Throwing a trap to": "@", "The trap lands on": "!"}
    for part in re.split(r"\n(?=[A-Z])", told):
        for said, sign in signs.items():
            if part.startswith(said):
                state = state.play(sign + cells(part.splitlines()[0]))
                if sign != "@":
                    assert board(state.text.split(" ")[0]) in part
    return state


def test_a_game_is_printed_as_in_the_course(play: Harena) -> None:
    answer = play(GREEDY, WRONG, "--seed", "4", "--sandbox", "off")
    expected = re.sub(r"BOARD(\S+)", lambda match: board(match[1]), SHOWN)
    assert (answer.code, answer.err) == (0, "")
    assert told(answer.out) == expected.replace("GREEDY", GREEDY).replace("WRONG", WRONG)


def test_a_whole_game_is_legal_and_has_the_winner_that_it_says(play: Harena) -> None:
    answer = play(WALKER, GREEDY, "--seed", "2")
    last = replayed(answer.out)
    assert last.outcome is not None and last.outcome.winner is not None
    winner = last.outcome.winner
    assert told(answer.out).endswith(f"Player {winner + 1} wins: player {2 - winner} has no free neighbour\n")
    assert told(play(WALKER, GREEDY, "--seed", "2").out) == told(answer.out)


def test_two_random_players_by_default(play: Harena) -> None:
    answer = play()
    assert answer.out.startswith("Player 1: random\nPlayer 2: random\n5 s for walk and aim together, seed ")
    assert answer.code == 0 and replayed(answer.out).is_over


def test_several_games_are_summed_up(play: Harena) -> None:
    answer = play(GREEDY, str(AGENTS / "crash"), "--games", "3", "--seed", "1")
    assert [f"\nGame {number} of 3\n" in answer.out for number in (1, 2, 3)] == [True] * 3
    assert answer.out.splitlines()[-5:-1] == [
        "3 games: player 1 won 3, player 2 won 0",
        "Player 1 scores 100.0 % (95 %: 43.9 % to 100.0 %)",
        words.verdict("player 1", "player 2", Tally(wins=3)),
        "Player 2 lost 3 games by a fault: crash",
    ]


def test_its_games_are_kept_and_the_lost_ones_are_named(
    play: Harena, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = play(GREEDY, str(AGENTS / "crash"), "--games", "2", "--seed", "1")
    with Store() as kept:
        (held,) = kept.runs()
        games = [(slot, record.seats, record.winner) for slot, record in kept.games(held.id)]
    assert (held.kind, held.status) == ("trap-game", FINISHED)
    seats = (f"w4701:{GREEDY}", f"w4701:{AGENTS / 'crash'}")
    assert games == [("0-1/0/0", seats, 0), ("0-1/1/0", seats, 0)]
    assert answer.out.splitlines()[-1] == (
        f"player 2 lost games 1, 2 (harena review 1, harena replay 1); all games: harena records list --run {held.id}"
    )
    assert play(GREEDY, WRONG, "--seed", "4").out.splitlines()[-1].startswith("player 2 lost game 3 (harena review 3")
    replay = run(capsys, monkeypatch, "replay", "3")
    assert replay.code == 0 and "a player stands there" in replay.out
    listing = run(capsys, monkeypatch, "records", "list").out
    assert f"{held.id}  trap-game  trap  finished      2" in listing


def interrupted(*arguments: object, **options: object) -> str:
    raise KeyboardInterrupt


def asked(*arguments: object, **options: object) -> str:
    os.kill(os.getpid(), signal.SIGTERM)
    return "never told"


@pytest.mark.parametrize(("stop", "why"), [(interrupted, "Ctrl-C"), (asked, "asked to stop")])
def test_what_is_stopped_keeps_and_tells_the_games_that_ended(
    play: Harena,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    stop: Callable[..., str],
    why: str,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(trap_game, "step", stop)
        answer = play("random", "random")
        assert answer.code == 130 and answer.out.endswith("\nstopped; call `harena trap-game` again\n")
        assert "lost" not in answer.out
    games = iter(range(2))
    monkeypatch.setattr(trap_game, "ending", lambda *end: f"end {next(games)}" if games.__length_hint__() else stop())
    answer = play("random", "random", "--games", "5")
    with Store() as kept:
        (held,) = kept.runs()  # nothing is left of the one without a game
        assert held.status == STOPPED and len(kept.numbers(held.id)) == 3 and kept.stops() == {held.id: why}
    *told, where, blank, stopped = answer.out.splitlines()
    assert answer.code == 130 and any(line.startswith("3 games: player 1 won ") for line in told)
    assert where.endswith(f"; all games: harena records list --run {held.id}") and " lost game" in where
    assert (blank, stopped) == ("", "stopped; call `harena trap-game` again")
    answer = run(capsys, monkeypatch, "resume", held.id)
    assert answer.code == 2 and "call `harena trap-game` again" in answer.err


def test_an_unchanged_agent_is_one_player_here_and_in_matches(play: Harena, tmp_path: Path) -> None:
    assert play(GREEDY, WRONG, "--seed", "4").code == 0
    with Store() as kept:
        ((slot, record),) = kept.games(kept.runs()[0].id)
        spec = {"folder": str(tmp_path), "sources": sources("trap", record.seats)}
        kept.add_game(kept.new_run("match", {"spec": spec}).id, slot, record)
        found = joint(kept, "trap")
    assert found.games == 2 and found.versions == () and sorted(found.texts) == sorted(record.seats)


FAULTS = {
    "illegal_walk": "Tried to move to (6, 3)\nInvalid move!\nPlayer 1 wins by a fault of player 2: illegal move (",
    "none": "Tried to put trap in None\nInvalid trap!\nPlayer 1 wins by a fault of player 2: unreadable answer (None",
    "exits": "Player 1 wins by a fault of player 2: crash (it called exit('I give up') (PlayerAI.py, line 29))\n",
    "nothing": "Player 1 wins by a fault of player 2: did not load (no Python file here has a class",
}


@pytest.mark.parametrize("agent", FAULTS)
def test_faults_are_told(play: Harena, agent: str) -> None:
    answer = play(GREEDY, str(AGENTS / agent), "--seed", "1")
    assert answer.code == 0 and FAULTS[agent] in answer.out


def test_too_much_time_loses_and_a_machine_that_has_no_processor_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    stalls, choose = [1], ProcessContestant.choose

    def starve(self: ProcessContestant, *question: Any) -> Said:
        if stalls:
            stalls.pop()
            raise AgentFault("time", "no answer", is_stall=True, seconds=1.0)
        return choose(self, *question)

    told: list[str] = []
    monkeypatch.setattr(ProcessContestant, "choose", starve)
    monkeypatch.setattr(pacing, "processor_share", lambda seconds: 1.0)
    series = trap_game.Series((SLOW, GREEDY), seconds=0.2, seed=1, sandbox="off", tell=told.append)
    try:
        series.start()
        (record,) = series.play(1)
    finally:
        series.close()
    assert (record.reason, record.winner) == ("time", 1)
    assert sum("paused until it is calm; the game is played again" in text for text in told) == 1
    assert told[-1].startswith("Player 2 wins by a fault of player 1: time (no answer after ")


def test_a_draw_is_told() -> None:
    record = Record(game="trap", options={}, start="", seats=("a", "b"), plies=(), winner=None)
    assert trap_game.ending(record, None) == "A draw: nobody was caught in 150 half-turns"
    assert trap_game.summary([record, record]).startswith("2 games: player 1 won 0, player 2 won 0, 2 drawn\n")


def test_what_a_stranger_says_steers_no_terminal(play: Harena, tmp_path: Path) -> None:
    file = tmp_path / "PlayerAI.py"
    file.write_text(
        "class PlayerAI:\n"
        "    def getMove(self, grid):\n        raise ValueError('\\x1b[2J\\nhello')\n"
        "    def getTrap(self, grid):\n        return (0, 0)\n"
    )
    answer = play(str(file), GREEDY)
    assert "crash (ValueError: ?[2J hello (PlayerAI.py, line 3))\n" in answer.out and "\x1b" not in answer.out


def test_players_of_ours_and_programs_play_too(play: Harena, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("from harena.agents.bot import run\nrun(lambda turn: 'd2' if len(turn.legal) < 9 else '@d7')\n")
    answer = play(str(program), "medium", "--seed", "1")
    assert "Player 1: " + str(program) + "\nPlayer 2: medium\n" in answer.out
    assert "Tried to put trap in @d7\nInvalid trap!\nPlayer 2 wins by a fault of player 1: illegal move" in answer.out


def test_a_bare_path_of_an_agent_is_one_of_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(AGENTS)
    for text in ("greedy", "greedy/PlayerAI.py", "own_name/squid.py:SquidGamer", "own_name:SquidGamer"):
        assert trap_game.player_text(text) == f"w4701:{text}"
    for text in ("hard", "mcts(c=1)", "nothing/helper.py", "nowhere.py", "w4701-reused:greedy", "x:y", ":"):
        assert trap_game.player_text(text) == text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["nowhere.py"], "nowhere.py: there is no such file"),
        (["hrd"], "did you mean 'hard'?"),
        (["w4701:"], "names no agent"),
        ([f"aind:{GREEDY}"], "plays isolation, and this is trap"),
        (["random", "random", "--games", "0"], "games"),
        (["random", "random", "--sandbox", "walls"], "no sandbox 'walls'"),
    ],
)
def test_mistakes_are_one_line(play: Harena, typed: list[str], said: str) -> None:
    answer = play(*typed)
    assert answer.code == 2 and answer.err.count("\n") == 1 and said in answer.err


def test_boards_are_those_of_the_displayer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(str(MODULES / "w4701"))
    state = harena.game("trap").position("x..1.../......./..x..../......./......./2....../....... 1 walk 8")
    names = ("Grid", "BaseDisplayer", "Displayer")
    modules: dict[str, Any] = {name: importlib.import_module(name) for name in names}
    try:
        grid = modules["Grid"].Grid().move((0, 3), 1).move((5, 0), 2).trap((0, 0)).trap((2, 2))
        modules["Displayer"].Displayer().unixDisplay(grid)
        assert capsys.readouterr().out == trap_game.board(state, colour=True) + "\n\n"
        modules["Displayer"].Displayer().winDisplay(grid)
        assert capsys.readouterr().out == trap_game.board(state, colour=False) + "\n"
    finally:
        for name in names:
            del sys.modules[name]


def test_a_terminal_shows_colours_and_ctrl_c_ends_the_game() -> None:
    with Terminal("trap-game", GREEDY, SLOW) as terminal:
        terminal.press("", "\x1b[102m   1   \x1b[0m")
        terminal.press("", "Player 2's turn:")
        assert terminal.end("\x03") == 130
