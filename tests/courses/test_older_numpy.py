"""Names that numpy removed from 1.20 to 2.4: each is used by an agent and by its helper module in a real process."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot
from harena.courses.hosting import older_numpy
from harena.courses.hosting.rewriting import AgentLoader, rewrite

HOSTING = Path(older_numpy.__file__).parents[1]
NAMES = {  # by the name, an expression that is true
    "bool": "np.bool(1) == True",
    "int": "np.int is int",
    "float": "np.float is float",
    "complex": "np.complex is complex",
    "object": "np.object is object",
    "str": "np.str is str",
    "unicode": "np.unicode is str",
    "long": "np.long(3) == 3",
    "bool8": "np.bool8 is np.bool_",
    "int0": "np.int0 is np.intp",
    "uint0": "np.uint0 is np.uintp",
    "void0": "np.void0 is np.void",
    "object0": "np.object0 is np.object_",
    "str0": "np.str0 is np.str_",
    "bytes0": "np.bytes0 is np.bytes_",
    "float_": "np.zeros(2, dtype=np.float_).dtype == np.float64",
    "complex_": "np.complex_ is np.complex128",
    "longfloat": "np.longfloat is np.longdouble",
    "singlecomplex": "np.singlecomplex is np.complex64",
    "cfloat": "np.cfloat is np.complex128",
    "clongfloat": "np.clongfloat is np.clongdouble",
    "longcomplex": "np.longcomplex is np.clongdouble",
    "string_": "np.string_ is np.bytes_",
    "unicode_": "np.unicode_ is np.str_",
    "Inf": "np.Inf == np.inf",
    "Infinity": "np.Infinity == np.inf",
    "infty": "np.infty == np.inf",
    "PINF": "np.PINF == np.inf",
    "NINF": "np.NINF == -np.inf",
    "NaN": "np.isnan(np.NaN)",
    "PZERO": "np.PZERO == 0 and not np.signbit(np.PZERO)",
    "NZERO": "np.NZERO == 0 and np.signbit(np.NZERO)",
    "mat": "np.mat('1 2; 3 4')[1, 0] == 3",
    "product": "np.product([2, 3]) == 6",
    "cumproduct": "list(np.cumproduct([2, 3])) == [2, 6]",
    "sometrue": "np.sometrue([0, 1])",
    "alltrue": "not np.alltrue([0, 1])",
    "in1d": "list(np.in1d([[1, 2], [3, 4]], [2, 3])) == [False, True, True, False]",
    "row_stack": "np.row_stack(([1], [2])).shape == (2, 1)",
    "trapz": "np.trapz([1, 2, 3]) == 4",
    "msort": "np.msort([[3, 1], [2, 4]]).tolist() == [[2, 1], [3, 4]]",
    "find_common_type": "np.find_common_type([np.float32], [np.int64]) == np.float32",
    "cast": "np.cast['int8']([1.5]).dtype == np.int8",
    "source": "np.source(np.source) is None",
    "lookfor": "np.lookfor('sort') is None",
    "who": "np.who({'a': np.zeros(1)}) is None",
    "deprecate": "np.deprecate(len)([1]) == 1 == np.deprecate(message='x')(len)([1])",
    "deprecate_with_doc": "np.deprecate_with_doc('x')(len)([1]) == 1",
    "disp": "np.disp('x') is None",
    "safe_eval": "np.safe_eval('[1]') == [1]",
    "asfarray": "np.asfarray([1, 2]).dtype == np.float64",
    "issctype": "np.issctype(np.int32) and not np.issctype(3)",
    "maximum_sctype": "np.maximum_sctype(np.int8) is np.int64",
    "obj2sctype": "np.obj2sctype(np.array([1.0])) is np.float64",
    "sctype2char": "np.sctype2char(np.float64) == 'd'",
    "sctypes": "np.float32 in np.sctypes['float']",
    "issubclass_": "np.issubclass_(bool, int) and not np.issubclass_(1, int)",
    "issubsctype": "np.issubsctype(np.float64, np.floating)",
    "set_string_function": "np.set_string_function(None) is None",
    "byte_bounds": "np.byte_bounds(np.zeros(2, np.int8))[1] - np.byte_bounds(np.zeros(1, np.int8))[0] != 0",
    "compare_chararrays": "np.compare_chararrays(np.array(['a']), np.array(['a']), '==', True).all()",
    "compat": "np.compat.asbytes('a') == b'a'",
    "math": "np.math.sqrt(4) == 2",
    "typeDict": "np.typeDict['float64'] is np.float64",
    "asscalar": "np.asscalar(np.array([3])) == 3",
    "alen": "np.alen([1, 2]) == 2 and np.alen(7) == 1",
    "loads": "np.loads(np.zeros(2).dumps()).shape == (2,)",
    "ndfromtxt": "np.ndfromtxt(['1 2']).tolist() == [1, 2]",
    "mafromtxt": "np.mafromtxt(['1 2']).tolist() == [1, 2]",
    "recfromtxt": "np.recfromtxt(['1 2', '3 4']).shape == (2, 2)",
    "recfromcsv": "np.recfromcsv(['A,B', '1,2', '3,4']).b.tolist() == [2, 4]",
    "DataSource": "callable(np.DataSource)",
    "round_": "np.round_(1.26, 1) == 1.3",
    "tracemalloc_domain": "np.tracemalloc_domain > 0",
    "nbytes": "np.nbytes[np.int64] == 8",
    "geterrobj": "np.geterrobj()[0] == 8192",
    "seterrobj": "np.seterrobj([8192, 521, None]) is None",
    "fastCopyAndTranspose": "np.fastCopyAndTranspose(np.zeros((2, 3))).shape == (3, 2)",
    "set_numeric_ops": "np.set_numeric_ops() is not None",
    "add_newdoc": "callable(np.add_newdoc)",
    "add_docstring": "callable(np.add_docstring)",
    "add_newdoc_ufunc": "callable(np.add_newdoc_ufunc)",
    "get_array_wrap": "callable(np.get_array_wrap(np.zeros(1)))",
    "format_parser": "np.format_parser(['f8'], ['x'], []).dtype.names == ('x',)",
    "chararray": "np.chararray((2,)).shape == (2,)",
    "MachAr": "np.MachAr().eps == np.finfo(float).eps",
    "AxisError": "issubclass(np.AxisError, Exception)",
    "ComplexWarning": "issubclass(np.ComplexWarning, Warning)",
    "ModuleDeprecationWarning": "issubclass(np.ModuleDeprecationWarning, Warning)",
    "RankWarning": "issubclass(np.RankWarning, Warning)",
    "TooHardError": "issubclass(np.TooHardError, Exception)",
    "VisibleDeprecationWarning": "issubclass(np.VisibleDeprecationWarning, Warning)",
    "dual": "np.dual.norm([3, 4]) == 5",
    "numarray": "np.numarray == 'removed'",
    "oldnumeric": "np.oldnumeric == 'removed'",
    **{name: f"np.{name} is not None" for name in older_numpy.CONSTANTS if name.isupper() and len(name) > 5},
    "CLIP": "np.CLIP == 0",
    "WRAP": "np.WRAP == 1",
    "RAISE": "np.RAISE == 2",
    "fv": "round(float(np.fv(0.05 / 12, 120, -100, -100)), 2) == 15692.93",
    "pv": "round(float(np.pv(0.05 / 12, 120, -100, 15692.93)), 2) == -100.0",
    "pmt": "round(float(np.pmt(0.075 / 12, 180, 200000)), 2) == -1854.02",
    "nper": "round(float(np.nper(0.07 / 12, -150, 8000)), 3) == 64.073",
    "ipmt": "round(float(np.ipmt(0.0824 / 12, 1, 12, 2500)), 2) == -17.17",
    "ppmt": "round(float(np.ppmt(0.0824 / 12, 1, 12, 2500)), 2) == -200.58",
    "npv": "round(float(np.npv(0.281, [-100, 39, 59, 55, 20])), 2) == -0.01",
    "irr": "round(float(np.irr([-100, 39, 59, 55, 20])), 5) == 0.28095",
    "mirr": "round(float(np.mirr([-100, 50, 60], 0.1, 0.1)), 4) == 0.0724",
    "rate": "abs(np.rate(10, 0, -3500, 10000) - 0.1107) < 1e-4",
    "linalg.linalg": "issubclass(np.linalg.linalg.LinAlgError, Exception)",
    "fft.helper": "callable(np.fft.helper.fftfreq)",
    "core": "callable(np.core.multiarray.array)",
}
METHODS = {
    "tostring": "A.tostring() == A.tobytes() and A.T.tostring('F') == A.T.tobytes('F')",
    "tostring of a scalar": "np.int8(7).tostring() == b'\\x07'",
    "tostring of the type": "[np.ndarray.tostring(A)] == list(map(np.ndarray.tostring, [A]))",
    "tostring by getattr": "getattr(A, 'tostring')() == A.tobytes()",
    "tostring with a default": "getattr(A, 'tostring', None) is None or hasattr(A, 'tostring')",
    "itemset": "(A.itemset(1, 5), A.itemset((1, 0), 6), A.itemset(1, 1, 7)) and A.tolist() == [[1, 5], [6, 7]]",
    "itemset of an only element": "S.itemset(9) is None and S[0] == 9",
    "newbyteorder": "np.array([1], '<i2').newbyteorder()[0] == 256 == np.array([1], '<i2')[0].newbyteorder()",
    "ptp": "A.ptp() == 3 and A.ptp(axis=0).tolist() == [2, 2] and A[0].ptp() == 1 and np.ptp(A) == 3",
    "mini": "np.ma.masked_array([3, 1]).mini() == 1",
    "ndincr": "np.ndindex(2).ndincr() is not False",
    "iteritems": "[name for name, _ in Z.iteritems()] == ['a']",
    "iterkeys": "list(Z.iterkeys()) == ['a']",
    "get_data": "A.ctypes.get_data() == A.ctypes.data",
    "get_shape": "list(A.ctypes.get_shape()) == [2, 2]",
    "get_strides": "len(A.ctypes.get_strides()) == 2",
    "get_as_parameter": "A.ctypes.get_as_parameter() is not None",
    "updateifcopy": "A.flags.updateifcopy is False",
    "machar": "np.finfo(float).machar.eps == np.finfo(float).eps",
    "interpolation": "np.percentile([1, 2], 50, interpolation='lower') == 1 == np.quantile([1, 2], 0.5, "
    "interpolation='lower')",
    "interpolation, nan": "np.nanpercentile([1, 2], 50, interpolation='lower') == 1 == np.nanquantile([1, 2], 0.5, "
    "interpolation='lower')",
    "normed": "np.histogram([1, 2], bins=2, normed=True)[0].tolist() == [1, 1]",
    "newshape": "np.reshape(A, newshape=4).shape == (4,)",
    "dims": "np.unravel_index(3, dims=(2, 2)) == (1, 1)",
    "bias and ddof": "np.corrcoef([1, 2], [1, 2], bias=True, ddof=1).shape == (2, 2)",
    "style": "np.array2string(A, style=repr) == str(A)",
    "y": "np.isposinf([np.inf], y=np.zeros(1, bool))[0]",
    "fix_imports": "np.save(__import__('io').BytesIO(), A, fix_imports=True) is None",
    "sum of a generator": "np.sum(x for x in (1, 2)) == 3 and A.sum() == 10",
    "fromstring": "np.fromstring(A.tostring(), dtype=A.dtype).tolist() == [1, 2, 3, 4]",
    "fromstring of text": "np.fromstring('1 2', sep=' ').tolist() == [1, 2]",
    "one's own method": "Own().tostring() == 'mine' and Own.ptp == 4 and Own().sum(x for x in [2]) == [2]",
    "a missing one": "raises(lambda: [].tostring()) == \"'list' object has no attribute 'tostring'\"",
    "one that is set": "put(Own()).itemset == 3",
    "a chain": "A.newbyteorder().newbyteorder().tostring() == A.tobytes()",
    "tostring again and again": "{A.tostring(), A.tostring(), np.zeros(1).tostring()} == {A.tobytes(), bytes(8)}",
    "a pattern": "matched(Own) == 'four'",
    "a function for numba": "compiled(A) == 'not rewritten' or hasattr(A, 'ptp')",
}
IMPORTS = {
    "numpy.linalg.linalg": "from numpy.linalg.linalg import norm",
    "numpy.fft.helper": "from numpy.fft.helper import fftfreq",
    "numpy.testing.utils": "from numpy.testing.utils import assert_equal",
    "numpy.dual": "from numpy.dual import svd, fft",
    "numpy.compat": "from numpy.compat.py3k import asstr",
    "numpy.lib.function_base": "from numpy.lib.function_base import average",
    "numpy.lib.arraysetops": "import numpy.lib.arraysetops as sets; sets.unique",
    "numpy.core.fromnumeric": "from numpy.core.fromnumeric import shape",
    "a name": "from numpy import float_, in1d, Inf",
    "a star": "from numpy import *; float_, Inf, product, alltrue",
}
PROLOGUE = """
import io
import warnings
warnings.simplefilter("ignore")
import numpy as np

