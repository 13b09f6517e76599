"""How tests use the page Understand: its panes, and who is asked in them."""

from playwright.sync_api import Locator, Page, expect

ISOLATION = "/understand?game=isolation&position=...../...../..1../...2./..... 1"
TRAP = "/understand?game=trap&position=1.../..../..../...2 1 aim 0"


def pane(page: Page, number: int = 0) -> Locator:
    return page.locator(".pane").nth(number)


def name(where: Locator, player: str) -> None:
    """Ask a player by its text, which is folded away."""
    text = where.get_by_label("The player as text")
    if not text.is_visible():
        where.get_by_text("The player as text").click()
    text.fill(player)


def analyse(where: Locator, player: str, amount: str = "", unit: str = "depth") -> None:
    name(where, player)
    where.get_by_label("Limit", exact=True).fill(amount)
    where.get_by_label("Unit of the limit").select_option(unit)
    where.get_by_role("button", name="Analyse").click()
    expect(where.locator(".summary .best")).to_be_visible()
    expect(where.locator(".busy")).to_be_hidden()


def items(where: Locator, level: int) -> Locator:
    return where.locator(f'[role=treeitem][aria-level="{level}"]')
