"""An agent's text is parsed once: its kind, all that depends on the kind, and one plain line for each mistake."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import harena
from harena.agents import registry
from harena.agents.clocks import Clock
from harena.agents.launch import TRUSTED, UNWALLED
from harena.agents.names import PLAYERS
from harena.agents.spec import AgentPlace, AgentSpec, BuiltIn, CourseAgent, Program, UserSearch, parse_agent
from harena.courses.catalogue import CLOCKS, COURSES
from harena.courses.course import HostedAgent
from harena.errors import BadFile, BadOption, BadText, HarenaError, UnknownName, UsageError
from harena.kernel.trusted import NotTrusted, only_trusted

ISOLATION = harena.game("isolation", size=5)
KINDS: dict[type[AgentSpec], tuple[str, ...]] = {
    BuiltIn: (
        *("mcts", "mcts(c=0.5, seconds=1)", "id(heuristic=open + 2*improved)", "champion(level=3, threads=2)"),
        *("human", "", " ", "no such player", "mcts(c=1", "comp242:folder", "comp424", "aind", "x:y", "mine.py (x)"),
        *("a/b(c=1)", "trap.py(c=1)", "id(heuristic=x.py)"),
    ),
    UserSearch: (
        *("mine.py:Mine", " mine.py:Mine ", "./mine.py:Mine", "sub/mine.py:Mine(width=4)", "a b/mine.py:Mine"),
        *("id(heuristic=mine.py:f)", "id(heuristic=open - ./sub/mine.py:f(a=1))", "mine.py:Mine(heuristic=x.py:f)"),
        *("/home/me/comp424:mine.py:Mine", "mine.py:Mine(width={width})"),
    ),
    Program: (
        *("mine.py", "./mine.py", "./program", "sub/program", "/opt/program", "/", "a b/c.py", "comp242:mine.py"),
        *("mine.py:other.py", "x:./program", ".py", "tiles:mine.py", " comp424:mine.py", "./comp424:mine.py"),
    ),
    CourseAgent: (
        *("comp424:student_agent.py", "comp424:", "comp424-2022:a/./agents/b.py", "w4701:PlayerAI.py", "aind:folder"),
        *("w4701-reused:a b/PlayerAI.py", "aind:game_agent.py:CustomPlayer", "aind:C:D:E", "comp424:mcts(c=1)"),
    ),
}
TEXTS = [(text, kind) for kind, texts in KINDS.items() for text in texts]


@pytest.mark.parametrize(("text", "kind"), TEXTS)
def test_every_text_is_of_one_kind_and_stays_as_it_is(text: str, kind: type[AgentSpec]) -> None:
    agent = parse_agent(text)
    assert [one for one in KINDS if isinstance(agent, one)] == [kind]
    assert agent.text == text and parse_agent(agent.text) == agent and hash(parse_agent(text)) == hash(agent)
    assert agent.is_trusted == (kind in (BuiltIn, UserSearch)) and agent.is_program == (kind is Program)
    assert bool(agent.course) == (agent.clock is not None) == (kind is CourseAgent)
    assert (agent.path_name is None) == agent.is_trusted and (agent.threads is None) == (not agent.is_trusted)
    assert bool(agent.unwalled_code()) == (kind is UserSearch) == bool(agent.unwalled_files())
    assert bool(agent.walled_paths()) == (not agent.is_trusted)


@given(st.text(max_size=40) | st.text("abc.py:/\\()= 4comp2", max_size=20))
def test_no_text_is_refused_and_no_two_kinds_take_one(text: str) -> None:
    agent = parse_agent(text)
    assert agent.text == text and sum(isinstance(agent, kind) for kind in KINDS) == 1
    assert isinstance(agent.label, str) and set(agent.paths()) <= set(agent.possible_paths())


@pytest.mark.parametrize("game", PLAYERS)
def test_every_named_player_is_built_in(game: str) -> None:
    for name, entry in PLAYERS[game].items():
        for text in (name, entry.text):
            agent = parse_agent(text)
            assert isinstance(agent, BuiltIn) and agent.resolve(game) is not None
            assert agent.sandbox_level("off") is None and agent.files() == agent.paths() == []


def test_parsing_reads_no_file_and_follows_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a run that goes on where it was begun."""
    agent = parse_agent("aind:mine.py")
    assert isinstance(agent, CourseAgent)
    with pytest.raises(BadFile, match=r"^mine\.py: there is no such file or folder$"):
        agent.locate()
    (tmp_path / "mine.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert agent.locate() == AgentPlace(folder=str(tmp_path), target="mine.py", name="")


# What the kinds know


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("mcts(c=1)", "mcts(c=1)"),
        ("/home/me/mine.py:Mine", "/home/me/mine.py:Mine"),
        ("mine.py", "mine.py"),
        ("/home/me/bots/knight.py", "bots/knight.py"),
        ("./program", "program"),
        ("/", "/"),
        ("comp424:/home/me/agents/student_agent.py", "comp424:me/agents/student_agent.py"),
        ("comp424:/home/me/team/student_agent.py", "comp424:team/student_agent.py"),
        ("aind:a/b/c/game_agent.py:Custom", "aind:c/game_agent.py:Custom"),
        ("aind:", "aind:"),
    ],
)
def test_a_label_has_only_what_tells_agents_apart(text: str, label: str) -> None:
    assert parse_agent(text).label == label.replace("/", os.sep)


