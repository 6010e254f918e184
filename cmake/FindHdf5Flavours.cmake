# HDF5 in two flavours: for one process (target hdf5::serial) and for OpenMPI (hdf5::openmpi).
# CMake's own module finds one flavour per project only.

foreach(flavour serial openmpi)
  find_path(HDF5_${flavour}_INCLUDE_DIR hdf5.h
            HINTS /usr/include/hdf5/${flavour} PATH_SUFFIXES hdf5/${flavour})
  find_library(HDF5_${flavour}_LIBRARY NAMES hdf5_${flavour}
               HINTS ${HDF5_${flavour}_INCLUDE_DIR}/../../../lib/hdf5/${flavour})
  mark_as_advanced(HDF5_${flavour}_INCLUDE_DIR HDF5_${flavour}_LIBRARY)
  if(HDF5_${flavour}_INCLUDE_DIR AND HDF5_${flavour}_LIBRARY AND NOT TARGET hdf5::${flavour})
    add_library(hdf5::${flavour} INTERFACE IMPORTED)
    target_include_directories(hdf5::${flavour} SYSTEM
                               INTERFACE ${HDF5_${flavour}_INCLUDE_DIR})
    target_link_libraries(hdf5::${flavour} INTERFACE ${HDF5_${flavour}_LIBRARY})
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
set(required HDF5_serial_LIBRARY HDF5_serial_INCLUDE_DIR)
if(SOLFEC_MPI)
  list(APPEND required HDF5_openmpi_LIBRARY HDF5_openmpi_INCLUDE_DIR)
endif()
find_package_handle_standard_args(Hdf5Flavours REQUIRED_VARS ${required})
