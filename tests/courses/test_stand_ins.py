"""Libraries that only draw, print or look at the machine, where they are not installed."""

import sys
from pathlib import Path
from typing import Any

import pytest

from courses.test_older_numpy import play_two
from harena.courses.hosting.stand_ins import OPTIONAL, StandIns, advise_missing, part_missing


def stand_in(name: str) -> Any:
    finder = StandIns()
    spec = finder.find_spec(name)
    assert spec is not None
    module = finder.create_module(spec)
    finder.exec_module(module)
    return module


def test_colours_are_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    termcolor, colorama = stand_in("termcolor"), stand_in("colorama")
    assert termcolor.colored("wall", "red", attrs=["bold"]) == "wall"
    termcolor.cprint("wall", "red", end="!\n")
    assert capsys.readouterr().out == "wall!\n"
    colorama.init(autoreset=True)
    assert colorama.Fore.RED + "x" + colorama.Style.RESET_ALL == "x" and colorama.Back.BLUE == ""


def test_a_progress_bar_lets_its_items_through(capsys: pytest.CaptureFixture[str]) -> None:
    for module in (stand_in("tqdm"), stand_in("tqdm.auto")):
        assert list(module.tqdm([1, 2], desc="x")) == [1, 2] and list(module.trange(2)) == [0, 1]
        with module.tqdm(total=3) as bar:
            bar.update(1)
            bar.set_description("x")
            assert bar.n == 1 and len(bar) == 3
        module.tqdm.write("said")
    assert capsys.readouterr().out == "said\nsaid\n"


def test_a_logger_swallows_everything(capsys: pytest.CaptureFixture[str]) -> None:
    logger = stand_in("loguru").logger
    logger.add("file.log", level="DEBUG")
    logger.bind(x=1).info("a {}", 1)
    assert logger.catch(len) is len and logger.catch(reraise=True)(len) is len
    assert capsys.readouterr() == ("", "")


def test_plots_return_what_their_callers_unpack() -> None:
    plt, sns = stand_in("matplotlib.pyplot"), stand_in("seaborn")
    _, axes = plt.subplots(2, 2)
    (line,) = axes[0, 1].plot([1], [2])
    line.set_data([], [])
    _, _, _ = plt.hist([1, 2])
    for ax in axes.flat:
        ax.set_title(f"{line.get_label():>5}{line:.1f}")
    plt.savefig("nothing.png")
    plt.show()
    sns.set_theme()
    sns.heatmap([[1]], ax=axes[0]).set(title="x")
    assert not Path("nothing.png").exists() and len(plt.gca()) == 2


def test_the_machine_looks_usable() -> None:
    psutil = stand_in("psutil")
    assert psutil.cpu_count() >= 1 and psutil.virtual_memory().available > 1 << 20
    assert psutil.Process().memory_info().rss / 2**20 == 0 and psutil.cpu_percent(interval=0.1) < 100
    assert psutil.Process().num_threads() >= 0 and psutil.Process().num_threads() + 1 == 1
    assert f"{psutil.Process().memory_percent():.1f}" == "0.0"


def test_texts_are_printed_and_tables_are_texts(capsys: pytest.CaptureFixture[str]) -> None:
    stand_in("rich").print("a", "b", style="bold")
    stand_in("rich.console").Console().print("c", style="red")
    stand_in("click").echo("d", err=False)
    assert capsys.readouterr().out == "a b\nc\nd\n"
    assert stand_in("tabulate").tabulate([[1, 2]], headers=["x", "y"], tablefmt="grid") == "x  y\n1  2"
    assert list(stand_in("rich.progress").track([1], description="x")) == [1]
    assert stand_in("icecream").ic(3) == 3


def test_errors_can_be_caught_and_types_asked_for() -> None:
    pygame = stand_in("pygame")
    with pytest.raises(pygame.error):
        raise pygame.error("x")
    assert not isinstance(3, pygame.Surface) and 3 not in pygame.key.get_pressed()
    assert stand_in("typing_extensions").Literal[1]


def test_other_libraries_have_none_and_the_line_says_what_to_do() -> None:
    assert StandIns().find_spec("pandas") is None and "pandas" not in OPTIONAL
    with pytest.raises(ModuleNotFoundError) as caught:
        __import__("cv2_of_nobody.part")
    advice = advise_missing(caught.value)
    for way in ("harena course env COURSE --with cv2_of_nobody", "with pip where harena runs", "leave the import out"):
        assert way in advice
    assert part_missing(f"No module{advice}") == ("No module", advice.removeprefix("; "))
    assert part_missing("ValueError: x") == ("ValueError: x", "")
    assert "--with opencv-python" in advise_missing(ModuleNotFoundError("x", name="cv2"))
    for other in (ValueError("x"), ModuleNotFoundError("x", name="distutils"), ModuleNotFoundError("x", name="sys.x")):
        assert advise_missing(other) == "" or sys.version_info >= (3, 12)


AGENT = """
from agents.agent import Agent
from store import register_agent
import loguru, numpy as np, seaborn, termcolor
from colorama import Fore, Style
from termcolor import colored
import rich
assert rich.__file__, "the real one is used where it is installed"
assert termcolor.__spec__.origin is None

@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        print(colored("thinking", "red"), Fore.RED + "hard" + Style.RESET_ALL)
        loguru.logger.debug("at {}", my_pos)
        return my_pos, np.flatnonzero(~chess_board[my_pos])[0]
"""


@pytest.mark.process
def test_an_agent_plays_with_stand_ins_and_with_the_real_thing_where_that_is_installed(tmp_path: Path) -> None:
    (tmp_path / "student_agent.py").write_text(AGENT)
    assert play_two("colosseum", f"comp424:{tmp_path}", "random_agent") == ["rules ", "rules "]