class Own:
    ptp = 4
    def tostring(self): return "mine"
    def sum(self, values): return list(values)

def put(thing):
    thing.itemset = 3
    thing.ptp = 5
    del thing.ptp
    return thing

def raises(function):
    try:
        function()
    except AttributeError as error:
        return str(error)

def matched(kind):
    match kind.ptp:
        case Own.ptp:
            return "four"

def njit(function): return function

@njit
def compiled(array):
    try:
        return array.ptp() if hasattr(array, "ptp") else array.ptp
    except AttributeError:
        return "not rewritten"

file = io.BytesIO()
np.savez(file, a=np.zeros(1))
file.seek(0)
Z = np.load(file)
DONE = {}

def case(name, function):
    global A, S
    A, S = np.array([[1, 2], [3, 4]], dtype=np.int64), np.zeros(1)
    try:
        DONE[name] = bool(function())
    except Exception as error:
        DONE[name] = f"{type(error).__name__}: {error}"
"""
DRIVER = """
import sys, json
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from hosting import host, importing
folder = Path(sys.argv[2])
host.prepare("comp424")
host.install_loader(folder)
importing.prepare("comp424", folder, folder)
agent = importing.load(folder / "agent.py", "agent")
print("\\n" + json.dumps([agent.DONE, agent.helper.DONE]))
"""


def run_in_host(folder: Path) -> Any:
    """What the two files of a folder counted, imported as a host imports an agent."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(HOSTING), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("submission")
    cases = {**NAMES, **METHODS}
    lines = [f"case({name!r}, lambda: {text})" for name, text in cases.items()]
    imports = [f"def run():\n    {text}\n    return True" for name, text in IMPORTS.items() if name != "a star"]
    known = [name for name in IMPORTS if name != "a star"]
    lines += [f"{text}\ncase({name!r}, run)" for name, text in zip(known, imports, strict=True)]
    text = PROLOGUE + "\n".join(lines) + "\n"
    (folder / "helper.py").write_text(text)
    (folder / "starred.py").write_text(IMPORTS["a star"] + "\n")
    (folder / "agent.py").write_text(text + "import helper\ncase('a star', lambda: __import__('starred'))\n")
    return run_in_host(folder)


