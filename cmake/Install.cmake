# `cmake --install`, and packages of it by `cpack -G DEB`. All of it can be moved: the programs find the Python
# package relative to themselves, and stand on libraries of the system only.

set(programs solfec solfec-solve)
set(with_completion solfec)
if(SOLFEC_MPI)
  list(APPEND programs solfec-mpi)
  list(APPEND with_completion solfec-mpi)
endif()
# What a user runs, without the tests: ninja programs.
add_custom_target(programs DEPENDS ${programs} solfec_core_extension)

set(files ${CMAKE_SOURCE_DIR}/cmake/installed)
install(TARGETS ${programs} RUNTIME DESTINATION bin)
install(TARGETS solfec_core_extension LIBRARY DESTINATION ${SOLFEC_PACKAGE_DIRECTORY}/solfec)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/solfec DESTINATION ${SOLFEC_PACKAGE_DIRECTORY}
        FILES_MATCHING REGEX "[.](pyi?|typed|html|css|js)$" PATTERN __pycache__ EXCLUDE)
# For Debian's Python, under the prefix /usr: it looks there.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/link)
file(CREATE_LINK ../../solfec/python/solfec ${CMAKE_BINARY_DIR}/link/solfec SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/link/solfec DESTINATION lib/python3/dist-packages)
foreach(program ${programs})
  install(FILES ${files}/${program}.1 DESTINATION share/man/man1)
endforeach()
foreach(program ${with_completion})
  install(FILES ${files}/completion.bash DESTINATION share/bash-completion/completions RENAME ${program})
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/solfec RENAME copyright)

# The version says when a package is for processors like that of the machine it was made on (preset `package`: for all).
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
if(SOLFEC_NATIVE)
  string(APPEND CPACK_PACKAGE_VERSION "+native")
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME solfec)
set(CPACK_PACKAGE_CONTACT "The Solfec developers <solfec@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "contact dynamics of many bodies, driven by Python scripts")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The extension is for one version of Python, whose library it does not name.
math(EXPR next_python "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy, python3-h5py")
if(SOLFEC_MPI)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", openmpi-bin")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, libopenblas0-serial")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-vtk9, python3-pyqt5, xvfb, ffmpeg")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${files}/prerm)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/PackageTools.cmake)
include(CPack)
