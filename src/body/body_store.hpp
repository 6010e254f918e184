// All bodies of a rank: flat arrays for what loops touch, one record per body for the rest.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "body/body_kind.hpp"
#include "body/body_numbers.hpp"
#include "body/bulk_material.hpp"
#include "body/dof_views.hpp"
#include "body/inertia_table.hpp"
#include "body/joint.hpp"
#include "body/loads.hpp"
#include "body/node_support.hpp"
#include "core/ids.hpp"
#include "geometry/cut_mesh.hpp"
#include "geometry/shape.hpp"

namespace solfec {

class FiniteElements;

enum class Scheme : std::uint8_t {
  none,
  rig_pos,
  rig_neg,
  rig_imp,
  def_exp,
  def_lim,
  def_lim2,
  def_imp
};

/// Work done on a body since the start [J]. Contact and friction are the parts of `external`
/// done by the normal and the tangential contact reactions. `frame` is the work against the
/// internal forces of a held body of the form BC (finite_elements.hpp) less the change of its W.
struct Work {
  double external = 0, contact = 0, friction = 0, frame = 0;
  std::optional<double> internal;  ///< stored energy in results, until the next step
  /// Of deformable bodies: energy at the start of the RUN and all that was put in since; nothing
  /// before its first step. `kinetic` is that of the end of the last step.
  std::optional<double> supplied;
  double kinetic = 0;
};

/// Reference characteristics. `tensor` is the inertia tensor of a rigid body about its centre,
/// otherwise the Euler tensor int rho (X - Xc)(X - Xc)^T dX.
struct ReferenceMass {
  double mass = 0, volume = 0;
  Vec3 center = Vec3::Zero();
  Mat3 tensor = Mat3::Zero();
};

/// How the strain of a finite-element body is measured: Green's strain from the reference
/// configuration, or small strain in axes that turn with the body.
enum class Form : std::uint8_t { total_lagrangian, body_corotational };

/// Bulk material of one volume of a body. The density is that of the material when it was given.
struct VolumeMaterial {
  int volume = 0, material = -1;
  double density = 0;  ///< [kg/m^3]
};

/// What is not touched in loops over bodies.
struct Body {
  BodyId id;
  BodyKind kind = BodyKind::rigid;
  Scheme scheme = Scheme::none;
  std::string label;
  int material = -1;
  double density = 0;  ///< of the material when the body was made [kg/m^3]
  double damping = 0;  ///< stiffness-proportional [s]
  ReferenceMass reference;
  // Of finite-element bodies
  Form form = Form::total_lagrangian;
  bool plain_elements = false;  ///< without the device against locking
  bool self_contact = false;    ///< its surface elements touch each other
  bool node_contact = false;    ///< it is touched at the nodes of its surface
  int nodes = 0;                ///< of the mesh
  /// The mesh that moves the shape, which is polyhedra then; none: the shape is the mesh.
  std::shared_ptr<const Mesh> background;
  std::vector<VolumeMaterial> volume_materials;
  /// In the reference configuration, shared, never changed.
  std::shared_ptr<const Shape> shape;
  std::vector<Load> loads;
  std::vector<Joint> joints;  ///< that it holds
  int changes = 0;            ///< counts changes of this record, so that results can follow
  int recorded = -1;          ///< `changes` when last written to results; goes with the body
};

template <class Archive>
void visit_fields(Archive& archive, Work& w) {
  archive(w.external, w.contact, w.friction, w.frame, w.internal, w.supplied, w.kinetic);
}
template <class Archive>
void visit_fields(Archive& archive, ReferenceMass& r) {
  archive(r.mass, r.volume, r.center, r.tensor);
}
template <class Archive>
void visit_fields(Archive& archive, VolumeMaterial& v) {
  archive(v.volume, v.material, v.density);
}
template <class Archive>
void visit_fields(Archive& archive, Body& b) {
  archive(b.id, b.kind, b.scheme, b.label, b.material, b.density, b.damping, b.reference, b.form,
          b.plain_elements, b.self_contact, b.node_contact, b.nodes, b.background,
          b.volume_materials, b.shape, b.loads, b.joints, b.changes, b.recorded);
}

/// Mesh of a finite-element body.
inline const Mesh& mesh_of(const Body& body) {
  return body.background ? *body.background : std::get<Mesh>(body.shape->front());
}

/// How its background mesh cuts the shape of a body; the same for the same record. The mesh has no
/// element that the shape does not need.
CutMesh cut_of(const Body& body);

/// Number of velocities.
inline int dofs_of(const Body& body) {
  return is_meshed(body.kind) ? 3 * body.nodes : traits_of(body.kind).dofs;
}

/// All that makes an owned body, on its way to another rank.
struct BodyState {
  Body body;
  std::array<double, 12> q{};
  std::vector<double> u, x;
  Work work;
};

template <class Archive>
void visit_fields(Archive& archive, BodyState& s) {
  archive(s.body, s.q, s.u, s.x, s.work);
}

/// The geometry of a body that another rank owns.
struct GhostBody {
  Body body;  ///< without loads; of its joints those that hold it (find_jointed_contacts)
  std::array<double, 12> q{};
  std::vector<double> x;  ///< of the nodes
  int owner = 0;          ///< rank
};

/// Measures of a body's reference shape [m].
struct BodyExtent {
  Box box;
  double size = 0;   ///< half of the diagonal of the box
  double reach = 0;  ///< largest distance of a point from the mass centre
};

/// Items of some bodies in this step, by index; none of most bodies.
template <class Item>
class OfSomeBodies {
 public:
  std::span<const Item> operator()(int i) const {
    const auto found = of_.find(i);
    return found == of_.end() ? std::span<const Item>() : found->second;
  }
  std::span<Item> operator()(int i) {
    const auto found = of_.find(i);
    return found == of_.end() ? std::span<Item>() : found->second;
  }
  void add(int i, const Item& item) { of_[i].push_back(item); }
  void clear() { of_.clear(); }