@pytest.mark.process
@pytest.mark.parametrize("name", [*NAMES, *METHODS, *IMPORTS])
def test_a_name_that_numpy_removed_is_served(name: str, found: Any) -> None:
    agent, helper = found
    assert agent[name] is True
    assert name == "a star" or helper[name] is True


def test_every_served_name_is_tested() -> None:
    served = {*older_numpy.BUILTIN_TYPES, *older_numpy.CONSTANTS, *older_numpy.RENAMED, *older_numpy.PLAIN}
    served |= {function.__name__ for function in older_numpy.FUNCTIONS} | {"cast", "nbytes", "sctypes", "MachAr"}
    assert served <= set(NAMES)
    assert {*older_numpy.METHODS, *older_numpy.PROPERTIES} <= set(METHODS)


# In games

COLOSSEUM = """
import numpy as np
from agents.agent import Agent
from store import register_agent
from agents.table import key

@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.table = {}

    def step(self, chess_board, my_pos, adv_pos, max_step):
        self.table[key(chess_board)] = np.alltrue(chess_board >= np.bool(0))
        free = np.flatnonzero(~chess_board[my_pos])
        return my_pos, free[-1 + 0 * free.ptp()]
"""
TABLE = "def key(board):\n    return board.tostring()\n"
TRAP = """
from BaseAI import BaseAI
from Utils import *

class PlayerAI(BaseAI):
    def setPosition(self, position): self.position = position
    def getPosition(self): return self.position
    def setPlayerNum(self, number): self.number = number
    def getMove(self, grid):
        cells = grid.get_neighbors(self.position, only_available=True)
        return cells[np.argmin([manhattan_distance(cell, (3, 3)) for cell in cells])]
    def getTrap(self, grid):
        return grid.getAvailableCells()[0]
"""