def test_files_are_those_of_the_text_and_what_they_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts.py").write_text("")
    (tmp_path / "mine.py").write_text("import parts")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.py").write_text("")
    search = parse_agent("mine.py:Mine(heuristic=other.py:f)")
    assert search.paths() == search.unwalled_files() == ["mine.py", "other.py"] and search.walled_paths() == []
    assert search.unwalled_code() == ["mine.py:Mine", "other.py:f"]
    assert search.files() == ["mine.py", "parts.py", "other.py"]
    program = parse_agent("mine.py")
    assert program.paths() == program.walled_paths() == ["mine.py"] and program.files() == ["mine.py", "parts.py"]
    course = parse_agent("aind:mine.py:Mine")
    assert course.paths() == course.walled_paths() == ["mine.py"] and course.unwalled_code() == []
    assert course.possible_paths() == ["mine.py:Mine", "mine.py"]
    assert course.files() == [str(tmp_path / "mine.py"), str(tmp_path / "parts.py")]
    assert parse_agent("aind:folder").files() == [str(tmp_path / "folder" / "b.py")]
    assert parse_agent("aind:nothing").files() == [] and parse_agent("gone.py").files() == ["gone.py"]
    (tmp_path / "a:b.py").write_text("")
    assert parse_agent("aind:a:b.py").paths() == ["a:b.py"], "a file whose name has a colon"


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("mcts(c=1)", "mcts(c=1)"),
        ("mine.py:Mine", "mine.py:Mine"),
        ("sub/bot.py", "/there/sub/bot.py"),
        ("/opt/bot", "/opt/bot"),
        ("aind:sub", "aind:/there/sub"),
        ("aind:/opt/sub", "aind:/opt/sub"),
        ("comp424:agents/mine.py:Mine", "comp424:/there/agents/mine.py:Mine"),
    ],
)
def test_a_path_is_that_of_the_folder_in_which_it_was_written(text: str, moved: str) -> None:
    assert parse_agent(text).from_folder("/there") == parse_agent(moved)


def test_clocks_and_games_are_the_courses(tmp_path: Path) -> None:
    for name, course in COURSES.items():
        agent = parse_agent(f"{name}:{tmp_path}")
        assert isinstance(agent, HostedAgent) and agent.course == name and agent.game == course.game
        assert agent.clock is CLOCKS[course.clock_name] is course.clock
        agent.check(course.game)
        with pytest.raises(BadOption, match=rf"^{name}:.* plays {course.game}, and this is chess$"):
            agent.check("chess")


