"""The filter of system calls as a program: every number on every processor, without running it in a kernel."""

import errno
import re
import struct
from pathlib import Path

import pytest

from harena.sandbox.inside import seccomp, syscalls

HEADERS_BY_MACHINE = {
    "x86_64": [Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm/unistd_64.h")],
    "aarch64": [Path("/usr/include/asm-generic/unistd.h")],
}
ALLOWED, REFUSED, SUCCESS, UNSEEN = "allowed", "refused", "success", "unseen"
TABLES = {
    ALLOWED: syscalls.ALLOWED,
    REFUSED: syscalls.REFUSED,
    SUCCESS: syscalls.PRETENDED,
    UNSEEN: syscalls.UNSEEN,
    "checked": syscalls.CHECKED,
}
OUTCOMES = {
    seccomp.ALLOW: ALLOWED,
    seccomp.NOTIFY: REFUSED,
    seccomp.ERROR: SUCCESS,
    seccomp.ERROR | errno.ENOSYS: UNSEEN,
    seccomp.KILL: "killed",
}
O_NONBLOCK, O_ASYNC = 0o4000, 0o20000
CLONE_THREAD, CLONE_FORK, NEW_USER, NEW_PID = 0x003D0F00, 0x01200011, 1 << 28, 1 << 29
CASES = [
    *[("clone", [flags], ALLOWED) for flags in (CLONE_THREAD, CLONE_FORK, 0x4111)],
    *[("clone", [flags], REFUSED) for flags in (NEW_USER | 17, NEW_PID | 17, 1 << 17, 1 << 25, 18, CLONE_THREAD | 18)],
    *[
        (name, [family], ALLOWED if family == 1 else REFUSED)
        for name in ("socket", "socketpair")
        for family in range(45)
    ],
    *[("fcntl", [3, command, 0], ALLOWED) for command in (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032)],
    *[("fcntl", [3, command, 0], REFUSED) for command in (8, 9, 10, 11, 15, 16, 1024, 1026, 999)],
    *[("fcntl", [3, 4, flags], ALLOWED) for flags in (O_NONBLOCK, O_NONBLOCK | 0o2000, 0)],
    *[("fcntl", [3, 4, flags], REFUSED) for flags in (O_ASYNC, O_ASYNC | O_NONBLOCK)],
    *[("ioctl", [0, command], ALLOWED) for command in (0x5401, 0x5413, 0x541B, 0x5421, 0x5451)],
    *[("ioctl", [0, command], REFUSED) for command in (0x5452, 0x8901, 0x8902, 0x5412, 0x541C, 0x540E)],
    *[("prctl", [option, 0], ALLOWED) for option in (3, 15, 16, 29, 38, 0x53564D41)],
    *[("prctl", [option, 0], REFUSED) for option in (4, 8, 22, 24, 28, 31, 35, 36, 47, 53, 59)],
    *[("prctl", [1, number], REFUSED if number == 18 else ALLOWED) for number in range(65)],
    *[("personality", [value], ALLOWED) for value in (0, 0xFFFFFFFF)],
    *[("personality", [value], REFUSED) for value in (0x40000, 8)],
    *[
        (name, [*[7] * place, number], REFUSED if number == 18 else ALLOWED)
        for place, names in ((1, "kill tkill rt_sigqueueinfo pidfd_send_signal"), (2, "tgkill rt_tgsigqueueinfo"))
        for name in names.split()
        for number in range(65)
    ],
]

pytestmark = pytest.mark.parametrize("machine", list(seccomp.ARCHITECTURES))


class Filter:
    """An interpreter of the kernel's filter programs, as far as ours use them."""

    def __init__(self, machine: str, refuse: int = seccomp.NOTIFY, *, counts_children: bool = False) -> None:
        steps = seccomp.program(machine, refuse, counts_children=counts_children)
        self.steps = list(struct.iter_unpack("=HBBI", steps))
        self.architecture = seccomp.ARCHITECTURES[machine]
        self.longest = 0

    def run(self, number: int, arguments: list[int], architecture: int | None = None) -> int:
        """What it returns for a call."""
        padded = [argument & (1 << 64) - 1 for argument in [*arguments, 0, 0, 0, 0, 0, 0]][:6]
        data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, architecture or self.architecture, 0, *padded)
        place = value = count = 0
        while True:
            code, then, otherwise, operand = self.steps[place]
            place, count = place + 1, count + 1
            if code == seccomp.RETURN:
                self.longest = max(self.longest, count)
                return operand
            if code == seccomp.LOAD:
                (value,) = struct.unpack_from("<I", data, operand)
            elif code == seccomp.AND:
                value &= operand
            elif code == seccomp.JUMP:
                place += operand
            else:
                holds = {
                    seccomp.EQUAL: value == operand,
                    seccomp.AT_LEAST: value >= operand,
                    seccomp.HAS: bool(value & operand),
                }[code]
                place += then if holds else otherwise


