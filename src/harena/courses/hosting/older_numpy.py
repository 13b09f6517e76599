"""Serves the names that numpy removed from 1.20 to 2.4, wherever the installed numpy no longer has them.

* Names of the module (`np.float_`, `np.in1d`) are made when they are first asked for.
* Modules that went (`numpy.linalg.linalg`, `numpy.lib.function_base`) are copies of what replaced them.
* Methods and arguments cannot be put back, because numpy's types are immutable and its functions are known by
  identity. `rewriting` turns their uses in a submission into calls of `find_attribute` and `call`.

Not served: strings that name types (`np.dtype("bool8")`), arrays of one element that are used as numbers, and
`np.sctypeNA`, `np.typeNA`, `np.kernel_version`, `np.array_api`, whose values cannot be had any more.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import math
import os
import pickle
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Maker = Callable[[Any], Any]  # takes the module numpy, returns the value of a name

BUILTIN_TYPES: dict[str, Any] = {
    "int": int,
    "float": float,
    "complex": complex,
    "object": object,
    "str": str,
    "unicode": str,
    "bool": bool,
    "long": int,
}
CONSTANTS: dict[str, Any] = {
    "Inf": float("inf"),
    "Infinity": float("inf"),
    "infty": float("inf"),
    "PINF": float("inf"),
    "NINF": float("-inf"),
    "NaN": float("nan"),
    "PZERO": 0.0,
    "NZERO": -0.0,
    "CLIP": 0,
    "WRAP": 1,
    "RAISE": 2,
    "BUFSIZE": 8192,
    "MAXDIMS": 32,
    "ALLOW_THREADS": 1,
    "MAY_SHARE_BOUNDS": 0,
    "MAY_SHARE_EXACT": -1,
    "FLOATING_POINT_SUPPORT": 1,
    "FPE_DIVIDEBYZERO": 1,
    "FPE_OVERFLOW": 2,
    "FPE_UNDERFLOW": 4,
    "FPE_INVALID": 8,
    "ERR_IGNORE": 0,
    "ERR_WARN": 1,
    "ERR_RAISE": 2,
    "ERR_CALL": 3,
    "ERR_PRINT": 4,
    "ERR_LOG": 5,
    "ERR_DEFAULT": 521,
    "SHIFT_DIVIDEBYZERO": 0,
    "SHIFT_OVERFLOW": 3,
    "SHIFT_UNDERFLOW": 6,
    "SHIFT_INVALID": 9,
    "UFUNC_BUFSIZE_DEFAULT": 8192,
    "UFUNC_PYVALS_NAME": "UFUNC_PYVALS",
    "numarray": "removed",
    "oldnumeric": "removed",
}
RENAMED = {  # old name: the path of the new one below numpy
    "float_": "float64",
    "longfloat": "longdouble",
    "complex_": "complex128",
    "cfloat": "complex128",
    "singlecomplex": "complex64",
    "longcomplex": "clongdouble",
    "clongfloat": "clongdouble",
    "string_": "bytes_",
    "unicode_": "str_",
    "bool8": "bool_",
    "int0": "intp",
    "uint0": "uintp",
    "void0": "void",
    "object0": "object_",
    "str0": "str_",
    "bytes0": "bytes_",
    "typeDict": "sctypeDict",
    "product": "prod",
    "cumproduct": "cumprod",
    "sometrue": "any",
    "alltrue": "all",
    "row_stack": "vstack",
    "trapz": "trapezoid",
    "round_": "round",
    "mat": "asmatrix",
    "byte_bounds": "lib.array_utils.byte_bounds",
    "add_newdoc": "lib.add_newdoc",
    "add_docstring": "lib.add_docstring",
    "tracemalloc_domain": "lib.tracemalloc_domain",
    "DataSource": "lib.npyio.DataSource",
    "compare_chararrays": "char.compare_chararrays",
    "chararray": "char.chararray",
    "format_parser": "rec.format_parser",
    "AxisError": "exceptions.AxisError",
    "ComplexWarning": "exceptions.ComplexWarning",
    "ModuleDeprecationWarning": "exceptions.ModuleDeprecationWarning",
    "RankWarning": "exceptions.RankWarning",
    "TooHardError": "exceptions.TooHardError",
    "VisibleDeprecationWarning": "exceptions.VisibleDeprecationWarning",
}
PLAIN: dict[str, Any] = {  # what Python itself has
    "math": math,
    "loads": pickle.loads,
    "safe_eval": ast.literal_eval,
}
MODULES_RENAMED = {
    "numpy.linalg.linalg": "numpy.linalg",
    "numpy.fft.helper": "numpy.fft",
    "numpy.testing.utils": "numpy.testing",
}
DUAL = {
    "numpy": ("i0",),
    "numpy.fft": ("fft", "ifft", "fftn", "ifftn", "fft2", "ifft2"),
    "numpy.linalg": (
        *("norm", "inv", "svd", "solve", "det", "eig", "eigvals", "eigh", "eigvalsh", "lstsq", "pinv", "cholesky"),
    ),
}


# Names of the module


def serve_names(numpy: types.ModuleType) -> None:
    """Let a numpy that was just imported answer for the names that it has lost."""
    makers = dict(_makers())
    known: Callable[[str], Any] | None = vars(numpy).get("__getattr__")

    def find_name(name: str) -> Any:
        if name in makers:
            try:
                vars(numpy)[name] = makers[name](numpy)
            except (AttributeError, ImportError):
                pass  # this numpy has not what the name became either
            else:
                return vars(numpy)[name]
        if known is not None:
            return known(name)
        raise AttributeError(f"module 'numpy' has no attribute {name!r}")

    vars(numpy)["__getattr__"] = find_name
    if isinstance(brought := vars(numpy).get("__all__"), list):
        brought += [name for name in makers if _came_by_star(numpy, name) and name not in brought]
    if linalg := sys.modules.get("numpy.linalg"):
        vars(linalg).setdefault("linalg", linalg)
    sys.meta_path.insert(0, OldModules())


def _makers() -> Iterator[tuple[str, Maker]]:
    for values in (BUILTIN_TYPES, CONSTANTS, PLAIN, {one.__name__: one for one in FUNCTIONS}):
        yield from ((name, _constant(value)) for name, value in values.items())
    yield from ((name, _renamed(path)) for name, path in RENAMED.items())
    yield "cast", _constant(_Casts())
    yield "nbytes", _constant(_Sizes())
    yield "sctypes", _scalar_types
    yield "MachAr", _constant(MachAr)
    yield "compat", lambda _: importlib.import_module("numpy.compat")
    yield "dual", lambda _: importlib.import_module("numpy.dual")


def _constant(value: Any) -> Maker:
    return lambda _: value


def _renamed(path: str) -> Maker:
    return lambda numpy: _look_up(numpy, path)


def _came_by_star(numpy: types.ModuleType, name: str) -> bool:
    """Whether `from numpy import *` once brought this name, and numpy has lost it since."""
    if name in vars(numpy) or name in MONEY or name in BUILTIN_TYPES or name in PLAIN:
        return False
    is_simple = RENAMED.get(name) in vars(numpy) or isinstance(CONSTANTS.get(name), float)
    return is_simple or name in {one.__name__ for one in FUNCTIONS} or name in ("cast", "nbytes", "sctypes")


def _look_up(numpy: Any, path: str) -> Any:
    *modules, name = path.split(".")
    if modules:
        return getattr(importlib.import_module(".".join(("numpy", *modules))), name)
    return vars(numpy)[name] if name in vars(numpy) else getattr(numpy, name)


def _numpy() -> Any:
    return sys.modules["numpy"]


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, **more: Any) -> Any:
    """Whether each element of the first is in the second, as a flat array."""
    return _numpy().isin(_numpy().ravel(ar1), ar2, assume_unique=assume_unique, invert=invert, **more)


def msort(a: Any) -> Any:
    """A copy sorted along the first axis."""
    return _numpy().sort(a, axis=0)


def asscalar(a: Any) -> Any:
    """The only element as a Python number."""
    return a.item()


def alen(a: Any) -> int:
    """The length of the first axis; 1 of a number."""
    try:
        return len(a)
    except TypeError:
        return 1


def asfarray(a: Any, dtype: Any = float) -> Any:
    """An array of floats, or of a given inexact type."""
    np = _numpy()
    wanted = np.dtype(dtype)
    return np.asarray(a, dtype=wanted if np.issubdtype(wanted, np.inexact) else np.float64)


def fastCopyAndTranspose(a: Any) -> Any:  # noqa: N802  numpy's name
    """A copy of the transpose."""
    return _numpy().asarray(a).T.copy()


def find_common_type(array_types: Iterable[Any], scalar_types: Iterable[Any]) -> Any:
    """The type that arrays and scalars of these types have in common; a scalar counts only by its kind."""
    np = _numpy()
    arrays, scalars = [np.dtype(one) for one in array_types], [np.dtype(one) for one in scalar_types]
    try:
        if not arrays or not scalars:
            return np.result_type(*arrays, *scalars)
        of_arrays, of_scalars = np.result_type(*arrays), np.result_type(*scalars)
        kinds = "buifc"
        if of_arrays.kind in kinds and of_scalars.kind in kinds:
            return of_scalars if kinds.index(of_scalars.kind) > kinds.index(of_arrays.kind) else of_arrays
        return np.result_type(of_arrays, of_scalars)
    except TypeError:
        return np.dtype(object)


def issctype(rep: Any) -> bool:
    """Whether it is a scalar type or a dtype."""
    np = _numpy()
    if not isinstance(rep, (type, np.dtype)):
        return False
    found = obj2sctype(rep)
    return found is not None and found is not np.object_


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """The scalar type of a type, a dtype or an array; the default if there is none."""
    np = _numpy()
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    if isinstance(rep, np.ndarray):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except (TypeError, ValueError):
        return default


def sctype2char(sctype: Any) -> str:
    """The letter of a scalar type."""
    found = obj2sctype(sctype)
    if found is None:
        raise ValueError("unrecognized type")
    return str(_numpy().dtype(found).char)


def maximum_sctype(t: Any) -> Any:
    """The largest type of the same kind."""
    np, found = _numpy(), obj2sctype(t)
    if found is None:
        return t
    largest = {"i": np.int64, "u": np.uint64, "f": np.longdouble, "c": np.clongdouble}
    return largest.get(np.dtype(found).kind, found)


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """Whether one is a subclass of the other; False of what is no class."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def issubsctype(arg1: Any, arg2: Any) -> bool:
    """Whether one scalar type is a subclass of the other."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Print a message."""
    print(mesg, end="\n" if linefeed else "", file=device)


