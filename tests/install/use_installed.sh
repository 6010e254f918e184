#!/usr/bin/env bash
# Installs what is built and uses it from another folder, as another user without root when root runs this:
#   use_installed.sh tree BUILD   cmake --install, moved to another folder afterwards
#   use_installed.sh deb BUILD    a .deb, by dpkg; on copies of /usr and /var that end with this script
# Ends with 77 when it cannot be tested here, and says why.
set -euo pipefail
kind=$1 build=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

if [ "$kind" = deb ]; then
  if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: only root can install a package"
    exit 77
  fi
  if ! unshare --mount true 2>/dev/null; then
    echo "skipped: this machine does not let root unshare mounts"
    exit 77
  fi
  exec unshare --mount "$BASH" "${BASH_SOURCE[0]}" deb_on_copies "$build"
fi

work=$(mktemp -d)
chmod 755 "$work"
mkdir -m 777 "$work/home"
end() {
  cd /
  mountpoint -q "$work/layers" && umount --lazy "$work/layers"
  rm -rf "$work"
}
trap end EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# A command of a user: nothing of this environment, no right to write anywhere else.
user() {
  local other=()
  [ "$(id -u)" -ne 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  (cd "$work/home" && "${other[@]}" env -i HOME="$work/home" TMPDIR="$work/home" LANG=C.UTF-8 PATH=/usr/bin:/bin \
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 "$@")
}

# Output of a command of the user.
expect() {
  local wanted=$1 got
  shift
  got=$(user "$@" 2>&1) || fail "$* ended with an error: $got"
  [[ $got == *"$wanted"* ]] || fail "$*: wanted '$wanted', got '$got'"
}

# Everything that stands below a prefix; more words are the environment of a plain Python.
use() {
  local prefix=$1
  shift
  cat >"$work/home/fall.py" <<'END'
import sys
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
solfec.verbose = 'OFF'
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(solfec), label='ball')
GRAVITY(solfec, (0, 0, -10))
RUN(solfec, PENALTY_SOLVER(), 0.1)
if RANK() == 0:
    print(f'{NCPU(solfec)} ranks, {solfec.time:.3f} s, package in {sys.modules["solfec"].__file__}')
END
  local package=$prefix/lib/solfec/python/solfec/__init__.py
  expect "1 ranks, 0.100 s, package in $package" "$prefix/bin/solfec" -w fall.py
  expect "2 ranks, 0.100 s, package in $package" mpirun -np 2 "$prefix/bin/solfec-mpi" -w fall.py
  cp "$source/tests/problems/wall.hdf5" "$work/home"
  expect '"status": "OK"' "$prefix/bin/solfec-solve" wall.hdf5
  expect 'RIGID' env "$@" /usr/bin/python3 -c '
from solfec import *
from solfec.results import Results
import solfec.picture
print(Results("out").frame(-1).bodies[0].kind)'
  expect '1 RIGID' env "$@" /usr/bin/python3 -m solfec info out

  local file page
  for file in _core.pyi __init__.pyi py.typed; do  # for editors
    [ -f "${package%/*}/$file" ] || fail "no $file"
  done
  for page in solfec solfec-mpi solfec-solve; do
    [ -f "$prefix/share/man/man1/$page.1" ] || fail "no manual page of $page"
  done
  touch "$work/home/other.txt"
  user bash -c '. "$1/share/bash-completion/completions/solfec-mpi"
    complete() { COMP_WORDS=(solfec "$1"); COMP_CWORD=1; _solfec; }
    complete --v; [ "${COMPREPLY[*]}" = --version ] || exit 1
    complete fa; [ "${COMPREPLY[*]}" = fall.py ] || exit 1
    complete oth; [ "${COMPREPLY[*]}" = "" ]' bash "$prefix" || fail 'completion'
  # Nothing of the folders of the build in the search for libraries.
  local program
  for program in "$prefix"/bin/solfec{,-mpi,-solve} "$prefix"/lib/solfec/python/solfec/_core*.so; do
    ! readelf -d "$program" | grep -E 'R(UN)?PATH' || fail "$program"
  done
}

# The programs change nothing outside of the system once it has layers of its own.
lay_over() {
  mkdir "$work/layers"
  mount -t tmpfs tmpfs "$work/layers" || return
  local folder
  for folder in usr var; do
    mkdir -p "$work/layers/$folder" "$work/layers/$folder.work"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$work/layers/$folder,workdir=$work/layers/$folder.work" \
      "/$folder" || return
  done
}

case $kind in
  tree)
    cmake --install "$build" --prefix "$work/first" >/dev/null
    mv "$work/first" "$work/moved"
    use "$work/moved" PYTHONPATH="$work/moved/lib/solfec/python"
    ;;
  deb_on_copies)
    if ! lay_over; then
      echo "skipped: this machine does not let root mount copies of /usr and /var"
      exit 77
    fi
    cpack -G DEB -B "$work/package" --config "$build/CPackConfig.cmake" >/dev/null
    package=$(echo "$work"/package/*.deb)
    ls -sh "$package"
    # Instructions that some processors have not must not reach them unannounced.
    instructions=$(sed -n 's/^SOLFEC_INSTRUCTIONS:STRING=//p' "$build/CMakeCache.txt")
    [[ -z $instructions || $package == *+"${instructions//-/}"_* ]] || fail "$package does not say $instructions"
    dpkg --install "$package" >/dev/null
    dpkg-query -W -f='${Depends}\n' solfec
    (cd / && solfec --version >/dev/null)
    /usr/bin/python3 -c 'import solfec'  # as root: leaves compiled files in the package
    use /usr
    dpkg --purge solfec >/dev/null
    [ ! -e /usr/bin/solfec ] && [ ! -e /usr/lib/solfec ] || fail 'files are left after removal'
    ;;
esac
echo "$kind: works"
