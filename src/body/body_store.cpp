#include "body/body_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "body/finite_elements.hpp"
#include "core/error.hpp"
#include "math/decompositions.hpp"

namespace solfec {

BodyStore::BodyStore() = default;
BodyStore::~BodyStore() = default;
BodyStore::BodyStore(BodyStore&&) noexcept = default;
BodyStore& BodyStore::operator=(BodyStore&&) noexcept = default;

int BodyStore::add(Body body) {
  drop_ghosts();
  DEMAND(bodies_.empty() || bodies_.back().id < body.id);
  append(std::move(body));
  update_inertia(owned_);
  return owned_++;
}

// At rest in the reference configuration, without inertia: ghosts need none.
void BodyStore::append(Body body) {
  const int i = total();
  const Vec3 center = body.reference.center;
  kind_.push_back(body.kind);
  bodies_.push_back(std::move(body));
  work_.emplace_back();
  inertia_.add();
  const Box box =
      bodies_.back().shape ? bounding_box(*bodies_.back().shape) : Box{Vec3::Zero(), Vec3::Zero()};
  extent_.push_back({box, half_diagonal(box), 0});
  implicit_.emplace_back();
  finite_elements_.emplace_back();
  cuts_.emplace_back();
  q_.resize(q_.size() + kConfiguration, 0.0);
  gradient(i).setIdentity();
  BodyStore::center(i) = center;
  add_offsets(bodies_.back());
  for_arrays([](BodyNumbers& array) { array.resize(); });
  if (x.count(i) > 0 && bodies_.back().shape) {
    double* at = x(i);
    for (const Vec3& node : mesh_of(bodies_.back()).nodes) at = std::ranges::copy(node, at).out;
  }
  revision_++;
}

void BodyStore::add_offsets(const Body& body) {
  dof_offsets_->push_back(dof_offsets_->back() + dofs_of(body));
  position_offsets_->push_back(position_offsets_->back() + 3 * body.nodes);
}

void BodyStore::update_inertia(int i) {
  revision_++;
  const ReferenceMass& reference = bodies_[i].reference;
  Inertia inertia;
  inertia.tensor = reference.tensor;
  extent_[i].reach = bodies_[i].shape ? radius_about(*bodies_[i].shape, reference.center) : 0.0;
  if (is_obstacle(kind_[i])) {
    inertia_.set(i, inertia);
    return;
  }
  inertia.inverse_mass = 1 / reference.mass;
  const auto [values, vectors] = symmetric_eigen(reference.tensor);
  inertia.inverse = vectors * values.cwiseInverse().asDiagonal() * vectors.transpose();
  inertia.inverse_root =
      vectors * values.cwiseSqrt().cwiseInverse().asDiagonal() * vectors.transpose();
  inertia_.set(i, inertia);
}

void BodyStore::drop_ghosts() {
  if (total() == owned_) return;
  ghost_owner_.clear();
  bodies_.resize(owned_);
  kind_.resize(owned_);
  inertia_.resize(owned_);
  extent_.resize(owned_);
  work_.resize(owned_);
  implicit_.resize(owned_);
  finite_elements_.resize(owned_);
  cuts_.resize(owned_);
  q_.resize(static_cast<std::size_t>(owned_) * kConfiguration);
  for (BodyOffsets* offsets : {dof_offsets_.get(), position_offsets_.get()})
    offsets->resize(owned_ + 1);
  for_arrays([](BodyNumbers& array) { array.resize(); });
  revision_++;
}

// Owned bodies in the order given; those that are not in it are gone.
void BodyStore::take(const std::vector<int>& order) {
  const auto pick = [&](auto& array) {
    std::remove_reference_t<decltype(array)> picked;
    picked.reserve(order.size());
    for (int i : order) picked.push_back(std::move(array[i]));
    array = std::move(picked);
  };
  std::vector<double> configurations;
  configurations.reserve(q_.size());
  for (int i : order) configurations.insert(configurations.end(), q(i), q(i) + kConfiguration);
  q_ = std::move(configurations);
  for_arrays([&](BodyNumbers& array) { array.take(order); });
  pick(bodies_);
  pick(kind_);
  inertia_.take(order);
  pick(extent_);
  pick(work_);
  pick(finite_elements_);
  pick(cuts_);
  owned_ = static_cast<int>(order.size());
  dof_offsets_->assign(1, 0);
  position_offsets_->assign(1, 0);
  for (const Body& body : bodies_) add_offsets(body);
  implicit_.clear();  // factors live for one step only
  implicit_.resize(order.size());
  revision_++;
}

void BodyStore::remove(const std::vector<bool>& marked) {
  drop_ghosts();
  DEMAND(static_cast<int>(marked.size()) == owned_);
  std::vector<int> kept;
  for (int i = 0; i < owned_; i++)
    if (!marked[i]) kept.push_back(i);
  take(kept);
}

BodyState BodyStore::state(int i) const {
  BodyState s{bodies_[i], {}, {u(i), u(i) + dofs(i)}, {x(i), x(i) + x.count(i)}, work_[i]};
  std::copy_n(q(i), kConfiguration, s.q.begin());
  return s;
}

void BodyStore::insert(std::vector<BodyState> arrivals) {
  drop_ghosts();
  if (arrivals.empty()) return;
  for (BodyState& s : arrivals) {
    const int i = owned_++;
    append(std::move(s.body));
    update_inertia(i);
    std::ranges::copy(s.q, q(i));
    DEMAND(std::ssize(s.u) == dofs(i) && std::ssize(s.x) == x.count(i));
    std::ranges::copy(s.u, u(i));
    std::ranges::copy(s.x, x(i));
    work_[i] = s.work;
  }
  std::vector<int> order(static_cast<std::size_t>(owned_));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return id(i); });
  take(order);
}

