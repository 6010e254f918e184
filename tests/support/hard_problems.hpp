// Problems of local dynamics that are hard in one way each.
#pragma once

#include "support/local_problem.hpp"

namespace solfec::testing {

/// Rows of all kinds: one of each between groups of their own, so that they do not contradict.
inline LocalProblem all_kinds(int seed) {
  LocalProblem p = closing_contacts(seed, 12, 12);
  Random random(seed);
  for (int row = 0; row < 10; row++) {
    RowLaw& law = p.dynamics.law[row];
    switch (row % 5) {
      case 0:
        law.kind = LawKind::fixed_point;
        law.target = random.in_box(0.1);
        break;
      case 1:
        law.kind = LawKind::fixed_direction;
        law.target = {0, 0, 0.1};
        break;
      case 2:
        law.kind = LawKind::rigid_link;
        law.span = 0.5;
        law.length = 0.501;
        break;
      case 3:
        law.kind = LawKind::spring;
        law.force = 2;
        law.low = -0.1;
        law.high = row > 5 ? 0.2 : 5;
        break;
      default:
        law.kind = LawKind::spring_dashpot;
        law.spring = 300;
        law.dashpot = 1;
        law.gap = -0.02;
    }
  }
  return p;
}

/// Contacts on groups of their own: W has full rank.
inline LocalProblem full_rank(int seed) {
  LocalProblem p = start_problem({12, 12, 12, 12, 12, 12}, 8, 0.01);
  Random random(seed);
  for (int row = 0; row < 8; row++) add_random_row(p, random, row % 6, (row + 1) % 6);
  finish_problem(p, DelassusForm::assembled);
  for (int row = 0; row < 8; row++) p.dynamics.B[row].z() -= 0.5;
  return p;
}

/// Many contacts on few groups, with rows that are there twice: W is singular.
inline LocalProblem repeated_rows(int seed, double friction) {
  LocalProblem p = start_problem({6, 6, 6}, 24, 0.01);
  Random random(seed);
  for (int row = 0; row < 12; row++) add_random_row(p, random, row % 3, (row + 1) % 3);
  for (int row = 12; row < 24; row++) {
    double* block = p.dynamics.W.add_row(row % 3, (row + 1) % 3);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 18; i++) {
        const int column = p.begin[(row + k) % 3] + i % 6;
        *block++ = p.G(3 * row + i / 6, column) = p.G(3 * (row - 12) + i / 6, column);
      }
    p.groups.push_back(p.groups[row - 12]);
    LocalDynamics& d = p.dynamics;
    d.B.push_back(d.B[row - 12]);
    d.V.push_back(d.V[row - 12]);
    d.law.push_back(d.law[0]);
  }
  // Velocities that the groups can have.
  Eigen::VectorXd u(p.G.cols());
  for (double& value : u) value = random.uniform(-1, 1);
  for (int row = 0; row < 24; row++) {
    p.dynamics.B[row] = p.G.middleRows<3>(3 * row) * u;
    p.dynamics.law[row].friction = friction;
  }
  finish_problem(p, DelassusForm::assembled);
  return p;
}

/// A pile of equal blocks that rest on each other, each interface with so many contacts at one
/// place: the sum of their normal reactions is the weight above, and Gauss-Seidel takes as many
/// sweeps as the square of the blocks' number.
inline LocalProblem tower(int blocks, int contacts, DelassusForm form) {
  LocalProblem p = start_problem(std::vector<int>(blocks, 3), blocks * contacts, 0.01);
  for (int block = 0; block < blocks; block++)
    for (int contact = 0; contact < contacts; contact++) {
      const int row = static_cast<int>(p.groups.size());
      double* G = p.dynamics.W.add_row(block, block - 1);
      for (int side = 0; side < (block > 0 ? 2 : 1); side++)
        for (int i = 0; i < 9; i++) {
          *G = i % 4 == 0 ? (side == 0 ? 1.0 : -1.0) : 0.0;
          p.G(3 * row + i / 3, p.begin[block - side] + i % 3) = *G++;
        }
      p.groups.emplace_back(block, block - 1);
      p.dynamics.B.emplace_back(0, 0, block == 0 ? -p.dynamics.step() : 0.0);  // gravity 1, mass 1
      p.dynamics.V.push_back(Vec3::Zero());
      p.dynamics.law.emplace_back().friction = 0.5;
    }
  finish_problem(p, form);
  return p;
}

/// Bars of unit mass in the plane y = 0 that close a loop with the ground, under gravity 10. A
/// hinge along y is made of two fixed points of its axis, 6 rows of which 5 are independent, and a
/// loop in a plane binds three more motions twice. With `pressed` a last row is a contact that a
/// bar rests on.
inline LocalProblem hinged_loop(int bars, DelassusForm form, bool pressed = false) {
  const double h = 1e-3, inertia = 0.1;
  LocalProblem p = start_problem(std::vector<int>(bars, 6), 2 * (bars + 1) + pressed, h);
  const auto place = [&](double k) {  // of hinge k, on a half circle
    const double angle = M_PI * k / bars;
    return Vec3(-std::cos(angle), 0, std::sin(angle));
  };
  const auto add = [&](int group1, int group2, const Vec3& point) {
    const int row = static_cast<int>(p.groups.size()), groups[2] = {group1, group2};
    double* G = p.dynamics.W.add_row(group1, group2);
    Vec3 B = Vec3::Zero();
    for (int side : {0, 1}) {
      if (groups[side] < 0) continue;
      const Vec3 arm = point - 0.5 * (place(groups[side]) + place(groups[side] + 1));
      Eigen::Matrix<double, 3, 6> H;  // of (w, v), over the roots of inertia and mass
      H << 0, arm.z(), -arm.y(), 1, 0, 0, -arm.z(), 0, arm.x(), 0, 1, 0, arm.y(), -arm.x(), 0, 0, 0,
          1;
      H.leftCols<3>() /= std::sqrt(inertia);
      if (side == 1) H = -H;
      for (int i = 0; i < 18; i++)
        *G++ = p.G(3 * row + i / 6, p.begin[groups[side]] + i % 6) = H(i / 6, i % 6);
      B += (side == 0 ? -10 * h : 10 * h) * Vec3::UnitZ();
    }
    p.groups.emplace_back(group1, group2);
    p.dynamics.B.push_back(B);
    p.dynamics.V.push_back(Vec3::Zero());
    RowLaw& law = p.dynamics.law.emplace_back();
    law.kind = LawKind::fixed_point;
    law.remaining = 0.5 * h;
  };
  for (int hinge = 0; hinge <= bars; hinge++)
    for (double y : {-0.1, 0.1}) {
      const Vec3 point = place(hinge) + y * Vec3::UnitY();
      add(hinge > 0 ? hinge - 1 : 0, hinge > 0 && hinge < bars ? hinge : -1, point);
    }
  if (pressed) {
    add(bars / 2, -1, place(bars / 2 + 0.3));
    p.dynamics.law.back().kind = LawKind::signorini_coulomb;
    p.dynamics.law.back().friction = 0.5;
  }
  finish_problem(p, form);
  return p;
}

/// The largest error of the weights that reactions of a tower bear, where its blocks weigh 1.
inline double error_of_weights(const std::vector<Vec3>& R, int blocks, int contacts) {
  double worst = 0;
  for (int block = 0; block < blocks; block++) {
    Vec3 sum(0, 0, block - blocks);
    for (int contact = 0; contact < contacts; contact++) sum += R[contacts * block + contact];
    worst = std::max(worst, sum.norm());
  }
  return worst;
}

}  // namespace solfec::testing
