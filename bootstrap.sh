#!/usr/bin/env bash
# Installs what is missing from Debian's packages, configures, builds, and then:
#   ./bootstrap.sh                     nothing more
#   ./bootstrap.sh run SCRIPT [words]  runs a script with build/bin/solfec
#   ./bootstrap.sh test [options]      runs all tests; options go to ctest
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command=${1:-build}
[ $# -gt 0 ] && shift

packages=(
  g++ cmake ninja-build
  python3-dev pybind11-dev libeigen3-dev libqhull-dev libcli11-dev libfmt-dev libspdlog-dev
  libopenmpi-dev openmpi-bin libhdf5-dev libtrilinos-zoltan-dev libmetis-dev
  libsuitesparse-dev libopenblas-serial-dev
  libgtest-dev libbenchmark-dev
  python3-numpy python3-h5py python3-matplotlib python3-pytest
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
    --no-install-recommends "${missing[@]}"
fi

build=$here/build
if [ ! -f "$build/build.ninja" ]; then
  (cd "$here" && cmake --preset release)
fi
# Quiet when there is nothing to do.
ninja -C "$build" --quiet

case $command in
  build) ;;
  run) exec "$build/bin/solfec" "$@" ;;
  test) cd "$build" && exec ctest --output-on-failure -j 2 "$@" ;;
  *) echo "usage: bootstrap.sh [run SCRIPT [words] | test [options]]" >&2; exit 2 ;;
esac