def test_players_say_their_threads_and_whether_they_are_the_champion() -> None:
    assert parse_agent("champion(threads=2)").threads == 2 and parse_agent("mcts").threads == 1
    champions = ["champion", "champion(level=3)"]
    assert all(parse_agent(text).is_champion for text in champions)
    assert not any(parse_agent(text).is_champion for text in ("champions", "mcts", "champion.py", "aind:champion"))


def test_only_players_resolve_to_an_algorithm() -> None:
    assert parse_agent("mm_open(depth=2)").resolve("isolation") == ("minimax", {"depth": "2", "heuristic": "open"})
    assert parse_agent("mine.py:Mine(width=4)").resolve("isolation") == ("mine.py:Mine", {"width": "4"})
    assert parse_agent("mine.py").resolve("isolation") is parse_agent("aind:mine.py").resolve("isolation") is None


def test_a_player_is_the_one_that_harena_makes(tmp_path: Path) -> None:
    made = parse_agent("minimax(depth=2)").player(ISOLATION)
    assert made.text == "minimax(depth=2)" and made.limits.depth == 2
    assert repr(harena.player("minimax(depth=2)", ISOLATION)) == repr(made)
    with pytest.raises(BadText, match=r"^a player is a text, not 5$"):
        harena.player(5, ISOLATION)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match=r"^a player is made for a game"):
        harena.player("mcts", "isolation")  # type: ignore[arg-type]


# How each is started


