"""The token of a server that others can reach: the same after a restart, and nobody else's to read."""

import os
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from harena.cli.serve import serve_page
from harena.errors import UsageError
from harena.web import tokens
from harena.web.config import Config
from harena.web.tokens import VARIABLE, file_of, kept_token


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "new" / "games.sqlite"


def test_it_is_made_once_and_another_when_that_is_asked(store: Path) -> None:
    first = kept_token(store)
    assert kept_token(store) == first and len(first) == 32
    assert file_of(store).stat().st_mode & 0o777 == 0o600
    other = kept_token(store, new=True)
    assert other != first and kept_token(store) == other
    assert [path.name for path in store.parent.iterdir()] == ["games.sqlite.token"]


def test_the_environment_says_one_and_agents_do_not_inherit_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "a-token-of-the-class")
    assert kept_token(store) == "a-token-of-the-class" and VARIABLE not in os.environ and not store.parent.exists()
    for text in ("short", "with a blank in it, and long", ""):
        monkeypatch.setenv(VARIABLE, text)
        with pytest.raises(UsageError, match="16 to 200 letters"):
            kept_token(store)
    monkeypatch.setenv(VARIABLE, "a-token-of-the-class")
    with pytest.raises(UsageError, match="leave one of them out"):
        kept_token(store, new=True)


def test_a_file_that_others_may_know_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token, path = kept_token(store), file_of(store)
    path.chmod(0o640)
    with pytest.raises(UsageError, match="not yours alone"):
        kept_token(store)
    path.chmod(0o600)
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(UsageError, match="not yours alone"):
        kept_token(store)
    monkeypatch.undo()
    elsewhere = path.rename(path.with_name("elsewhere"))
    path.symlink_to(elsewhere)
    with pytest.raises(UsageError, match="cannot be read"):
        kept_token(store)
    assert kept_token(store, new=True) != token and not path.is_symlink()


def test_what_holds_no_token_is_said(store: Path) -> None:
    path = file_of(store)
    path.parent.mkdir()
    path.touch(0o600)
    with pytest.raises(UsageError, match="holds no token; --new-token"):
        kept_token(store)
    path.unlink()
    path.mkdir()
    with pytest.raises(UsageError, match="is no file"):
        kept_token(store)
    with pytest.raises(UsageError, match="cannot be kept"):
        kept_token(store, new=True)
    assert len(list(path.parent.iterdir())) == 1


@pytest.mark.parametrize(
    ("public", "new", "is_kept"), [(True, False, True), (False, False, False), (False, True, True)]
)
def test_only_a_server_that_wants_a_token_keeps_one(
    store: Path, monkeypatch: pytest.MonkeyPatch, public: bool, new: bool, is_kept: bool
) -> None:
    served: list[Config] = []

    def run(server: uvicorn.Server, sockets: Any) -> None:
        served.append(server.config.app.state.config)  # type: ignore[union-attr]
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", run)
    given: dict[str, Any] = {"agents": [], "browser": False, "sandbox": "off", "store": str(store)}
    serve_page(0, "127.0.0.1", public=public, new_token=new, **given)
    assert file_of(store).exists() == is_kept
    assert not is_kept or served[0].token == kept_token(store) == tokens.kept_token(store)
