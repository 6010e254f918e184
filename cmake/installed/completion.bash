# Completion of solfec and solfec-mpi in bash: switches, folders, and scripts.
_solfec() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [[ $previous == -[gj] ]]; then
    return
  elif [[ $previous == -s ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '-c -g -h -j -s -v -w --help --version' -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.py' -- "$word")
  fi
}
complete -o filenames -F _solfec solfec solfec-mpi
