#include "body/elastic_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "body/dof_views.hpp"
#include "body/element_kernel.hpp"
#include "body/enhanced_strain.hpp"
#include "core/error.hpp"
#include "geometry/element.hpp"
#include "math/decompositions.hpp"

namespace solfec {
namespace {

// Averages are for lambda / mu above this, a Poisson's ratio above 1/3. Below there is no locking
// to take away, and the factor of a stiffness with averages is four times as large.
constexpr double kAveraged = 2;

// C : strain
template <class Strain>
auto elastic_stress(const Strain& e, double lambda, double mu) {
  Eigen::Matrix<double, 6, 1> s = mu * e;
  s.template head<3>() +=
      mu * e.template head<3>() + Eigen::Vector3d::Constant(lambda * e.template head<3>().sum());
  return s;
}

Mat3 stress_tensor(const Eigen::Matrix<double, 6, 1>& s) {
  Mat3 S;
  for (int k = 0; k < 6; k++)
    S(kStrainRow[k], kStrainColumn[k]) = S(kStrainColumn[k], kStrainRow[k]) = s[k];
  return S;
}

// Points of a part of an element that it does not fill: as many as reduced_quadrature may need.
int cut_points(int nodes) {
  switch (nodes) {
    case 4:
      return 1;
    case 5:
      return 16;
    case 6:
      return 12;
    default:
      return 24;
  }
}

int points_of(int nodes, bool filled) {
  return filled ? static_cast<int>(quadrature(nodes).size()) : cut_points(nodes);
}

// A part has as many points as its kernel: points are divided into halves, none has weight zero.
std::vector<MaterialPoint> padded(std::vector<MaterialPoint> points, std::size_t size) {
  DEMAND(!points.empty() && points.size() <= size);
  while (points.size() < size) {
    MaterialPoint& heaviest = *std::ranges::max_element(points, {}, &MaterialPoint::volume);
    heaviest.volume /= 2;
    points.push_back(MaterialPoint(heaviest));
  }
  return points;
}

// What follows runs once per part, or for results only: with sizes known at run time, which
// spares the compiler much.
using Slopes = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// The constants of a part of an element in its place in data_, as the kernels look at them.
struct Constants {
  Constants(int points, int nodes, int count, double* data)
      : weight(data, points),
        shape(weight.data() + weight.size(), 3 * weight.size(), nodes),
        modes(shape.data() + shape.size(), 6 * weight.size(), count),
        mixing(modes.data() + modes.size(), count, count) {}

  static std::size_t size(int points, int nodes, int count) {
    const Constants c(points, nodes, count, nullptr);
    return c.weight.size() + c.shape.size() + c.modes.size() + c.mixing.size();
  }

