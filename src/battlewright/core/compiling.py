"""How the hot routines are compiled. Import it only where they are needed (it loads Numba).

Most of what compiling costs goes into the ways in: for every routine Numba makes one for Python and one for C, each
with the whole routine inlined. So a routine that only other routines call gets neither, and none gets the second. What
is kept on disk is the *kernel* with every part in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["kernel", "part"]

_F = TypeVar("_F", bound=Callable[..., Any])

# Numba's annotations leave out the options that say which ways in are made.
_njit: Callable[..., Any] = numba.njit


def kernel(function: _F) -> _F:
    """The function compiled when it is first called, the result kept on disk beside its module.

    Numba looks at the kernel's own file only: after a change to a part in another one, ``tools/warm_up.py`` throws away
    what was kept.
    """
    return cast(_F, _njit(cache=True, error_model="numpy", no_cfunc_wrapper=True)(function))


def part(function: _F) -> _F:
    """The function compiled into every kernel that calls it; Python cannot call it."""
    return cast(_F, _njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))