def source(object: Any, output: Any = None) -> None:  # noqa: A002  numpy's name
    """Print the source of a function or class."""
    try:
        print(inspect.getsource(object), file=output)
    except (OSError, TypeError):
        print("Not available for this object.", file=output)


def who(vardict: Mapping[str, Any] | None = None) -> None:
    """Print the arrays of a dictionary."""
    for name, value in (vardict or {}).items():
        if isinstance(value, _numpy().ndarray):
            print(name, value.shape, value.nbytes, value.dtype)


def lookfor(*arguments: Any, **keywords: Any) -> None:
    """Do nothing: it searched the documentation."""


def set_string_function(*arguments: Any, **keywords: Any) -> None:
    """Do nothing: it changed how arrays are printed."""


def add_newdoc_ufunc(*arguments: Any, **keywords: Any) -> None:
    """Do nothing: it wrote documentation."""


def set_numeric_ops(**operators: Any) -> dict[str, Any]:
    """Change nothing, and return no operators."""
    return {}


def geterrobj() -> list[Any]:
    """The values that numpy began with."""
    return [CONSTANTS["BUFSIZE"], CONSTANTS["ERR_DEFAULT"], None]


def seterrobj(errobj: Any) -> None:
    """Change nothing."""


def get_array_wrap(*arrays: Any) -> Any:
    """The `__array_wrap__` of the argument with the highest priority; None if there is none."""
    wraps = [
        (getattr(one, "__array_priority__", 0), -number, one.__array_wrap__)
        for number, one in enumerate(arrays)
        if hasattr(one, "__array_wrap__")
    ]
    return max(wraps)[-1] if wraps else None


