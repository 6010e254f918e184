# What processors the programs are compiled for (-march). Results depend on it in the last bits; so the default does not
# depend on the machine that builds: x86-64-v3 (AVX2, FMA) is what x86 processors have since 2015 or so.
include(CheckCXXSourceRuns)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(usual x86-64-v3)
endif()
set(meaning "Processors to compile for, as -march has them: 'native' for this one, empty for all of its kind")
set(SOLFEC_INSTRUCTIONS "${usual}" CACHE STRING "${meaning}")
if(DEFINED CACHE{SOLFEC_NATIVE})
  message(WARNING "SOLFEC_NATIVE is no option any more: SOLFEC_INSTRUCTIONS=native compiles for this processor, "
                  "an empty SOLFEC_INSTRUCTIONS for all")
  unset(SOLFEC_NATIVE CACHE)
endif()
if(SOLFEC_INSTRUCTIONS STREQUAL "x86-64-v3")
  check_cxx_source_runs(
      "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
      SOLFEC_PROCESSOR_HAS_AVX2)
  if(NOT SOLFEC_PROCESSOR_HAS_AVX2)
    message(WARNING "this processor has no AVX2: the programs are compiled for all x86-64 processors")
    set(SOLFEC_INSTRUCTIONS "" CACHE STRING "${meaning}" FORCE)
  endif()
endif()
if(SOLFEC_INSTRUCTIONS)
  add_compile_options(-march=${SOLFEC_INSTRUCTIONS})
endif()