def by_number(machine: str) -> dict[int, tuple[str, str]]:
    which = list(seccomp.ARCHITECTURES).index(machine)
    return {
        number: (name, kind)
        for kind, table in TABLES.items()
        for name, number in syscalls.numbers(table, which).items()
    }


def test_every_number_is_treated_as_the_table_says(machine: str) -> None:
    program, known = Filter(machine), by_number(machine)
    for number in [*range(600), 1 << 30, (1 << 30) + 39, (1 << 30) + 520, (1 << 31), (1 << 32) - 1]:
        name, kind = known.get(number, ("none", REFUSED))
        if kind != "checked":
            assert OUTCOMES[program.run(number, [])] == kind, (number, name)
    assert program.longest <= 16  # a search, not a list: every call pays for it


def test_arguments_are_looked_at(machine: str) -> None:
    program, numbers = Filter(machine), {name: number for number, (name, _) in by_number(machine).items()}
    which = list(seccomp.ARCHITECTURES).index(machine)
    for name, arguments, wanted in CASES:
        for high in (0, 5 << 32):  # the kernel reads the low half only, and so does the filter
            given = [argument | high for argument in arguments]
            assert OUTCOMES[program.run(numbers[name], given)] == wanted, (name, arguments)
    assert {name for name, _, _ in CASES} == set(syscalls.numbers(syscalls.CHECKED, which))


def test_without_a_listener_it_refuses_the_same_calls(machine: str) -> None:
    program, plain = Filter(machine), Filter(machine, seccomp.WITHOUT_LISTENER)
    for number in range(600):
        for argument in (0, 1, 18, NEW_USER):
            first, second = (one.run(number, [argument] * 3) for one in (program, plain))
            assert second == (seccomp.WITHOUT_LISTENER if first == seccomp.NOTIFY else first)


def test_where_children_are_counted_their_end_cannot_be_ignored(machine: str) -> None:
    number = syscalls.numbers(syscalls.ALLOWED, list(seccomp.ARCHITECTURES).index(machine))["rt_sigaction"]
    usual, counting = Filter(machine), Filter(machine, counts_children=True)
    for asked, change in [(17, 0x7FFF00000001), (17, 1 << 32), (17, 5), (17, 0), (18, 5), (2, 1 << 32)]:
        wanted = SUCCESS if asked == 17 and change else ALLOWED
        assert OUTCOMES[counting.run(number, [asked, change, 0, 8])] == wanted, (asked, change)
        assert OUTCOMES[usual.run(number, [asked, change, 0, 8])] == ALLOWED
    for other in set(range(600)) - {number}:
        assert counting.run(other, [17, 18, 17]) == usual.run(other, [17, 18, 17])


def test_calls_of_another_processor_end_the_process(machine: str) -> None:
    program = Filter(machine)
    for architecture in (0x40000003, 0x40000028, *set(seccomp.ARCHITECTURES.values()) - {program.architecture}):
        assert OUTCOMES[program.run(39, [], architecture)] == "killed"


def test_no_call_is_in_two_tables(machine: str) -> None:
    which = list(seccomp.ARCHITECTURES).index(machine)
    numbers = [number for table in TABLES.values() for number in syscalls.numbers(table, which).values()]
    names = [entry.split()[0] for table in TABLES.values() for entry in table.split(",")[:-1]]
    assert len(numbers) == len(set(numbers))
    assert len(names) == len(set(names))


def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = next((path for path in HEADERS_BY_MACHINE[machine] if path.exists()), None)
    if header is None:
        pytest.skip("the kernel's headers are not installed (linux-libc-dev)")
    found = re.findall(r"#\s*define __NR(?:3264)?_(\w+)\s+(\d+)\s*$", header.read_text(), re.MULTILINE)
    renamed = {"fstatat": "newfstatat"}
    theirs = {renamed.get(name, name): int(number) for name, number in found}
    ours = {name: number for number, (name, _) in by_number(machine).items()}
    common = {name for name in ours if name in theirs}
    assert len(common) > 250
    assert {name: ours[name] for name in common} == {name: theirs[name] for name in common}
    last, no_calls = max(ours.values()), {"arch_specific_syscall", "syscalls", "sync_file_range2"}
    of_32_bits = {name for name in theirs if "time" in name and name.endswith("64")}
    known = {name for name, number in theirs.items() if number <= last} - of_32_bits - no_calls
    assert known - set(ours) == set()
