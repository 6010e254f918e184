// Bodies put together by hand, and the contacts between them.
#pragma once

#include "contact/detection.hpp"
#include "support/make_bodies.hpp"

namespace solfec::testing {

struct ContactScene {
  BodyStore bodies;
  PieceStore pieces;
  ContactExclusions exclusions;
  DetectionSettings settings;
  ContactDetection detection;

  const std::vector<DetectedContact>& find() {
    pieces.synchronise(bodies);
    pieces.place(bodies, 0.5 * settings.epsilon);
    return detection.find(bodies, pieces, exclusions, settings);
  }
};

}  // namespace solfec::testing
