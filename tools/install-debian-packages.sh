#!/bin/sh
# Installs Debian packages, as root, those that are missing only.
#
#   tools/install-debian-packages.sh                what tests use beside Python and make, and skip themselves without:
#                                                   Chromium, for the page; PostgreSQL, as a store of battles
#   tools/install-debian-packages.sh PACKAGE...     these
set -eu

needed_by_tests="chromium postgresql"

packages=${*:-$needed_by_tests}
missing=""
for package in $packages; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    echo "battlewright: these Debian packages are missing; as root, run: apt-get install$missing" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
# shellcheck disable=SC2086  # a list of names
apt-get install -q -y --no-install-recommends $missing