  Eigen::Map<Eigen::VectorXd> weight;
  Eigen::Map<Eigen::MatrixXd> shape;
  Eigen::Map<Eigen::MatrixXd> modes;
  Eigen::Map<Eigen::MatrixXd> mixing;  // (k, m): share of mode k of the table in mode m
};

// dN_a / dX at a point, as rows.
Slopes reference_gradients(std::span<const Vec3> corners, const Vec3& local) {
  std::array<Vec3, 8> dN;
  const int nodes = static_cast<int>(corners.size());
  shape_gradients(nodes, local, dN);
  const Mat3 inverse = jacobian(corners, local).inverse();
  Slopes slopes(nodes, 3);
  for (int a = 0; a < nodes; a++) slopes.row(a) = dN[a].transpose() * inverse;
  return slopes;
}

// Computes the constants of a part; false when its element is too distorted.
bool precompute(std::span<const Vec3> corners, std::span<const MaterialPoint> points, int count,
                double lambda, double mu, Constants& to) {
  const int P = static_cast<int>(points.size());
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(count, count);
  for (int g = 0; g < P; g++) {
    if (!(jacobian(corners, points[g].local).determinant() > 0)) return false;
    to.weight[g] = points[g].volume;
    const Slopes slopes = reference_gradients(corners, points[g].local);
    for (int J = 0; J < 3; J++) to.shape.row(J * P + g) = slopes.col(J).transpose();
    const StrainModes modes = enhanced_modes(corners, count, points[g].local);
    StrainModes stresses(6, count);
    for (int m = 0; m < count; m++) stresses.col(m) = elastic_stress(modes.col(m), lambda, mu);
    H += to.weight[g] * modes.transpose() * stresses;
    for (int k = 0; k < 6; k++) to.modes.row(k * P + g) = to.weight[g] * stresses.row(k);
  }
  if (count == 0) return true;
  // H = L L^T: the modes M L^-T have H = I.
  to.mixing = H.llt().matrixU().solve(Eigen::MatrixXd::Identity(count, count));
  to.modes = (to.modes * to.mixing).eval();
  return true;
}

// Row sums of int density N_a N_b.
Eigen::VectorXd lumped_masses(int nodes, std::span<const MaterialPoint> points, double density) {
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(nodes);
  std::array<double, 8> N;
  for (const MaterialPoint& point : points) {
    shape_functions(nodes, point.local, N);
    for (int a = 0; a < nodes; a++) mass[a] += density * point.volume * N[a];
  }
  return mass;
}

// int grad N_a . grad N_b
Eigen::MatrixXd laplacian(const Constants& constants) {
  return constants.shape.transpose() * constants.weight.replicate(3, 1).asDiagonal() *
         constants.shape;
}

// Largest eigenvalue of M^-1 L, M diagonal.
double largest_eigenvalue(const Eigen::VectorXd& mass, const Eigen::MatrixXd& L) {
  const Eigen::VectorXd scale = mass.cwiseSqrt().cwiseInverse();
  return symmetric_eigenvalues(scale.asDiagonal() * L * scale.asDiagonal()).maxCoeff();
}

Eigen::Matrix<double, 6, 1> strain_vector(const Mat3& e) {
  Eigen::Matrix<double, 6, 1> vector;
  for (int k = 0; k < 6; k++) {
    const int i = kStrainRow[k], j = kStrainColumn[k];
    vector[k] = k < 3 ? e(i, i) : e(i, j) + e(j, i);
  }
  return vector;
}

std::array<Vec3, 8> corners_of(const Element& element, const std::vector<double>& reference) {
  std::array<Vec3, 8> corners;
  for (int a = 0; a < element.nodes; a++) corners[a] = node_part(reference.data(), element.node[a]);
  return corners;
}

std::span<const Vec3> used(const std::array<Vec3, 8>& corners, const Element& element) {
  return {corners.data(), static_cast<std::size_t>(element.nodes)};
}

// Calls f(i, j) for all pairs of nodes of an element whose block is in the lower triangle: local
// numbers a, b of the pair, the same order always.
template <class Function>
void for_lower_pairs(std::span<const int> nodes, Function f) {
  const auto count = static_cast<int>(nodes.size());
  for (int b = 0; b < count; b++)
    for (int a = 0; a < count; a++)
      if (nodes[a] >= nodes[b]) f(a, b);
}

// values += the block(r, c) of rows of node i and columns of node j, whose first entry is `row`.
template <class Block>
void add_block(double* values, const int* outer, int i, int j, int row, Block block) {
  // Columns 3 j + 1 and 3 j + 2 are shorter by one and two entries at their top.
  for (int c = 0; c < 3; c++) {
    double* to = values + row;
    for (int r = i == j ? c : 0; r < 3; r++) to[r] += block(r, c);
    row += outer[3 * j + c + 1] - outer[3 * j + c] - 1;
  }
}

}  // namespace

template <class Function>
auto ElasticMesh::visit(const Part& part, Function f) const {
  const double* data = data_.data() + part.data;
  const auto call = [&]<int N, int P, int M>(std::integer_sequence<int, N, P, M>) {
    return f(ElementKernel<N, P, M>{part.element, part.lambda, part.mu, data});
  };
  switch (part.element.nodes) {
    case 4:
      return call(std::integer_sequence<int, 4, 1, 0>());
    case 5:
      if (part.enhanced) return call(std::integer_sequence<int, 5, 8, kPyramidModes>());
      if (part.filled) return call(std::integer_sequence<int, 5, 8, 0>());
      return call(std::integer_sequence<int, 5, 16, 0>());
    case 6:
      if (part.enhanced) return call(std::integer_sequence<int, 6, 6, kWedgeModes>());
      if (part.filled) return call(std::integer_sequence<int, 6, 6, 0>());
      return call(std::integer_sequence<int, 6, 12, 0>());
    default:
      if (part.enhanced) return call(std::integer_sequence<int, 8, 8, kHexahedronModes>());
      if (part.filled) return call(std::integer_sequence<int, 8, 8, 0>());
      return call(std::integer_sequence<int, 8, 24, 0>());
  }
}

std::vector<ElementPart> filled_parts(const Mesh& mesh) {
  std::vector<ElementPart> parts;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
    std::vector<Vec3> corners;
    for (int node : mesh.elements[e].used()) corners.push_back(mesh.nodes[node]);
    parts.push_back({e, true, standard_points(corners)});
  }
  return parts;
}

