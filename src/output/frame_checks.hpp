// What files of frames must hold before anything is done with it, as anybody may have made them.
// Numbers of rows are checked where they are read (hdf5_reader.hpp); here is what rows say of each
// other. Checks throw RunError with what is wrong; naming() adds the name of the file.
#pragma once

#include <utility>

#include "core/error.hpp"
#include "output/frame_data.hpp"
#include "output/hdf5_reader.hpp"

namespace solfec {

/// The columns frame/*, layout/* and partition/*: equal numbers of rows, counts that add up, times
/// that do not fall, identifiers that rise.
void check_head(const FrameData& head);

/// A definition: kinds that exist, numbers that are finite, nodes, vertices, sides and materials
/// that are there, closed polyhedra.
void check_definition(const Body& body);

/// The state of a body has as many numbers as the body.
void check_state(const BodyState& state);

/// `ids`: the bodies of the frame, rising.
void check_constraint(const Constraint& constraint, std::span<const std::uint32_t> ids);

/// Does the work on what a file held; what is wrong is told with the name of the file. Shapes and
/// time series that no script could make are InputErrors.
template <class Work>
decltype(auto) naming(const std::string& path, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const RunError& error) {
    Hdf5Reader::fail_results(path, error.what());
  } catch (const InputError& error) {
    Hdf5Reader::fail_results(path, error.what());
  }
}

}  // namespace solfec
