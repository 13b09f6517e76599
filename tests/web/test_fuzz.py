"""The API asked by its own description: whatever fits it, and much that does not, never leads to a server error."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import schemathesis
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

import harena
from harena.web.app import create_app
from harena.web.config import Config
from web.seating import OwnerClient
from web.shelves import SIZES, played, stocked
from web.walking import routes

pytestmark = pytest.mark.process  # games to watch are played by processes

EXAMPLES = 12  # of each operation, besides those of the description; always the same ones
MANY = settings(max_examples=EXAMPLES, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=1)
GAMES = ("trap", "colosseum", "isolation", "tiles")
PATIENCE = 300.0  # seconds: an answer that takes longer hangs


class Known:
    """A server with something to ask for."""

    def __init__(self, client: TestClient, run: str, numbers: list[int]) -> None:
        wanted = {"game": "isolation", "size": "4", "seats": ["human", "random"], "seed": 4}
        begun = client.post("/api/tables", json=wanted)
        self.client = client
        self.values = {"run": run, "number": numbers[0], "name": begun.json()["id"], "game": "isolation"}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """Searches are short, and no contest is started: that is tested elsewhere."""
    store = tmp_path_factory.mktemp("fuzz") / "games.sqlite"
    run, numbers = stocked(store, *(played(game) for game in GAMES))
    app = create_app(Config(store=store, contests=0, longest_move=0.05, requests=10**9, tables=10**6))
    with OwnerClient(app, base_url="http://127.0.0.1") as client:
        yield Known(client, run, numbers)


DESCRIPTION = create_app(Config(store=Path("nowhere"))).openapi()
OPERATIONS = [  # streams of events never end: they are tested elsewhere
    (path, method) for path, methods in DESCRIPTION["paths"].items() for method in methods if "/events" not in path
]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_no_request_is_a_server_error(known: Known, path: str, method: str, mode: schemathesis.GenerationMode) -> None:
    operation = schemathesis.openapi.from_dict(DESCRIPTION)[path][method]

    def ask(strategy: Any, most: settings) -> None:
        @given(case=strategy)
        @most
        def asked(case: schemathesis.Case) -> None:
            check(known, case)

        asked()

    if mode is schemathesis.GenerationMode.POSITIVE:
        for example in operation.get_strategies_from_examples():
            ask(example, FEW)
    try:
        ask(operation.as_strategy(generation_mode=mode), MANY)
    except Unsatisfiable:
        assert mode is schemathesis.GenerationMode.NEGATIVE  # nothing can be wrong with what has no parameters


def check(known: Known, case: schemathesis.Case) -> None:
    """Ask with the names that were made up, and with those that there are."""
    named = case.path_parameters or {}
    for values in (named, named | {name: known.values.get(name, value) for name, value in named.items()}):
        answer = sent(known, case, {name: str(value) for name, value in values.items()})
        assert answer.status_code < 500 or answer.status_code == 503, answer.text[:300]
        if answer.status_code >= 400 and answer.headers.get("content-type") == "application/json":
            assert answer.json()["detail"], "a mistake is said in words"


def test_every_body_is_described_and_takes_no_field_that_nobody_knows(known: Known) -> None:
    for path, method in OPERATIONS:
        body = DESCRIPTION["paths"][path][method].get("requestBody")
        if body is not None:
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert DESCRIPTION["components"]["schemas"][name]["additionalProperties"] is False, name
    answer = known.client.post("/api/tables", json={"game": "isolation", "seats": ["human", "human"], "sise": "4"})
    assert answer.status_code == 422 and "sise is nothing that is known here" in answer.json()["detail"]


PAGES = [
    route
    for route in sorted(routes(create_app(Config(store=Path("nowhere")))), key=lambda route: route.path)
    if "GET" in route.methods and not route.path.startswith("/api/")
]
POSITIONS = [harena.game(game, size=SIZES[game]).initial(1).text for game in GAMES]
TEXTS = st.one_of(
    st.sampled_from(["", "0", "1", "-1", "9" * 30, "champion", "0-1", *GAMES, *POSITIONS]),
    st.builds(
        lambda one, other, at: one[:at] + other, st.sampled_from(POSITIONS), st.text(max_size=5), st.integers(0, 40)
    ),
    st.text(max_size=60),
)


def names_of(route: APIRoute) -> set[str]:
    """What the address of a page may ask for, itself or through what it depends on."""
    todo, found = [route.dependant], set[str]()
    while todo:
        one = todo.pop()
        found |= {field.alias for field in one.query_params}
        todo += one.dependencies
    return found


@pytest.mark.slow
@pytest.mark.parametrize("route", PAGES, ids=lambda route: route.path)
def test_no_address_of_a_page_is_a_server_error(known: Known, route: APIRoute) -> None:
    values = st.fixed_dictionaries({name: st.just(str(known.values[name])) | TEXTS for name in route.param_convertors})
    queries = st.fixed_dictionaries({}, optional=dict.fromkeys(sorted(names_of(route)), TEXTS))

    @given(values=values, query=queries)
    @MANY
    def asked(values: dict[str, str], query: dict[str, str]) -> None:
        path = route.path.format(**{name: quote(value, safe="") or "-" for name, value in values.items()})
        given = {name: value.encode("utf-8", "replace") for name, value in query.items()}
        answer = known.client.get(f"{path}?{urlencode(given)}", headers={"accept": "text/html"}, follow_redirects=False)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text[:300]

    asked()


def sent(known: Known, case: schemathesis.Case, values: dict[str, str]) -> Any:
    """The answer to a request, with these values in its path."""
    given = case.as_transport_kwargs(base_url="http://127.0.0.1")
    path = case.path.format(**{name: quote(value, safe="") or "-" for name, value in values.items()})
    kept = {name: given[name] for name in ("params", "json", "headers") if name in given}
    if given.get("data"):
        kept["content"] = given["data"]
    begin = time.monotonic()
    answer = known.client.request(case.method, path, follow_redirects=False, **kept)
    assert time.monotonic() - begin < PATIENCE
    return answer


@pytest.mark.parametrize("path", ["/games/0", "/games/99999999999999999999", "/contests/x", "/play/x", "/watch/run/x"])
def test_pages_that_the_description_does_not_list_say_no_in_words(known: Known, path: str) -> None:
    assert known.client.get(path, headers={"accept": "text/html"}).status_code in (404, 422)


def test_what_is_no_json_or_too_deep_is_refused(known: Known) -> None:
    headers = {"content-type": "application/json"}
    for body in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"game": ' * 20_000, b"null", b"1e400", b'"\\ud800"'):
        answer = known.client.post("/api/tables", content=body, headers=headers)
        assert answer.status_code in (400, 422), body[:20]