ElasticMesh::ElasticMesh(const Mesh& mesh, std::span<const ElementPart> parts,
                         std::span<const ElementProperties> properties,
                         ElementTechnology technology)
    : mass_(mesh.nodes.size(), 0.0) {
  DEMAND(properties.size() == parts.size());
  for (const Vec3& x : mesh.nodes) reference_.insert(reference_.end(), x.begin(), x.end());
  for (std::size_t p = 0; p < parts.size(); p++) {
    const auto elements = static_cast<int>(first_part_.size());  // so far
    DEMAND(parts[p].element == elements || parts[p].element == elements - 1);
    if (parts[p].element == elements) first_part_.push_back(static_cast<int>(p));
    parts_.push_back(part_of(mesh, parts[p], properties[p], technology));
  }
  DEMAND(first_part_.size() == mesh.elements.size());
  first_part_.push_back(static_cast<int>(parts.size()));
  for (const Element& element : mesh.elements)
    for (int node : element.used()) DEMAND(mass_[node] > 0);
  form_averages(properties);
  bound_laplacians();
  number_blocks();
}

void ElasticMesh::form_averages(std::span<const ElementProperties> properties) {
  std::vector<ElementProperties> materials;
  std::vector<NodalDilatation::Member> members;
  for (std::size_t p = 0; p < parts_.size(); p++) {
    Part& part = parts_[p];
    if (!part.enhanced || part.element.nodes == 8 || part.lambda <= kAveraged * part.mu) continue;
    const auto material = std::ranges::find(materials, properties[p]) - materials.begin();
    if (material == std::ssize(materials)) materials.push_back(properties[p]);
    part.member = static_cast<int>(members.size());
    member_part_.push_back(static_cast<int>(p));
    const auto corners = corners_of(part.element, reference_);
    const Eigen::VectorXd shares =
        lumped_masses(part.element.nodes, standard_points(used(corners, part.element)), 1);
    members.push_back({part.element.used(), {}, static_cast<int>(material)});
    std::ranges::copy(shares, members.back().shares.begin());
  }
  averages_ = NodalDilatation(members);
}

// Mean change of volume of an element in averages.
template <class Strains>
double ElasticMesh::dilatation(int member, Strains strains) const {
  return visit(parts_[member_part_[member]],
               [&](const auto& k) { return k.dilatation(strains(k)); });
}

// What averages add to the pressures in the elements.
template <class Strains>
ElasticMesh::Pressures ElasticMesh::added_pressures(Strains strains) const {
  std::vector<double> theta(member_part_.size());
  for (std::size_t m = 0; m < theta.size(); m++)
    theta[m] = dilatation(static_cast<int>(m), strains);
  averages_.subtract_from_averages(theta);
  for (std::size_t m = 0; m < theta.size(); m++) theta[m] *= parts_[member_part_[m]].lambda;
  return {std::move(theta)};
}