def test_players_start_without_walls_and_others_behind_them(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text("from harena.agents.bot import run")
    for text, level in (("mcts(c=1)", TRUSTED), (f"{program}:Mine", UNWALLED)):
        launch = parse_agent(text).launch("off", str(tmp_path), "isolation")
        assert (launch.level, launch.player, launch.command[-1], launch.folder) == (level, text, text, None)
    launch = parse_agent(str(program)).launch("off", str(tmp_path), "isolation")
    assert (launch.level, launch.player) == ("off", "")
    assert launch.command[-2:] == [sys.executable, str(program)] and launch.folder == str(tmp_path)
    launch = parse_agent(f"w4701:{program}:Mine").launch("off", str(tmp_path), "trap")
    assert launch.command[-4:] == ["w4701", str(tmp_path), "bot.py", "Mine"] and launch.level == "off"


@pytest.mark.parametrize("text", ["{}:Mine", "id(heuristic={}:f)", "{}", "aind:{}"])
def test_a_file_that_was_not_typed_is_not_started(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("")
    agent = parse_agent(text.format(file))
    with only_trusted([], level="off"), pytest.raises(NotTrusted, match="only a file that you type is"):
        agent.launch("off", str(tmp_path))
    with only_trusted(agent.unwalled_code(), agent.walled_paths(), "off"):
        assert agent.launch("off", str(tmp_path)).command


def test_walls_that_were_promised_refuse_code_of_the_users() -> None:
    for level in ("required", "bubblewrap", "namespaces"):
        for text in ("mcts", "mine.py", "aind:mine.py"):
            parse_agent(text).check_walls(level)
        with pytest.raises(UsageError, match=rf"^mine\.py:M: mine\.py runs .* --sandbox {level} refuses: make it a"):
            parse_agent("mine.py:M").check_walls(level)
    parse_agent("mine.py:M").check_walls("auto")
    assert (
        parse_agent("mine.py:M").sandbox_level("off") == "none" and parse_agent("./bot").sandbox_level("off") == "off"
    )


# What is wrong with them

COURSE_LIST = "comp424, comp424-2022, w4701, w4701-reused, aind"
MISTAKES: list[tuple[str, type[HarenaError], str]] = [
    ("comp242:folder", UnknownName, "no course 'comp242'; did you mean 'comp424'?"),
    ("comp242:mine.py", UnknownName, "no course 'comp242'; did you mean 'comp424'?"),
    ("tiles:mine.py", UnknownName, f"no course 'tiles'; there are: {COURSE_LIST}"),
    ("search:Mine", BadFile, "there is a file search.py: write search.py:Mine"),
    ("aind:", BadText, "'aind:' names no agent: write aind:PATH, a file or a folder"),
    ("aind:nothing", BadFile, "nothing: there is no such file or folder"),
    ("aind:nothing.py:Mine", BadFile, "nothing.py: there is no such file or folder"),
    ("aind:class.zip", BadFile, "class.zip is a zip: unpack it first; `harena check` and `harena grade` do that"),
    ("comp424:search.py", BadOption, "comp424:search.py plays colosseum, and this is isolation"),
    ("nothing.py", BadFile, "nothing.py: there is no such file"),
    ("./folder", BadFile, "./folder is a folder: name a file in it, or write COURSE:./folder for a course's agent"),
    ("folder", BadText, "folder is a folder: name a file in it, or write COURSE:folder for a course's agent"),
    ("./text", BadFile, "./text: is not executable (chmod +x)"),
    ("text", BadText, "text is a file: write ./text for a program that speaks docs/protocol.md"),
    ("course.py", BadFile, "course.py looks like an agent of a course: write aind:course.py"),
    (
        *("search.py", BadFile),
        "search.py speaks no protocol: for its search, which runs without a sandbox, write search.py:Mine",
    ),
    ("search.py:Thine", BadFile, "search.py: there is no search 'Thine'; there are: Mine"),
    ("human", BadText, "a human plays at the terminal: harena play GAME --second human"),
    ("mcst", UnknownName, "no player 'mcst'; did you mean 'mcts'?"),
    ("mcts(cc=1)", UnknownName, "no option of mcts 'cc'; did you mean 'c'?"),
    ("mcts(c=1))", BadText, "'mcts(c=1))': a parenthesis is missing"),
]


@pytest.mark.parametrize(("text", "kind", "message"), MISTAKES)
def test_a_mistake_gets_one_plain_line(
    text: str, kind: type[HarenaError], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("")
    (tmp_path / "class.zip").write_bytes(b"PK\5\6" + bytes(18))
    (tmp_path / "course.py").write_text("class A:\n    def get_move(self, game, time_left): ...\n")
    (tmp_path / "search.py").write_text("class Mine:\n    def run(self, state, limits, turn): ...\n")
    agent = parse_agent(text)
    with pytest.raises(kind) as error:
        agent.check("isolation")
        agent.player(ISOLATION)
    assert str(error.value) == message and type(error.value) is kind


# Courses, which register themselves


class Registered:
    """A course of somebody else's, as small as can be."""

    environment, requirements = "elsewhere", ()

    def agent(self, text: str) -> HostedAgent:
        return HostedAgent(text, COURSES["aind"])

    def resembles(self, source: str) -> bool:
        return "class Elsewhere" in source


def test_a_course_is_known_as_soon_as_it_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dict(registry.courses()) == COURSES and dict(registry.clocks()) == CLOCKS
    assert all(registry.COURSE_NAME.fullmatch(name) for name in COURSES)
    monkeypatch.setattr(registry, "_courses", dict(registry.courses()))
    monkeypatch.setattr(registry, "_clocks", dict(registry.clocks()))
    assert isinstance(parse_agent("elsewhere:folder"), BuiltIn)
    registry.register({"elsewhere": Registered()}, {"slow": Clock(seconds=60.0, about="a minute a move")})
    assert isinstance(parse_agent("elsewhere:folder"), CourseAgent)
    assert registry.recognise_course("class Elsewhere: ...") == "elsewhere" and "slow" in registry.clocks()


def test_a_text_without_a_course_loads_no_course_and_no_compiler() -> None:
    script = (
        "import sys\nfrom harena.agents.spec import parse_agent\n"
        "for text in ('mcts(c=1)', 'mine.py:Mine', './bot.py', '/home/comp424:x/bot.py'):\n    parse_agent(text)\n"
        "assert not any(name.startswith('harena.courses') for name in sys.modules)\n"
        "parse_agent('aind:folder')\nassert 'harena.courses.catalogue' in sys.modules\n"
        "assert 'numba' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
