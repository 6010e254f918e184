// The same input language as an extension of an ordinary Python: `import solfec`.
#include "input/session.hpp"

PYBIND11_MODULE(_core, module) {
  solfec::input::define_module(module, std::make_shared<solfec::input::Session>());
}
