#!/usr/bin/env bash
# Installs what is missing from Debian's packages, configures, builds the programs and the Python package, and then:
#   ./bootstrap.sh                     nothing more
#   ./bootstrap.sh view                also installs what pictures, films and the window need
#   ./bootstrap.sh run SCRIPT [words]  runs a script with build/bin/solfec
#   ./bootstrap.sh test [options]      builds and runs all tests; options go to ctest
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command=${1:-build}
[ $# -gt 0 ] && shift
case $command in
  build | view | run | test) ;;
  *) echo "usage: bootstrap.sh [view | run SCRIPT [words] | test [options]]" >&2; exit 2 ;;
esac

packages=(
  g++ cmake ninja-build
  python3-dev pybind11-dev libeigen3-dev libqhull-dev libcli11-dev libfmt-dev libspdlog-dev
  libopenmpi-dev openmpi-bin libhdf5-dev libtrilinos-zoltan-dev libmetis-dev
  libsuitesparse-dev libopenblas-serial-dev
  python3-numpy python3-h5py python3-matplotlib
)
if [ "$command" = view ] || [ "$command" = test ]; then
  packages+=(python3-vtk9 python3-pyqt5 xvfb ffmpeg libjs-three)
fi
if [ "$command" = test ]; then
  packages+=(libgtest-dev libbenchmark-dev python3-pytest dpkg-dev file xdotool)
fi

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
with=OFF
[ ! -f "$build/build.ninja" ] || with=$(sed -n 's/^SOLFEC_TESTS:BOOL=//p' "$build/CMakeCache.txt")
[ "$command" != test ] || with=ON
if [ ! -f "$build/build.ninja" ] || ! grep -qx "SOLFEC_TESTS:BOOL=$with" "$build/CMakeCache.txt"; then
  (cd "$here" && cmake --preset release "-DSOLFEC_TESTS=$with")
fi

target=programs
[ "$command" = test ] && target=all
# Ninja's counter for somebody who waits; quiet in a file, and when there is nothing to do.
if [ -t 1 ] && [[ $(ninja -C "$build" -n "$target") != *'no work to do'* ]]; then
  ninja -C "$build" "$target"
else
  ninja -C "$build" --quiet "$target"
fi

case $command in
  run) exec "$build/bin/solfec" "$@" ;;
  test) cd "$build" && exec ctest --output-on-failure --no-tests=error -j 2 "$@" ;;
esac
