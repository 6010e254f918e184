// What files of frames must hold before anything is done with it, as anybody may have made them.
// Numbers of rows are checked where they are read (hdf5_reader.hpp); here is what rows say of each
// other. Checks throw RunError with what is wrong; naming() adds the name of the file.
#pragma once

#include <utility>

#include "core/error.hpp"
#include "output/hdf5_reader.hpp"
#include "output/result_rows.hpp"

namespace solfec {

/// Counts add up, times do not fall, identifiers rise.
void check_head(std::span<const FrameRow> frames, std::span<const LayoutRow> layouts,
                std::span<const CutRow> cuts);

/// A definition: kinds that exist, numbers that are finite, nodes, vertices, sides and materials
/// that are there, closed polyhedra.
void check_definition(const Body& body);

/// The state of a body has as many numbers as the body.
void check_state(const BodyState& state);

/// `layout`: the bodies of the frame.
void check_constraint(const Constraint& constraint, std::span<const LayoutRow> layout);

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
