"""The front page, in a real browser."""

import pytest

from browser.conftest import Visit

pytestmark = pytest.mark.process


def test_the_front_page_shows_the_four_games(visit: Visit) -> None:
    page = visit("/")
    assert page.title() == "Harena: one arena for four board games"
    assert page.locator(".game h2").all_inner_texts() == [
        "Trap!",
        "Colosseum Survival!",
        "Knight Isolation",
        "Tile removal",
    ]
    assert page.get_by_role("link", name="Play", exact=True).count() >= 4


def test_a_page_that_does_not_exist_says_so_in_words(visit: Visit) -> None:
    page = visit("/")
    answer = page.request.get(page.url + "nowhere", headers={"accept": "text/html"})
    assert answer.status == 404 and "There is no such page" in answer.text()
