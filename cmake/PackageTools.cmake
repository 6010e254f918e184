# Read by cpack: without these it would make a .deb that does not name the libraries it needs, or none.
if(CPACK_GENERATOR STREQUAL DEB)
  foreach(tool file dpkg-shlibdeps)
    find_program(tool_${tool} ${tool})
    if(NOT tool_${tool})
      message(FATAL_ERROR "a .deb needs the program '${tool}': apt-get install dpkg-dev file")
    endif()
  endforeach()
endif()
