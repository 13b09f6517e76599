"""A class's folder: fifty submissions for Trap!, good, broken and hostile, each with the verdict it must get."""

import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

AGENTS = Path(__file__).parent / "agents" / "w4701"
WALKER = """
import random
from BaseAI import BaseAI

class PlayerAI(BaseAI):
    def __init__(self):
        self.pos = self.player_num = None
    def getPosition(self):
        return self.pos
    def setPosition(self, pos):
        self.pos = pos
    def getPlayerNum(self):
        return self.player_num
    def setPlayerNum(self, num):
        self.player_num = num
    def getMove(self, grid):
        return random.choice(grid.get_neighbors(self.pos, only_available=True))
    def getTrap(self, grid):
        return random.choice(grid.getAvailableCells())
"""
# What a hostile agent does before its first move. `breach` is raised when a wall has a hole.
ATTACK = """
import os, signal, socket, subprocess, sys, time
from pathlib import Path

class BREACH(Exception):
    pass

def attack():
{body}

_move = PlayerAI.getMove
def getMove(self, grid):
    global attack
    deed, attack = attack, lambda: None
    deed()
    return _move(self, grid)
PlayerAI.getMove = getMove
"""
HOSTILE = {
    "reads_others": """
for path in [Path(".."), Path("/submission/.."), Path("/"), Path.home(), Path("/tmp")]:
    for file in path.glob("*/PlayerAI.py"):
        if "submission" not in str(file) and not str(file).startswith(os.getcwd()):
            raise BREACH(str(file))
""",
    "reads_the_store": """
for folder, folders, files in os.walk("/"):
    if folder.count("/") > 3 or folder in ("/proc", "/sys", "/usr", "/lib"):
        folders.clear()
    if any(name.endswith(".sqlite") for name in files):
        raise BREACH(folder)
""",
    "writes_outside": """
for path in ["/usr/x", "/etc/x", "/submission/x", "/x", "/home/x", "/var/tmp/x"]:
    try:
        Path(path).write_text("x")
    except OSError:
        continue
    raise BREACH(path)
""",
    "goes_out": """
for address in [("127.0.0.1", PORT), ("::1", PORT)]:
    try:
        socket.create_connection(address, timeout=1)
    except OSError:
        continue
    raise BREACH("connected")
""",
    "listens": """
try:
    server = socket.socket()
    server.bind(("0.0.0.0", 0)); server.listen()
except OSError:
    pass
""",
    "kills": """
for pid in range(1, 40000):
    if pid != os.getpid():
        try:
            os.kill(pid, 0)
        except PermissionError:
            continue
        except ProcessLookupError:
            continue
        if pid > 50:
            raise BREACH(f"process {pid} can be reached")
""",
    "looks_at_processes": """
for one in Path("/proc").glob("[0-9]*"):
    try:
        words = (one / "cmdline").read_bytes()
    except OSError:
        continue
    if b"pytest" in words:
        raise BREACH(str(words))
""",
    "patches_the_arena": """
try:
    import harena.arena.play.referee
except ImportError:
    pass
else:
    raise BREACH("the arena can be imported")
""",
    "looks_for_the_seed": """
for name, value in os.environ.items():
    if "SEED" in name or "STORE" in name:
        raise BREACH(f"{name}={value}")
""",
    "leaves_a_daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(999)  # the daemon of fifty"], {})
    os._exit(0)
""",
    "answers_for_the_other": """
for descriptor in range(64):
    try:
        os.write(descriptor, b'{"type": "move", "id": 1, "move": "a1"}' + bytes([10]))
    except OSError:
        pass
""",
}
GOOD = (
    "random_walker",
    "greedy",
    "old_numpy",
    "own_name",
    "repository",
    "data_file",
    "mutating",
    "counters",
    "own_grid",
)


def with_attack(body: str, port: int) -> str:
    lines = body.strip().replace("PORT", str(port)).splitlines()
    return WALKER + ATTACK.format(body="\n".join(f"    {line}" for line in lines))


def packed(folder: Path, file: Path) -> None:
    """A folder as a zip."""
    with zipfile.ZipFile(file, "w") as archive:
        for one in sorted(folder.rglob("*")):
            archive.write(one, str(Path(folder.name) / one.relative_to(folder)))


def fill(folder: Path, port: int) -> dict[str, str]:
    """Write the submissions; the beginning of each one's verdict, by name."""
    folder.mkdir()
    expected: dict[str, str] = {}

    def single(name: str, text: str, verdict: str) -> None:
        (folder / f"{name}.py").write_text(text)
        expected[name] = verdict

    for name in GOOD:
        shutil.copytree(AGENTS / name, folder / f"folder_{name}")
        packed(AGENTS / name, folder / f"zip_{name}.zip")
        expected |= {f"folder_{name}": "graded", f"zip_{name}": "graded"}
    for number in range(3):
        single(f"file_{number}", WALKER, "graded")
    for name, body in HOSTILE.items():
        single(f"hostile_{name}", with_attack(body, port), "graded")
    single("hostile_floods", with_attack('for _ in range(3000): print("x" * 1000)', port), "graded")
    single("hostile_fork_bomb", with_attack("for _ in range(5000): os.fork() or time.sleep(9)", port), "faults: crash")
    eats = 'eaten = [b"x" * (50 << 20) for _ in range(60)]\ntime.sleep(9)'
    single("hostile_eats", with_attack(eats, port), "graded; faults: ")  # memory, or time on a busy machine
    single("hostile_fills", with_attack('Path("x").write_bytes(bytes(1 << 30))', port), "graded; faults: crash")
    _broken(folder, single, expected)
    return expected


def _broken(folder: Path, single: Callable[[str, str, str], None], expected: dict[str, str]) -> None:
    single("broken_syntax", "def getMove(:", "did not load: broken_syntax.py cannot be imported: SyntaxError")
    single(
        "broken_import",
        "import tensorflow_of_mine",
        "did not load: broken_import.py cannot be imported: ModuleNotFoundError",
    )
    single("broken_empty", "", "did not load: ")
    single("broken_loop", "import time\nwhile True: time.sleep(1)", "did not load: no answer after")
    single("broken_exit", "import os; os._exit(3)", "did not load: exit code 3")
    single(
        "broken_none", WALKER.replace("return random.choice(grid.getA", "random.choice(grid.getA"), "graded; faults: un"
    )
    single(
        "broken_slow", WALKER + "\nimport time\nPlayerAI.getTrap = lambda s, g: time.sleep(9)", "graded; faults: time"
    )
    single("broken_crash", WALKER + "\nPlayerAI.getTrap = lambda s, g: 1 / 0", "graded; faults: crash")
    single("broken_aim", WALKER + "\nPlayerAI.getTrap = lambda s, g: s.pos", "graded; faults: illegal move")
    for name, write in ZIPS.items():
        with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            write(archive)
        expected[name] = "refused: "
    (folder / "zip_garbage.zip").write_bytes(b"PK\3\4 no zip at all")
    expected["zip_garbage"] = "refused: "


def _link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("PlayerAI.py")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, "/etc/passwd")


ZIPS: dict[str, Callable[[zipfile.ZipFile], None]] = {
    "zip_traversal": lambda archive: archive.writestr("../../evil.py", WALKER),
    "zip_absolute": lambda archive: archive.writestr("/tmp/evil.py", WALKER),
    "zip_bomb": lambda archive: archive.writestr("PlayerAI.py", b"#" * (200 << 20)),
    "zip_link": _link,
}
