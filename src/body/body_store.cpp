#include "body/body_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace solfec {

int BodyStore::add(Body body) {
  DEMAND(bodies_.empty() || bodies_.back().id < body.id);
  const int i = total();
  const int freedom = BodyStore::freedom(body.kind);
  const Vec3 center = body.reference.center;
  kind_.push_back(body.kind);
  bodies_.push_back(std::move(body));
  work_.emplace_back();
  inertia_.emplace_back();
  implicit_slot_.push_back(-1);
  q_.resize(q_.size() + kConfiguration, 0.0);
  gradient(i).setIdentity();
  BodyStore::center(i) = center;
  u_begin_.push_back(u_begin_.back() + freedom);
  for (auto* array : {&u_, &b_, &f_, &rn_, &rt_}) array->resize(u_begin_.back(), 0.0);
  update_inertia(i);
  return i;
}

void BodyStore::update_inertia(int i) {
  revision_++;
  const ReferenceMass& reference = bodies_[i].reference;
  Inertia& inertia = inertia_[i];
  inertia.tensor = reference.tensor;
  if (kind_[i] == BodyKind::obstacle) {
    inertia.inverse_mass = 0;
    inertia.inverse.setZero();
    inertia.inverse_root.setZero();
    return;
  }
  inertia.inverse_mass = 1 / reference.mass;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(reference.tensor);
  const Vec3 values = eigen.eigenvalues();
  const Mat3 vectors = eigen.eigenvectors();
  inertia.inverse = vectors * values.cwiseInverse().asDiagonal() * vectors.transpose();
  inertia.inverse_root =
      vectors * values.cwiseSqrt().cwiseInverse().asDiagonal() * vectors.transpose();
}

void BodyStore::remove(const std::vector<bool>& marked) {
  DEMAND(static_cast<int>(marked.size()) == total());
  int kept = 0;
  std::vector<int> begin = {0};
  for (int i = 0; i < total(); i++) {
    if (marked[i]) continue;
    const int n = freedom(i);
    std::copy_n(q(i), kConfiguration, q(kept));
    for (auto* array : {&u_, &b_, &f_, &rn_, &rt_})
      std::copy_n(array->begin() + u_begin_[i], n, array->begin() + begin.back());
    begin.push_back(begin.back() + n);
    if (kept != i) {
      bodies_[kept] = std::move(bodies_[i]);
      kind_[kept] = kind_[i];
      inertia_[kept] = inertia_[i];
      work_[kept] = work_[i];
    }
    kept++;
  }
  bodies_.resize(kept);
  kind_.resize(kept);
  inertia_.resize(kept);
  work_.resize(kept);
  implicit_slot_.assign(kept, -1);  // factors live for one step only
  implicit_.clear();
  q_.resize(static_cast<std::size_t>(kept) * kConfiguration);
  u_begin_ = std::move(begin);
  for (auto* array : {&u_, &b_, &f_, &rn_, &rt_}) array->resize(u_begin_.back());
  revision_++;
}

void BodyStore::clear() { remove(std::vector<bool>(static_cast<std::size_t>(total()), true)); }

void BodyStore::save() {
  saved_q_ = q_;
  saved_u_ = u_;
  saved_work_ = work_;
}

void BodyStore::restore() {
  DEMAND(saved_q_.size() == q_.size());
  q_ = saved_q_;
  u_ = saved_u_;
  work_ = saved_work_;
}

void BodyStore::clear_reactions() {
  std::ranges::fill(rn_, 0.0);
  std::ranges::fill(rt_, 0.0);
}

int BodyStore::find(BodyId id) const {
  const auto body =
      std::ranges::lower_bound(bodies_, id, std::less<>{}, [](const Body& b) { return b.id; });
  return body != bodies_.end() && body->id == id ? static_cast<int>(body - bodies_.begin()) : -1;
}

std::string BodyStore::name(int i) const {
  const std::string& label = bodies_[i].label;
  return fmt::format("body {}{}", id(i).value, label.empty() ? "" : " '" + label + "'");
}

Mat9& BodyStore::implicit_factor(int i) {
  if (implicit_slot_[i] < 0) {
    implicit_slot_[i] = static_cast<int>(implicit_.size());
    implicit_.emplace_back();
  }
  return implicit_[implicit_slot_[i]];
}

ReferenceMass reference_mass(const Shape& shape, double density, BodyKind kind) {
  const Vec3 about = bounding_box(shape).center();
  const Moments m = moments(shape, about);
  const Vec3 offset = m.first / m.volume;
  const Mat3 euler = density * (m.second - m.volume * offset * offset.transpose());
  const bool rigid = kind == BodyKind::rigid || kind == BodyKind::obstacle;
  const Mat3 inertia = euler.trace() * Mat3::Identity() - euler;
  return {density * m.volume, m.volume, about + offset, rigid ? inertia : euler};
}

}  // namespace solfec