// Its constants go to the end of data_, its mass to the nodes.
ElasticMesh::Part ElasticMesh::part_of(const Mesh& mesh, const ElementPart& part,
                                       const ElementProperties& properties,
                                       ElementTechnology technology) {
  const auto [lambda, mu, density] = properties;
  const Element& element = mesh.elements[part.element];
  const bool enhanced = part.filled && technology == ElementTechnology::enhanced;
  const int P = points_of(element.nodes, part.filled),
            modes = enhanced ? enhanced_mode_count(element.nodes) : 0;
  const auto points = padded(part.points, static_cast<std::size_t>(P));
  const std::size_t begin = data_.size();
  data_.resize(begin + Constants::size(P, element.nodes, modes));
  Constants constants(P, element.nodes, modes, data_.data() + begin);
  const auto corners = corners_of(element, reference_);
  if (!precompute(used(corners, element), points, modes, lambda, mu, constants))
    throw value_error(
        fmt::format("element {} is too distorted: it turns inside out", part.element));
  const Eigen::VectorXd mass = lumped_masses(element.nodes, points, density);
  for (int a = 0; a < element.nodes; a++) mass_[element.node[a]] += mass[a];
  return {element, part.filled, enhanced, lambda, mu, 0, -1, begin, 0};
}

// Any split of the masses of nodes among their elements leads to a bound of the frequencies. In
// proportion to stiffness it is sharp where elements that differ much share a node.
void ElasticMesh::bound_laplacians() {
  const auto stiffness = [&](const Part& part) -> Eigen::MatrixXd {
    const Constants constants(points_of(part.element.nodes, part.filled), part.element.nodes, 0,
                              data_.data() + part.data);
    return (3 * part.lambda + 2 * part.mu) * laplacian(constants);
  };
  std::vector<double> sum(mass_.size(), 0.0);
  for (const Part& part : parts_) {
    const Eigen::VectorXd diagonal = stiffness(part).diagonal();
    for (int a = 0; a < part.element.nodes; a++) sum[part.element.node[a]] += diagonal[a];
  }
  for (Part& part : parts_) {
    const Eigen::MatrixXd K = stiffness(part);
    Eigen::VectorXd mass = K.diagonal();
    for (int a = 0; a < part.element.nodes; a++)
      mass[a] *= mass_[part.element.node[a]] / sum[part.element.node[a]];
    part.laplacian = largest_eigenvalue(mass, K) / (3 * part.lambda + 2 * part.mu);
  }
}

void ElasticMesh::number_blocks() {
  for (int j = 0; j < nodes(); j++) column_.push_back({j});
  const auto collect = [&](std::span<const int> nodes) {
    for_lower_pairs(nodes, [&](int a, int b) { column_[nodes[b]].push_back(nodes[a]); });
  };
  for (const Part& part : parts_) collect(part.element.used());
  for (int p = 0; p < averages_.patches(); p++) collect(averages_.patch_nodes(p));
  std::vector<int> begin;  // of column 3 j in the values of K
  int entries = 0;
  for (std::vector<int>& column : column_) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    begin.push_back(entries);
    entries += 9 * static_cast<int>(column.size()) - 3;
  }
  const auto number = [&](std::span<const int> nodes, std::vector<int>& blocks) {
    for_lower_pairs(nodes, [&](int a, int b) {
      const auto& column = column_[nodes[b]];
      const auto found = std::lower_bound(column.begin(), column.end(), nodes[a]);
      blocks.push_back(begin[nodes[b]] + 3 * static_cast<int>(found - column.begin()));
    });
  };
  for (Part& part : parts_) {
    part.block = block_.size();
    number(part.element.used(), block_);
  }
  for (int p = 0; p < averages_.patches(); p++) number(averages_.patch_nodes(p), patch_block_);
}

double ElasticMesh::strain_energy(const double* x) const {
  const auto strains = [&](const auto& k) { return k.green(k.gradient(x)); };
  const auto pressure = added_pressures(strains);
  double sum = 0;
  for (const Part& part : parts_)
    sum += visit(part, [&](const auto& k) { return k.energy(strains(k), pressure(part)); });
  return sum;
}