def deprecate(*arguments: Any, **keywords: Any) -> Any:
    """A function as it is, or a decorator that leaves it so."""
    return arguments[0] if arguments and callable(arguments[0]) else lambda function: function


def deprecate_with_doc(msg: Any) -> Any:
    """A decorator that leaves a function as it is."""
    return lambda function: function


def ndfromtxt(fname: Any, **keywords: Any) -> Any:
    """An array from a text file."""
    return _numpy().genfromtxt(fname, **{**keywords, "usemask": False})


def mafromtxt(fname: Any, **keywords: Any) -> Any:
    """A masked array from a text file."""
    return _numpy().genfromtxt(fname, **{**keywords, "usemask": True})


def recfromtxt(fname: Any, **keywords: Any) -> Any:
    """An array of records from a text file."""
    return _numpy().genfromtxt(fname, **{"dtype": None, **keywords}).view(_numpy().recarray)


def recfromcsv(fname: Any, **keywords: Any) -> Any:
    """An array of records from a file with commas, whose first line has their names."""
    usual = {"case_sensitive": "lower", "names": True, "delimiter": ",", "dtype": None}
    return _numpy().genfromtxt(fname, **{**usual, **keywords}).view(_numpy().recarray)


# Money: the formula is fv + pv (1 + rate)^nper + pmt (1 + rate when) ((1 + rate)^nper - 1) / rate = 0

