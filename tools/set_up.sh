#!/bin/sh
# Makes .venv at the project's root and installs Battlewright into it, editable.
#
#   tools/set_up.sh play    what running it needs
#   tools/set_up.sh test    and what the tests need
#
# Installing packages takes one core. Beside it the page is built and the routines are compiled, as soon as what they
# need is there, and Python reads the source once.
#
# Does nothing when that has been done for this pyproject.toml, this Python and this place. Needs Python 3.11 or
# newer (PYTHON=... names one); where that Python cannot make environments with pip by itself, another pip is used,
# and on Debian, as root, its package is installed.
set -eu
cd "$(dirname "$0")/.."

what=${1:-play}
venv=.venv
stamp="$venv/.installed-$what"

say() { printf '%s\n' "$*" >&2; }
fail() { say "battlewright: $*"; exit 1; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

has_pip() { "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

# The paths inside an environment are absolute, so one that was moved has to be made again.
fingerprint() {
    pwd -P
    "$venv/bin/python" -c 'import sys; print(sys.version)'
    cat pyproject.toml hatch_build.py | cksum
}

make_venv() {
    python=$(find_python) || fail "Python 3.11 or newer is needed, and none was found on the PATH (or set PYTHON=/path/to/it)."
    say "Making $venv with $python ..."
    "$python" -m venv --clear "$venv" >/dev/null 2>&1 && has_pip && return 0
    # This Python has no ensurepip: make the environment bare and bring pip into it from elsewhere.
    if "$python" -m venv --clear --without-pip "$venv" >/dev/null 2>&1; then
        for helper in "$python -m pip" pip3 pip; do
            $helper --python "$venv/bin/python" install --quiet pip >/dev/null 2>&1 && has_pip && return 0
        done
        for wheel in /usr/share/python-wheels/pip-*.whl; do
            [ -e "$wheel" ] && "$venv/bin/python" "$wheel/pip" install --quiet pip >/dev/null 2>&1 && has_pip && return 0
        done
    fi
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing python$version-venv ..."
        tools/install-debian-packages.sh "python$version-venv" >&2 || true
        "$python" -m venv --clear "$venv" >/dev/null 2>&1 && has_pip && return 0
    fi
    rm -rf "$venv"
    fail "$python cannot make an environment with pip; on Debian, run: sudo apt-get install python$version-venv"
}

if [ -x "$venv/bin/python" ] && [ -f "$stamp" ] && [ "$(fingerprint)" = "$(cat "$stamp")" ]; then
    exit 0
fi
# What fails beside the installs is tried again, and told of, when make asks for it after this.
node=
build_page() { "$1" tools/build_web.py --if-older 2>/dev/null; }
if builder=$(find_python); then
    node=$("$builder" tools/build_web.py --needs)
    [ -n "$node" ] || build_page "$builder" &
fi
if ! { [ -x "$venv/bin/python" ] && has_pip && [ "$(cat "$venv/.place" 2>/dev/null)" = "$(pwd -P)" ]; }; then
    make_venv
    pwd -P >"$venv/.place"
fi

"$venv/bin/python" -m compileall -q src/battlewright &
run_pip() { "$venv/bin/python" -m pip --disable-pip-version-check "$@" >&2; }
say "Installing what Battlewright needs into $venv; the first time this takes a few minutes ..."
# pip 25.1 is the first to read the development tools from pyproject.toml.
run_pip install --quiet --quiet --upgrade 'pip>=25.1' || fail "pip could not be brought up to 25.1; is there a network connection?"
compilers=$(sed -n 's/^    "\(num[a-z]*>=[^"]*\)",$/\1/p' pyproject.toml)
# shellcheck disable=SC2086  # a word for each package
run_pip install --quiet --quiet $compilers $node || fail "$compilers $node could not be installed (see above)."
"$venv/bin/python" tools/warm_up.py --if-older &
[ -z "$node" ] || build_page "$venv/bin/python" &
if [ "$what" = test ]; then
    run_pip install --quiet --quiet --editable . --group dev || fail "the packages of pyproject.toml could not be installed (see above)."
    fingerprint >"$venv/.installed-play"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing the Debian packages that tests use ..."
        tools/install-debian-packages.sh >/dev/null 2>&1 || say "They could not be installed; the tests that use them skip themselves."
    fi
else
    run_pip install --quiet --quiet --editable . || fail "the packages of pyproject.toml could not be installed (see above)."
fi
fingerprint >"$stamp"
wait