void BodyStore::set_ghosts(const std::vector<GhostBody>& ghosts) {
  const auto same = [&](const GhostBody& ghost, const Body& known) {
    return ghost.body.id == known.id && ghost.body.changes == known.changes;
  };
  if (total() - owned_ != static_cast<int>(ghosts.size()) ||
      !std::equal(ghosts.begin(), ghosts.end(), bodies_.begin() + owned_, same)) {
    drop_ghosts();
    for (const GhostBody& ghost : ghosts) append(ghost.body);
  }
  ghost_owner_.clear();
  for (const GhostBody& ghost : ghosts) {
    const int i = owned_ + static_cast<int>(ghost_owner_.size());
    std::ranges::copy(ghost.q, q(i));
    std::ranges::copy(ghost.x, x(i));
    ghost_owner_.push_back(ghost.owner);
  }
}

void BodyStore::clear() { remove(std::vector<bool>(static_cast<std::size_t>(owned_), true)); }

void BodyStore::save() {
  saved_q_.assign(q_.begin(), q_.begin() + owned_ * kConfiguration);
  saved_u_.assign(u(0), u(owned_));
  saved_x_.assign(x(0), x(owned_));
  saved_work_.assign(work_.begin(), work_.begin() + owned_);
}

void BodyStore::restore() {
  DEMAND(static_cast<int>(saved_work_.size()) == owned_);
  std::ranges::copy(saved_q_, q_.begin());
  std::ranges::copy(saved_u_, u(0));
  std::ranges::copy(saved_x_, x(0));
  std::ranges::copy(saved_work_, work_.begin());
}

void BodyStore::clear_reactions() {
  for (BodyNumbers* reaction : {&normal_reaction, &tangent_reaction, &joint_reaction})
    reaction->fill(0);
}

int BodyStore::find(BodyId id) const {
  const auto search = [&](auto begin, auto end) {
    const auto body =
        std::ranges::lower_bound(begin, end, id, std::less<>{}, [](const Body& b) { return b.id; });
    return body != end && body->id == id ? static_cast<int>(body - bodies_.begin()) : -1;
  };
  const auto ghosts = bodies_.begin() + owned_;
  const int owned = search(bodies_.begin(), ghosts);
  return owned >= 0 ? owned : search(ghosts, bodies_.end());
}