void ElasticMesh::add_internal_force(const double* x, double factor, double* f) const {
  const auto pressure = added_pressures([&](const auto& k) { return k.green(k.gradient(x)); });
  for (const Part& part : parts_)
    visit(part, [&](const auto& k) {
      const auto F = k.gradient(x);
      k.add_force(F, k.weighted_stress(k.green(F), pressure(part)), factor, f);
    });
}

void ElasticMesh::add_viscous_force(const double* x, const double* v, double factor,
                                    double* f) const {
  const auto pressure =
      added_pressures([&](const auto& k) { return k.rate(k.gradient(x), k.gradient(v)); });
  for (const Part& part : parts_)
    visit(part, [&](const auto& k) {
      const auto F = k.gradient(x);
      k.add_force(F, k.weighted_stress(k.rate(F, k.gradient(v)), pressure(part)), factor, f);
    });
}

namespace {

// (E(F0) + E(F1)) / 2 + eta sym(F_m^T grad w)
template <class Kernel>
auto conserving_strain(const Kernel& k, const typename Kernel::Gradient& F0,
                       const typename Kernel::Gradient& F1, const double* w, double eta) {
  auto e = k.mean(k.green(F0), k.green(F1));
  if (eta != 0) k.add(e, eta, k.rate(k.mean(F0, F1), k.gradient(w)));
  return e;
}

}  // namespace

void ElasticMesh::add_conserving_force(const double* x0, const double* x1, const double* w,
                                       double eta, double factor, double* f) const {
  const auto pressure = added_pressures(
      [&](const auto& k) { return conserving_strain(k, k.gradient(x0), k.gradient(x1), w, eta); });
  for (const Part& part : parts_)
    visit(part, [&](const auto& k) {
      const auto F0 = k.gradient(x0), F1 = k.gradient(x1);
      k.add_force(k.mean(F0, F1),
                  k.weighted_stress(conserving_strain(k, F0, F1, w, eta), pressure(part)), factor,
                  f);
    });
}

void ElasticMesh::add_conserving_tangent(const double* x0, const double* x1, const double* w,
                                         double eta, const double* dx, const double* dw,
                                         double factor, double* f) const {
  const auto pressure = added_pressures(
      [&](const auto& k) { return conserving_strain(k, k.gradient(x0), k.gradient(x1), w, eta); });
  const auto change = [&]<class Kernel>(const Kernel& k, const auto& F0, const auto& F1,
                                        const auto& dF) {
    typename Kernel::Strain e{};
    k.add(e, 0.5, k.rate(F1, dF));
    if (eta == 0) return e;
    k.add(e, 0.5 * eta, k.rate(dF, k.gradient(w)));
    k.add(e, eta, k.rate(k.mean(F0, F1), k.gradient(dw)));
    return e;
  };
  const auto pressure_change = added_pressures(
      [&](const auto& k) { return change(k, k.gradient(x0), k.gradient(x1), k.gradient(dx)); });
  for (const Part& part : parts_)
    visit(part, [&](const auto& k) {
      const auto F0 = k.gradient(x0), F1 = k.gradient(x1), dF = k.gradient(dx);
      k.add_force(dF, k.weighted_stress(conserving_strain(k, F0, F1, w, eta), pressure(part)),
                  0.5 * factor, f);
      k.add_force(k.mean(F0, F1), k.weighted_stress(change(k, F0, F1, dF), pressure_change(part)),
                  factor, f);
    });
}

Eigen::SparseMatrix<double> ElasticMesh::stiffness_pattern() const {
  const int size = 3 * nodes();
  Eigen::VectorXi count(size);
  for (int j = 0; j < nodes(); j++)
    for (int c = 0; c < 3; c++) count[3 * j + c] = 3 * static_cast<int>(column_[j].size()) - c;
  Eigen::SparseMatrix<double> A(size, size);
  A.reserve(count);
  for (int j = 0; j < nodes(); j++)
    for (int c = 0; c < 3; c++)
      for (int i : column_[j])
        for (int r = i == j ? c : 0; r < 3; r++) A.insert(3 * i + r, 3 * j + c) = 0;
  A.makeCompressed();
  return A;
}