MONEY = ("fv", "pv", "pmt", "nper", "ipmt", "ppmt", "npv", "irr", "mirr", "rate")  # gone since 1.20
WHEN = {"end": 0, "e": 0, "finish": 0, "begin": 1, "b": 1, "beginning": 1, "start": 1}


def _growth(rate: Any, nper: Any, when: Any) -> tuple[Any, Any]:
    """What an amount grows by in all periods, and what a payment of 1 in each of them grows to."""
    np = _numpy()
    rate, nper = np.asarray(rate, dtype=float), np.asarray(nper, dtype=float)
    grown = (1 + rate) ** nper
    safe = np.where(rate == 0, 1.0, rate)
    return grown, np.where(rate == 0, nper, (1 + rate * WHEN.get(when, when)) * (grown - 1) / safe)


def fv(rate: Any, nper: Any, pmt: Any, pv: Any, when: Any = "end") -> Any:
    """The future value."""
    return _future_value(rate, nper, pmt, pv, when)


def _future_value(rate: Any, nper: Any, pmt: Any, pv: Any, when: Any) -> Any:
    grown, payments = _growth(rate, nper, when)
    return -(pv * grown + pmt * payments)


def pv(rate: Any, nper: Any, pmt: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The present value."""
    grown, payments = _growth(rate, nper, when)
    return -(fv + pmt * payments) / grown


def pmt(rate: Any, nper: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The payment in each period."""
    grown, payments = _growth(rate, nper, when)
    return -(fv + pv * grown) / payments


def nper(rate: Any, pmt: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The number of periods."""
    np = _numpy()
    if rate == 0:
        return -(fv + pv) / pmt
    paid = pmt * (1 + rate * WHEN.get(when, when)) / rate
    return np.log((paid - fv) / (paid + pv)) / np.log(1 + rate)


def ipmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The part of a payment that is interest."""
    np, total, begins = _numpy(), pmt(rate, nper, pv, fv, when), WHEN.get(when, when)
    interest = _future_value(rate, np.asarray(per) - 1, total, pv, when) * rate
    return np.where((np.asarray(per) == 1) & (begins == 1), 0.0, interest / (1 + rate) if begins else interest)


def ppmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """The part of a payment that is not interest."""
    return pmt(rate, nper, pv, fv, when) - ipmt(rate, per, nper, pv, fv, when)


def npv(rate: Any, values: Any) -> Any:
    """The net present value of a series; the first of it is not discounted."""
    np = _numpy()
    values = np.asarray(values, dtype=float)
    return (values / (1 + rate) ** np.arange(len(values))).sum(axis=0)


def irr(values: Any) -> Any:
    """The rate at which the net present value is 0, the one nearest to 0; nan if there is none."""
    np = _numpy()
    roots = np.roots(np.asarray(values, dtype=float)[::-1])
    real = roots[(np.abs(roots.imag) < 1e-12) & (roots.real > 0)].real
    rates = 1 / real - 1
    return rates[np.argmin(np.abs(rates))] if len(rates) else np.nan


def mirr(values: Any, finance_rate: Any, reinvest_rate: Any) -> Any:
    """The modified rate of return of a series; nan if nothing is paid or nothing comes in."""
    np = _numpy()
    values = np.asarray(values, dtype=float)
    count, gains, costs = len(values), np.maximum(values, 0), np.minimum(values, 0)
    if not gains.any() or not costs.any():
        return np.nan
    ratio = abs(npv(reinvest_rate, gains)) / abs(npv(finance_rate, costs))
    return ratio ** (1 / (count - 1)) * (1 + reinvest_rate) - 1


def rate(nper: Any, pmt: Any, pv: Any, fv: Any, when: Any = "end", guess: Any = None, tol: Any = None) -> Any:
    """The rate of interest, by the secant method; nan if none is found."""
    before, now = 0.1 if guess is None else float(guess), 0.11 if guess is None else float(guess) + 0.01
    for _ in range(100):
        errors = [pv * grown + pmt * paid + fv for grown, paid in (_growth(one, nper, when) for one in (before, now))]
        if errors[1] == errors[0]:
            break
        before, now = now, now - errors[1] * (now - before) / (errors[1] - errors[0])
        if abs(now - before) < (1e-6 if tol is None else float(tol)):
            return float(now)
    return float(now) if abs(errors[1]) < 1e-6 else float("nan")


FUNCTIONS: tuple[Callable[..., Any], ...] = (
    *(in1d, msort, asscalar, alen, asfarray, fastCopyAndTranspose, find_common_type, issctype, obj2sctype),
    *(sctype2char, maximum_sctype, issubclass_, issubsctype, disp, source, who, lookfor, set_string_function),
    *(add_newdoc_ufunc, set_numeric_ops, geterrobj, seterrobj, get_array_wrap, deprecate, deprecate_with_doc),
    *(ndfromtxt, mafromtxt, recfromtxt, recfromcsv, fv, pv, pmt, nper, ipmt, ppmt, npv, irr, mirr, rate),
)


class _Casts:
    """`np.cast[dtype](value)`."""

    def __getitem__(self, wanted: Any) -> Callable[[Any], Any]:
        return lambda value: _numpy().asarray(value).astype(wanted)


class _Sizes:
    """`np.nbytes[dtype]`."""

    def __getitem__(self, wanted: Any) -> int:
        return int(_numpy().dtype(wanted).itemsize)


def _scalar_types(np: Any) -> dict[str, list[Any]]:
    return {
        "int": [np.int8, np.int16, np.int32, np.int64],
        "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [bool, object, bytes, str, np.void],
    }


class MachAr:
    """The limits of the machine's floats, as `np.finfo(float)` knows them."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        info = _numpy().finfo(float)
        self.ibeta, self.it, self.machep, self.negep = 2, info.nmant + 1, info.machep, info.negep
        self.iexp, self.minexp, self.maxexp = info.iexp, info.minexp, info.maxexp
        self.eps = self.epsilon = info.eps
        self.epsneg, self.precision, self.resolution = info.epsneg, info.precision, info.resolution
        self.tiny = self.xmin = self.smallest_normal = info.tiny
        self.huge = self.xmax = info.max


# Modules


class OldModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves modules that numpy has moved or removed, where numpy itself has none of that name."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """A spec for an old module of numpy."""
        if fullname == "numpy.fft":
            return self._with_helper(importlib.machinery.PathFinder.find_spec(fullname, path))
        if not fullname.startswith("numpy.") or not self._is_known(fullname):
            return None
        if importlib.machinery.PathFinder.find_spec(fullname, path) is not None:
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def _with_helper(self, spec: importlib.machinery.ModuleSpec | None) -> importlib.machinery.ModuleSpec | None:
        """Let `np.fft.helper` be there without an import of its own; numpy imports `np.fft` when it is first used."""
        loader: Any = spec.loader if spec is not None else None
        if loader is not None:
            execute = loader.exec_module

            def exec_module(module: types.ModuleType) -> None:
                execute(module)
                vars(module).setdefault("helper", module)

            loader.exec_module = exec_module
        return spec

    def _is_known(self, fullname: str) -> bool:
        if fullname in MODULES_RENAMED or fullname in ("numpy.dual", "numpy.compat", "numpy.compat.py3k"):
            return True
        return _private_name(fullname) is not None and fullname.startswith("numpy.lib.")

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """The usual."""
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        """Fill it with the names that it had."""
        name = module.__name__
        if name == "numpy.dual":
            for place, names in DUAL.items():
                vars(module).update({one: getattr(importlib.import_module(place), one) for one in names})
        elif name.startswith("numpy.compat"):
            vars(module).update(_compatible())
            if name == "numpy.compat":
                vars(module)["__path__"] = []
        else:
            now = MODULES_RENAMED.get(name) or _private_name(name)
            assert now is not None
            found = vars(importlib.import_module(now))
            vars(module).update({one: value for one, value in found.items() if not one.startswith("__")})


def _private_name(fullname: str) -> str | None:
    """What numpy 2 calls a module of `numpy.lib`: `numpy.lib._function_base_impl` of `numpy.lib.function_base`."""
    parent, _, name = fullname.rpartition(".")
    if parent != "numpy.lib" or name.startswith("_"):
        return None
    private = f"{parent}._{name}_impl"
    return private if importlib.util.find_spec(private) is not None else None


def _compatible() -> dict[str, Any]:
    def asbytes(text: Any) -> bytes:
        return text if isinstance(text, bytes) else str(text).encode("latin1")

    def asstr(text: Any) -> str:
        return text.decode("latin1") if isinstance(text, bytes) else str(text)

    types_of_old = {"bytes": bytes, "unicode": str, "long": int, "basestring": str, "integer_types": (int,)}
    helpers = {"asbytes": asbytes, "asstr": asstr, "asunicode": asstr, "asbytes_nested": asbytes, "strchar": "U"}
    return {**types_of_old, **helpers, "os_fspath": os.fspath, "os_PathLike": os.PathLike, "pickle": pickle}


# Methods and arguments, for submissions that `rewriting` has changed


def tostring(array: Any, order: Any = "C") -> bytes:
    """`tobytes`, which it was another name of."""
    return bytes(array.tobytes(order))


def itemset(array: Any, *arguments: Any) -> None:
    """Set an element: the arguments are its index, as one or several, and its value; of an only element just that."""
    *index, value = arguments
    if not index:
        if array.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        array.flat[0] = value
    elif len(index) == 1 and not isinstance(index[0], tuple):
        array.flat[index[0]] = value
    else:
        array[index[0] if len(index) == 1 else tuple(index)] = value


def newbyteorder(array: Any, new_order: str = "S") -> Any:
    """The same bytes, read in another order."""
    return array.view(array.dtype.newbyteorder(new_order))


def ptp(array: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """The largest minus the smallest."""
    np = _numpy()
    return np.subtract(
        np.max(array, axis=axis, keepdims=keepdims), np.min(array, axis=axis, keepdims=keepdims), out=out
    )


ARRAY, SCALAR, MASKED = "ndarray", "generic", "MaskedArray"
# By name, the types that had it and what it does; a property is computed at once.
METHODS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "tostring": ((ARRAY, SCALAR), tostring),
    "itemset": ((ARRAY,), itemset),
    "newbyteorder": ((ARRAY, SCALAR), newbyteorder),
    "ptp": ((ARRAY, SCALAR), ptp),
    "mini": ((MASKED,), lambda array, axis=None: array.min(axis)),
    "ndincr": (("ndindex",), next),
    "iteritems": (("NpzFile",), lambda file: iter(file.items())),
    "iterkeys": (("NpzFile",), iter),
    "get_data": (("_ctypes",), lambda found: found.data),
    "get_shape": (("_ctypes",), lambda found: found.shape),
    "get_strides": (("_ctypes",), lambda found: found.strides),
    "get_as_parameter": (("_ctypes",), lambda found: found._as_parameter_),
}
PROPERTIES: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "updateifcopy": (("flagsobj",), lambda flags: False),
    "machar": (("finfo",), lambda info: MachAr()),
}


_lost_by_arrays: dict[tuple[type, str], Callable[..., Any]] = {}  # found once: agents call them in their searches


def find_attribute(value: Any, name: str) -> Any:
    """The attribute of a value; of a value of numpy's that has lost it, what it was."""
    if lost := _lost_by_arrays.get((type(value), name)):
        return types.MethodType(lost, value)
    if name == "tostring" and "numpy" in sys.modules and isinstance(value, _numpy().generic):
        return types.MethodType(tostring, value)  # in numpy 2.3 scalars have it still, and it fails
    try:
        return getattr(value, name)
    except AttributeError:
        owner = value if isinstance(value, type) else type(value)
        if not any(base.__module__.partition(".")[0] == "numpy" for base in owner.__mro__):
            raise
        for table in (METHODS, PROPERTIES):
            owners, function = table.get(name, ((), None))
            if function is None or not any(base.__name__ in owners for base in owner.__mro__):
                continue
            if value is owner:
                return function
            if table is PROPERTIES:
                return function(value)
            if owner is sys.modules["numpy"].ndarray:
                _lost_by_arrays[owner, name] = function
            return types.MethodType(function, value)
        raise


# By the name of a function, its old arguments and what they are called now; None: they had no effect.
ARGUMENTS: dict[str, dict[str, str | None]] = {
    **{name: {"interpolation": "method"} for name in ("percentile", "nanpercentile", "quantile", "nanquantile")},
    **{name: {"normed": "density"} for name in ("histogram", "histogram2d", "histogramdd")},
    **{name: {"y": "out"} for name in ("fix", "isposinf", "isneginf")},
    "reshape": {"newshape": "shape"},
    "unravel_index": {"dims": "shape"},
    "corrcoef": {"bias": None, "ddof": None},
    "save": {"fix_imports": None},
    "array2string": {"style": None},
}


def call(function: Any, *arguments: Any, **keywords: Any) -> Any:
    """Call a function; one of numpy's with arguments that it has lost, with those that replaced them."""
    numpy, name = sys.modules.get("numpy"), getattr(function, "__name__", "")
    is_numpys = numpy is not None and vars(numpy).get(name) is function
    if not is_numpys:
        return function(*arguments, **keywords)
    if name == "sum" and isinstance(arguments[0], types.GeneratorType):
        return builtins.sum(arguments[0])
    if name == "fromstring" and not keywords.get("sep") and len(arguments) < 4:
        keywords.pop("sep", None)
        return _from_bytes(numpy, *arguments, **keywords)
    renamed: Mapping[str, str | None] = ARGUMENTS.get(name, {})
    if name == "reshape" and "newshape" in keywords:
        arguments, renamed = (*arguments, keywords.pop("newshape")), {}  # it had no other name before numpy 2.1
    new_names = ((renamed.get(key, key), value) for key, value in keywords.items())
    return function(*arguments, **{key: value for key, value in new_names if key is not None})


def _from_bytes(numpy: Any, string: Any, dtype: Any = float, count: int = -1, **more: Any) -> Any:
    """An array of the bytes; of a text those of its letters, as `fromstring` once read it."""
    data = string.encode("latin1") if isinstance(string, str) else string
    return numpy.frombuffer(data, dtype=dtype, count=count, **more).copy()
