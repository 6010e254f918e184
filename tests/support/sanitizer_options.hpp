// Defaults of the sanitizers for test programs; for the file with main() only.
#pragma once

#ifdef __SANITIZE_ADDRESS__
// GoogleTest comes compiled: it shares vectors with us and does not mark what it uses of them.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "detect_container_overflow=0";
}
#endif