// K += what is needed of the geometric part, over `factor`.
template <class Kernel, class Stiffness>
bool ElasticMesh::stiffen(const Part& part, const Kernel& k, const StressStiffening& stiffening,
                          const Pressures& pressure, double factor, Stiffness& K) const {
  const double slack = 0.75 / (stiffening.factor * part.laplacian);
  // Steps near the explicit limit never need it: the strain would be above 1.
  if (!stiffening.whole && slack > part.lambda + 2 * part.mu) return false;
  auto S = k.weighted_stress(k.green(k.gradient(stiffening.x)), pressure(part));
  if (!stiffening.whole && !k.keep_above(slack, S)) return false;
  k.add_geometric(stiffening.factor / factor, S, K);
  return true;
}

bool ElasticMesh::add_stiffness(const double* x, double factor, const StressStiffening& stiffening,
                                Eigen::SparseMatrix<double>& A) const {
  const bool stiffens = stiffening.factor > 0;
  Pressures pressure;
  if (stiffens)
    pressure = added_pressures([&](const auto& k) { return k.green(k.gradient(stiffening.x)); });
  bool stiffened = false;
  double* values = A.valuePtr();
  const int* outer = A.outerIndexPtr();
  constexpr int kSlopes = 3 * NodalDilatation::kMaxNodes;
  std::vector<double> slopes(kSlopes * member_part_.size());  // sqrt(lambda) b_e
  for (const Part& part : parts_)
    visit(part, [&]<int N, int P, int M>(const ElementKernel<N, P, M>& k) {
      const auto F = k.gradient(x);
      auto K = k.stiffness(F);
      if (stiffens) stiffened |= stiffen(part, k, stiffening, pressure, factor, K);
      if (part.member >= 0) {
        const auto b = k.dilatation_slopes(F);
        K.add_outer(-part.lambda * k.volume(), b);
        double* to = slopes.data() + kSlopes * part.member;
        for (int a = 0; a < N; a++)
          for (int i = 0; i < 3; i++) to[3 * a + i] = std::sqrt(part.lambda) * b.at[i][0][a];
      }
      const int* block = block_.data() + part.block;
      const auto nodes = part.element.used();
      for_lower_pairs(nodes, [&](int a, int b) {
        add_block(values, outer, nodes[a], nodes[b], *block++,
                  [&](int r, int c) { return factor * K(a, r, b, c); });
      });
    });
  Eigen::Matrix3Xd g;
  const int* block = patch_block_.data();
  for (int p = 0; p < averages_.patches(); p++) {
    averages_.gather(
        p, [&](int member) { return slopes.data() + kSlopes * member; }, g);
    const auto nodes = averages_.patch_nodes(p);
    for_lower_pairs(nodes, [&](int a, int b) {
      add_block(values, outer, nodes[a], nodes[b], *block++,
                [&](int r, int c) { return factor * g(r, a) * g(c, b); });
    });
  }
  return stiffened;
}

double ElasticMesh::frequency_bound(const double* x) const {
  const auto pressure = added_pressures([&](const auto& k) { return k.green(k.gradient(x)); });
  double bound = 0;
  for (const Part& part : parts_)
    visit(part, [&](const auto& k) {
      bound = std::max(bound, k.frequency_bound(k.gradient(x), pressure(part), part.laplacian));
    });
  return bound;
}