def play_two(game: str, agent: str, opponent: str) -> list[str]:
    """The reasons for which two games ended, seats swapped."""
    size = {"size": 6 if game == "colosseum" else 7}
    spec = Spec(game=game, variants=[size], agents=[agent, opponent], limits={"seconds": 60.0}, local=True)
    contest = Contest(spec)
    contestants: dict[int, Any] = {}
    slots = [Slot(a=0, b=1, pair=0, swapped=swapped) for swapped in (False, True)]
    try:
        return [f"{record.reason} {record.detail}" for record in (contest.play(slot, contestants) for slot in slots)]
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()


@pytest.mark.process
def test_an_agent_that_uses_tostring_in_a_helper_plays_on(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "student_agent.py").write_text(COLOSSEUM)
    (tmp_path / "agents" / "table.py").write_text(TABLE)
    assert play_two("colosseum", f"comp424:{tmp_path}", "random_agent") == ["rules ", "rules "]


@pytest.mark.process
def test_utils_of_trap_bring_np_by_a_star_import(tmp_path: Path) -> None:
    (tmp_path / "PlayerAI.py").write_text(TRAP)
    assert play_two("trap", f"w4701:{tmp_path}", "random") == ["rules ", "rules "]


# What is compiled


def test_a_file_without_lost_names_is_compiled_as_python_does() -> None:
    loader = AgentLoader("x", "x.py")
    for text in ("a = [1]\nb = a.count(1)\n", "import numpy as np\n\nc = np.sum([1]) + sum(x for x in [1])\n"):
        assert loader.source_to_code(text.encode(), "x.py") == compile(text, "x.py", "exec", dont_inherit=True)
    with pytest.raises(SyntaxError, match="unmatched"):
        loader.source_to_code(b"a.tostring(\n)) = :", "x.py")


def test_only_reads_are_rewritten_and_their_places_stay() -> None:
    text = "a.ptp = 1\ndel a.ptp\nb = (a\n     .tostring)\nclass A:\n    def ptp(self): ...\n"
    tree = ast.parse(text)
    assert rewrite(tree)
    (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert (call.lineno, call.col_offset, call.end_lineno, call.end_col_offset) == (3, 5, 4, 14)