std::string BodyStore::name(int i) const {
  const std::string& label = bodies_[i].label;
  return fmt::format("body {}{}", id(i).value, label.empty() ? "" : " '" + label + "'");
}

FiniteElements& BodyStore::finite_elements(int i, const BulkMaterials& materials) const {
  std::unique_ptr<FiniteElements>& entry = finite_elements_[i];
  auto properties = element_properties(bodies_[i], materials, cut(i));
  if (!entry || entry->properties() != properties)
    entry = std::make_unique<FiniteElements>(bodies_[i], std::move(properties), cut(i));
  return *entry;
}

const CutMesh* BodyStore::cut(int i) const {
  if (!bodies_[i].background) return nullptr;
  std::unique_ptr<CutMesh>& entry = cuts_[i];
  if (!entry) entry = std::make_unique<CutMesh>(cut_of(bodies_[i]));
  return entry.get();
}

CutMesh cut_of(const Body& body) {
  std::vector<Polyhedron> convexes;
  for (const Solid& solid : *body.shape) convexes.push_back(std::get<Polyhedron>(solid));
  CutMesh cut = cut_mesh(*body.background, convexes);
  DEMAND(cut.mesh.elements.size() == body.background->elements.size());
  return cut;
}

const Mat9& BodyStore::implicit_factor(int i) const {
  DEMAND(implicit_[i]);
  return *implicit_[i];
}

Mat9& BodyStore::implicit_factor(int i) {
  if (!implicit_[i]) implicit_[i] = std::make_unique<Mat9>();
  return *implicit_[i];
}

namespace {

// Calls visit(volume identifier, moments) for the parts of a shape.
template <class Visit>
void visit_volumes(const Shape& shape, const Vec3& about, Visit&& visit) {
  for (const Solid& solid : shape)
    if (const auto* mesh = std::get_if<Mesh>(&solid)) {
      for (const Element& element : mesh->elements)
        visit(element.volume, element_moments(mesh->nodes, element, about));
    } else {
      const int volume = std::visit(
          [](const auto& s) {
            if constexpr (requires { s.volume; }) return s.volume;
            return 0;
          },
          solid);
      visit(volume, std::visit([&](const auto& s) { return moments(s, about); }, solid));
    }
}

// `m`: moments of mass about a point.
ReferenceMass from_moments(double volume, const Moments& m, const Vec3& about, BodyKind kind) {
  const Vec3 offset = m.first / m.volume;
  const Mat3 euler = m.second - m.volume * offset * offset.transpose();
  const bool rigid = !is_deformable(kind);
  const Mat3 inertia = euler.trace() * Mat3::Identity() - euler;
  return {m.volume, volume, about + offset, rigid ? inertia : euler};
}

Moments scaled(const Moments& m, double density) {
  return {density * m.volume, density * m.first, density * m.second};
}

}  // namespace

ReferenceMass reference_mass(const Shape& shape, double density, BodyKind kind) {
  const Vec3 about = bounding_box(shape).center();
  const Moments m = moments(shape, about);
  return from_moments(m.volume, scaled(m, density), about, kind);
}

ReferenceMass reference_mass(const Body& body) {
  const Vec3 about = bounding_box(*body.shape).center();
  Moments mass;
  double all = 0;
  visit_volumes(*body.shape, about, [&](int volume, const Moments& m) {
    all += m.volume;
    mass += scaled(m, material_of(body, volume).density);
  });
  return from_moments(all, mass, about, body.kind);
}

VolumeMaterial material_of(const Body& body, int volume) {
  const auto found = std::ranges::find(body.volume_materials, volume, &VolumeMaterial::volume);
  return found != body.volume_materials.end() ? *found
                                              : VolumeMaterial{volume, body.material, body.density};
}

int largest_material(const Body& body) {
  int largest = body.material;
  for (const VolumeMaterial& of : body.volume_materials) largest = std::max(largest, of.material);
  return largest;
}

bool has_volume(const Shape& shape, int volume) {
  bool found = false;
  visit_volumes(shape, Vec3::Zero(),
                [&](int other, const Moments&) { found = found || other == volume; });
  return found;
}

}  // namespace solfec