 private:
  std::map<int, std::vector<Item>> of_;
};

using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vec9 = Eigen::Matrix<double, 9, 1>;

/// Configurations: rotation or deformation gradient column-wise (9), then the mass centre (3).
/// Of a finite-element body: the rotation that fits its nodes best, by mass, and the mass centre;
/// they follow from the positions x of the nodes, which are its configuration proper.
/// Velocities: rigid and obstacle - referential angular velocity (3), centre velocity (3);
/// pseudo-rigid - rate of the deformation gradient column-wise (9), centre velocity (3);
/// finite-element - of each node (3).
/// Owned bodies come first, then ghosts, of which only the configuration is known: their
/// velocities, forces and reactions are zero. Both in the order of their ids. Obstacles are owned
/// by every rank.
class BodyStore {
  // Before the arrays below, which they lay out; on the heap, so that these find them in a store
  // that has been moved.
  std::unique_ptr<BodyOffsets> dof_offsets_ = std::make_unique<BodyOffsets>(1, 0);
  std::unique_ptr<BodyOffsets> position_offsets_ = std::make_unique<BodyOffsets>(1, 0);

 public:
  static constexpr int kConfiguration = 12;

  BodyStore();
  ~BodyStore();
  BodyStore(BodyStore&&) noexcept;
  BodyStore& operator=(BodyStore&&) noexcept;

  /// Adds an owned body at rest in its reference configuration; its id is greater than those of all
  /// owned bodies. Ghosts are dropped.
  int add(Body body);
  void clear();
  /// Removes the marked owned bodies (one flag per owned body). Ghosts are dropped.
  void remove(const std::vector<bool>& marked);
  /// Adds owned bodies with any ids. Ghosts are dropped.
  void insert(std::vector<BodyState> arrivals);
  BodyState state(int i) const;
  /// Replaces the ghosts by others, ids rising.
  void set_ghosts(const std::vector<GhostBody>& ghosts);
  /// Rebuilds the inertia after a change of reference characteristics.
  void update_inertia(int i);

  /// Owned bodies: 0 .. owned() - 1; ghosts: owned() .. total() - 1.
  int owned() const { return owned_; }
  int total() const { return static_cast<int>(bodies_.size()); }
  bool is_ghost(int i) const { return i >= owned_; }
  /// Rank that owns a ghost.
  int owner(int ghost) const { return ghost_owner_[ghost - owned_]; }
  /// Index of a body, or -1.
  int find(BodyId id) const;

