"""A course agent from a folder of the server's: found by the form, and met in a whole game by clicks."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit, start_server
from browser.test_play import look, play_out
from harena.arena.store import Store
from harena.cli.new import write_starter

pytestmark = pytest.mark.process

PATIENCE = 300_000  # milliseconds: its process, its walls and its course's modules are started first


@pytest.mark.parametrize(("course", "game", "size"), [("comp424", "colosseum", "4"), ("aind", "isolation", "4")])
def test_a_whole_game_against_a_course_agent(visit: Visit, tmp_path: Path, course: str, game: str, size: str) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    write_starter(course, str(folder / "student_agent.py"))
    server = start_server(tmp_path, "--agents", str(folder))
    try:
        page = visit(f"/play?game={game}", base=server.url)
        page.locator("#opponent").select_option(label="submissions/student_agent.py")
        page.locator("#rows").select_option(size)
        page.get_by_label("player 2", exact=True).check()  # it begins
        page.locator("#seed").fill("4")
        page.get_by_role("button", name="Begin the game").click()
        page.wait_for_selector("#board[data-turn=human]", timeout=PATIENCE)
        page.set_default_timeout(PATIENCE)
        assert len(look(page)["plies"]) == 1
        told = play_out(page)
        assert told["over"] and told["number"], told
        assert [ply["by"] for ply in told["plies"]] == [number % 2 for number in range(len(told["plies"]))]
        expect(page.locator("#status")).to_have_text(told["result"])
        with Store(server.store) as store:
            kept = store.record(told["number"])
        assert kept.reason == "rules" and kept.seats[0].startswith(f"{course}:") and kept.seats[1] == "human"
        page.goto("about:blank")
    finally:
        server.stop()
