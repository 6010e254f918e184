# Libraries that come without a description of their own for CMake.

# Target `name` for a library with this header, by one of its NAMES; SUFFIXES are folders of include.
function(plain_library name header)
  cmake_parse_arguments(ARG "" "" "NAMES;SUFFIXES" ${ARGN})
  string(REPLACE "::" "_" variable ${name})
  find_path(${variable}_include ${header} PATH_SUFFIXES ${ARG_SUFFIXES} REQUIRED)
  find_library(${variable}_library NAMES ${ARG_NAMES} REQUIRED)
  mark_as_advanced(${variable}_include ${variable}_library)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} SYSTEM INTERFACE ${${variable}_include})
  target_link_libraries(${name} INTERFACE ${${variable}_library})
endfunction()