// C : (e + M alpha) from e at this point and the strains of the element at its own points.
template <class Strains>
Mat3 ElasticMesh::stress(const Part& part, const Mat3& e, const Vec3& local,
                         Strains strains) const {
  Eigen::Matrix<double, 6, 1> strain = strain_vector(e);
  const int count = part.enhanced ? enhanced_mode_count(part.element.nodes) : 0;
  if (count > 0) {
    const auto corners = corners_of(part.element, reference_);
    const Eigen::VectorXd alpha = visit(part, [&](const auto& k) -> Eigen::VectorXd {
      const auto amplitudes = k.amplitudes(strains(k));
      return Eigen::Map<const Eigen::VectorXd>(amplitudes.data(), amplitudes.size());
    });
    const Eigen::Map<const Eigen::MatrixXd> mixing(
        data_.data() + part.data +
            Constants::size(points_of(part.element.nodes, part.filled), part.element.nodes, count) -
            count * count,
        count, count);
    strain += enhanced_modes(used(corners, part.element), count, local) * (mixing * alpha);
  }
  return stress_tensor(elastic_stress(strain, part.lambda, part.mu));
}

// What averages add to the pressure that is shown: averaged once more.
template <class Strains>
double ElasticMesh::shown_pressure(const Part& part, Strains strains) const {
  if (part.member < 0) return 0;
  const auto theta = [&](int member) { return dilatation(member, strains); };
  return part.lambda * (averages_.smooth(part.member, theta) - theta(part.member));
}

Mat3 ElasticMesh::gradient(const Part& part, const double* values, const Vec3& local) const {
  const auto corners = corners_of(part.element, reference_);
  const Slopes slopes = reference_gradients(used(corners, part.element), local);
  Mat3 F = Mat3::Zero();
  for (int a = 0; a < part.element.nodes; a++)
    F += node_part(values, part.element.node[a]) * slopes.row(a);
  return F;
}

// Enhanced strains make the volume of a nearly incompressible element right at the quadrature
// points and nowhere else: there the stress is taken, and carried to other points by the functions
// that are one at one of them; the mean of a pyramid.
template <class Stress>
Mat3 ElasticMesh::carried(const Part& part, const Vec3& local, Stress at) const {
  const int nodes = part.element.nodes;
  if (!part.enhanced || enhanced_mode_count(nodes) == 0) return at(local);
  const auto points = quadrature(nodes);
  std::array<double, 8> share;
  const double root = std::sqrt(3.0);
  if (nodes == 5)
    for (int g = 0; g < 8; g++) share[g] = 0.75 * points[g].weight;
  else if (nodes == 6)
    shape_functions(6, {2 * local.x() - 1.0 / 3, 2 * local.y() - 1.0 / 3, root * local.z()}, share);
  else
    shape_functions(8, root * local, share);
  Mat3 sum = Mat3::Zero();
  for (std::size_t g = 0; g < points.size(); g++) sum += share[g] * at(points[g].local);
  return sum;
}

Mat3 ElasticMesh::cauchy_stress(const double* x, int number, const Vec3& local) const {
  const Part& part = parts_[number];
  const auto strains = [&](const auto& k) { return k.green(k.gradient(x)); };
  const Mat3 pressure = shown_pressure(part, strains) * Mat3::Identity();
  return carried(part, local, [&](const Vec3& at) -> Mat3 {
    const Mat3 F = gradient(part, x, at);
    const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
    return F * (stress(part, E, at, strains) + pressure) * F.transpose() / F.determinant();
  });
}

Mat3 ElasticMesh::linear_stress(const double* d, int number, const Vec3& local) const {
  const Part& part = parts_[number];
  const auto strains = [&](const auto& k) {
    return k.rate(k.gradient(reference_.data()), k.gradient(d));
  };
  const Mat3 pressure = shown_pressure(part, strains) * Mat3::Identity();
  return carried(part, local, [&](const Vec3& at) -> Mat3 {
    const Mat3 D = gradient(part, d, at);
    return stress(part, 0.5 * (D + D.transpose()), at, strains) + pressure;
  });
}

Vec3 ElasticMesh::interpolate(const double* values, int element, const Vec3& local) const {
  const Element& e = parts_[first_part_[element]].element;
  std::array<double, 8> N;
  shape_functions(e.nodes, local, N);
  Vec3 sum = Vec3::Zero();
  for (int a = 0; a < e.nodes; a++) sum += N[a] * node_part(values, e.node[a]);
  return sum;
}

}  // namespace solfec