  Body& operator[](int i) { return bodies_[i]; }
  const Body& operator[](int i) const { return bodies_[i]; }
  BodyKind kind(int i) const { return kind_[i]; }
  BodyId id(int i) const { return bodies_[i].id; }
  /// "body 3 'wheel'" (or "body 3", without a label): what messages call it.
  std::string name(int i) const;
  const Inertia& inertia(int i) const { return inertia_[i]; }
  const BodyExtent& extent(int i) const { return extent_[i]; }
  Work& work(int i) { return work_[i]; }
  const Work& work(int i) const { return work_[i]; }

  double* q(int i) { return &q_[static_cast<std::size_t>(i) * kConfiguration]; }
  const double* q(int i) const { return &q_[static_cast<std::size_t>(i) * kConfiguration]; }
  int dofs(int i) const { return u.count(i); }
  BodyNumbers u{dof_offsets_.get()};  ///< velocities
  BodyNumbers b{dof_offsets_.get()};  ///< free velocities
  BodyNumbers f{dof_offsets_.get()};  ///< external forces
  // Generalised reactions of contacts, normal and tangential, and of joints.
  BodyNumbers normal_reaction{dof_offsets_.get()};
  BodyNumbers tangent_reaction{dof_offsets_.get()};
  BodyNumbers joint_reaction{dof_offsets_.get()};
  void clear_reactions();
  /// Positions of the nodes of finite-element bodies, 3 numbers each; of other kinds none.
  BodyNumbers x{position_offsets_.get()};

  OfSomeBodies<Hold> holds;            ///< by joints, of bodies of the form BC
  OfSomeBodies<NodeSupport> supports;  ///< nodes rising

  auto gradient(int i) { return gradient_part(q(i)); }
  auto gradient(int i) const { return gradient_part(q(i)); }
  auto center(int i) { return center_part(q(i)); }
  auto center(int i) const { return center_part(q(i)); }

  /// Elastic mesh and factors of an owned finite-element body; made anew when its materials have
  /// changed.
  FiniteElements& finite_elements(int i, const BulkMaterials& materials) const;
  /// As they are, without a look at the materials.
  FiniteElements& finite_elements(int i) const { return *finite_elements_[i]; }

  /// How the background mesh of any body cuts its shape; null for bodies without one.
  const CutMesh* cut(int i) const;

  /// Lower Cholesky factor of the 9 x 9 part of A of a linearly implicit pseudo-rigid body.
  Mat9& implicit_factor(int i);
  const Mat9& implicit_factor(int i) const;

  /// Remembers configurations, velocities and work of owned bodies; restore() goes back to them.
  void save();
  void restore();

  /// Counts changes of the set of bodies and of their reference characteristics, so that what is
  /// derived from them can follow.
  std::uint64_t revision() const { return revision_; }

 private:
  void append(Body body);
  void add_offsets(const Body& body);
  /// A new array: a member and a name here.
  template <class Visit>
  void for_arrays(Visit visit) {
    for (BodyNumbers* array :
         {&u, &b, &f, &normal_reaction, &tangent_reaction, &joint_reaction, &x})
      visit(*array);
  }
  void take(const std::vector<int>& order);
  void drop_ghosts();

  int owned_ = 0;
  std::vector<int> ghost_owner_;
  std::vector<Body> bodies_;
  std::vector<BodyKind> kind_;
  InertiaTable inertia_;
  std::vector<BodyExtent> extent_;
  std::vector<Work> work_;
  std::vector<double> q_;
  std::vector<double> saved_q_, saved_u_, saved_x_;
  std::vector<Work> saved_work_;
  std::vector<std::unique_ptr<Mat9>> implicit_;
  // Made when asked for: they follow from the record of the body, on every rank to the last bit.
  mutable std::vector<std::unique_ptr<FiniteElements>> finite_elements_;
  mutable std::vector<std::unique_ptr<CutMesh>> cuts_;
  std::uint64_t revision_ = 0;
};

/// Mass, volume, centre and tensor of a shape of uniform density, exact for each solid.
ReferenceMass reference_mass(const Shape& shape, double density, BodyKind kind);
/// The same of a body whose volumes are of the densities that it names.
ReferenceMass reference_mass(const Body& body);

/// The material of a volume.
VolumeMaterial material_of(const Body& body, int volume);
/// The largest index of the bulk materials that a body names.
int largest_material(const Body& body);
/// Whether a solid or an element of the shape has this volume identifier.
bool has_volume(const Shape& shape, int volume);

}  // namespace solfec
