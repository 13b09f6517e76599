"""Compiled kernels on disk: a file for each kernel and signature, in a folder named by the fingerprint of the sources.

Numba's own cache is not safe here: it does not see that a method in another file changed, and two processes that
compile at once overwrite each other's index. Here there is no index, and so nothing to lock. A file's name is the hash
of everything the machine code depends on, it is written beside its place and moved there in one step, and it starts
with a checksum; so whoever writes last writes the same, and whatever cannot be read (truncated, forbidden, a class that
is gone) is a miss.
The files are pickles: the folder belongs to the user alone, and one that does not is not used.
"""

import contextlib
import hashlib
import json
import logging
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys

from harena.files import PRIVATE, atomic_write
from harena.kernel.cache_files import is_private, make_private
from harena.kernel.fingerprint import fingerprint, is_ours, type_text
from harena.kernel.upkeep import SOURCES_FILE, SUFFIX, cache_root

log = logging.getLogger("harena")
_said: set[str] = set()


class KernelCache(_Cache):
    """The cache of one kernel, in the place where a Numba dispatcher keeps its own."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder of all kernels."""
        return str(cache_root())

    def enable(self) -> None:
        """Use the disk (the default)."""
        self._enabled = True

    def disable(self) -> None:
        """Leave the disk alone."""
        self._enabled = False

    def flush(self) -> None:
        """Nothing is held in memory."""

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel for this signature, or None: then Numba compiles it."""
        if not self._enabled:
            return None
        if is_ours(self._function, getattr(signature, "args", signature)):
            rtsys.initialize(target_context)  # all that code of ours needs: a refresh imports scipy, a quarter second
        else:
            target_context.refresh()
        try:
            place = self._place(signature, target_context.codegen())
            payload = place and _read(place[0])
            if not payload:
                return None
            result = CompileResult._rebuild(target_context, *pickle.loads(payload))  # type: ignore[no-untyped-call]
            _announce(result.library)
            return result
        except Exception as error:  # whatever is wrong with the file, compiling anew is right
            log.debug("%s: not loaded from the cache: %r", self._function.__qualname__, error)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a freshly compiled kernel, where that is safe and possible."""
        if not self._enabled or not _is_keepable(result):
            return
        try:
            place = self._place(signature, result.codegen)
            if place is None:
                return
            path, sources = place
            payload = pickle.dumps(result._reduce())
            _make_folder(path.parent, sources)
            atomic_write(path, hashlib.sha256(payload).digest() + payload, PRIVATE)
        except OSError as error:
            _say_once(
                f"compiled code cannot be kept in {cache_root()} ({error.strerror}): every start compiles anew; "
                "set HARENA_CACHE to another folder"
            )
        except Exception as error:  # a class inside a function, a generator ...: what pickle cannot name
            log.debug("%s: not kept: %r", self._function.__qualname__, error)

    def _place(self, signature: Any, codegen: Any) -> tuple[Path, dict[str, str]] | None:
        """The file's path (folder: the sources; name: kernel, argument types, compiler, processor) and the sources.

        None where the sources cannot be told.
        """
        types = getattr(signature, "args", signature)
        function = self._function
        identity = (
            function.__module__,
            function.__qualname__,
            function.__code__.co_firstlineno,
            [type_text(numba_type) for numba_type in types],
            codegen.magic_tuple(),
            numba.__version__,
            sys.version_info[:3],
        )
        made_from = fingerprint(function, types)
        if made_from is None:
            return None
        folder, sources = made_from
        name = hashlib.sha256(repr(identity).encode()).hexdigest()[:24]
        return cache_root() / folder / f"{function.__name__}-{name}{SUFFIX}", sources


def _is_keepable(result: Any) -> bool:
    """Code with unresolved recursion crashes when loaded; code with addresses of this process is useless later."""
    if result.lifted or result.library.has_dynamic_globals:
        return False
    return ".numba.unresolved$" not in result.library.get_llvm_str()


def _announce(library: Any) -> None:
    """Let recursion that is compiled later find this code: Numba looks only in what it compiled itself."""
    library.codegen._rtlinker.scan_defined_symbols(library._shared_module)
    library.codegen._rtlinker.resolve(library.codegen._engine)


def _read(path: Path) -> bytes | None:
    """The payload of a file that is there, ours and whole; reading it counts as using it."""
    if not path.exists() or not (is_private(path.parent.parent) and is_private(path.parent)):
        return None
    content = path.read_bytes()
    checksum, payload = content[:32], content[32:]
    if hashlib.sha256(payload).digest() != checksum:
        return None
    with contextlib.suppress(OSError):  # a read-only cache serves as well
        os.utime(path)
    return payload


def _make_folder(folder: Path, sources: dict[str, str]) -> None:
    make_private(folder)
    if not (folder / SOURCES_FILE).exists():
        atomic_write(folder / SOURCES_FILE, json.dumps(sources, indent=1).encode(), PRIVATE)


def _say_once(message: str) -> None:
    if message not in _said:
        _said.add(message)
        log.warning("harena: %s", message)
