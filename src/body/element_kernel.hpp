// What elastic meshes compute of a part of an element, over and over: strains, stresses, forces and
// stiffness at all of its quadrature points. The formulas are in elastic_mesh.hpp.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/mesh.hpp"
#include "math/decompositions.hpp"

namespace solfec {

// Component k of a strain is (kStrainRow[k], kStrainColumn[k]); shears are angles, twice the
// tensor's entry.
inline constexpr int kStrainRow[6] = {0, 1, 2, 0, 1, 0};
inline constexpr int kStrainColumn[6] = {0, 1, 2, 1, 2, 2};

// All that concerns a part of an element with N nodes, P quadrature points and M enhanced modes.
// Quantities at the points stand side by side, so that loops over the points are vector
// instructions. Plain arrays: expressions of this size in Eigen keep the compiler busy for minutes.
template <int N, int P, int M>
struct ElementKernel {
  struct Gradient {
    double at[3][3][P];  // F_iJ at point g: [i][J][g]
  };
  struct Strain {
    double at[6][P];
  };
  using Points = Eigen::Array<double, P, 1>;
  using Nodes = Eigen::Array<double, N, 1>;
  using Amplitudes = std::array<double, M>;
  template <int L>
  struct NodeValues {
    double at[3][L][N];  // of node a along i, at point l or of mode l: [i][l][a]
  };
  using Slopes = NodeValues<1>;
  // Of displacements of node a along i and node b along j. Symmetric: blocks of j < i are unused.
  struct Stiffness {
    double block[3][3][N][N];  // [i][j][a][b]

    double operator()(int a, int i, int b, int j) const {
      return i <= j ? block[i][j][a][b] : block[j][i][b][a];
    }
    // += factor G (x) I, G of pairs of nodes
    void add_in_all_directions(double factor, const double (*G)[N]) {
      for (int i = 0; i < 3; i++)
        for (int a = 0; a < N; a++) add_multiple(block[i][i][a], factor, G[a]);
    }
    // += factor b b^T
    void add_outer(double factor, const Slopes& b) {
      Slopes scaled;
      for (int i = 0; i < 3; i++) set_multiple(scaled.at[i][0], factor, b.at[i][0]);
      for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
          ElementKernel::add_outer(block[i][j], scaled.at[i][0], b.at[j][0]);
    }
  };

  const Element& element;
  double lambda, mu;
  const double* data;  // Constants of elastic_mesh.cpp

  const double* weight() const { return data; }
  const double* slope(int a, int J) const { return data + P * (1 + 3 * a + J); }
  const double* mode(int m, int k) const { return data + P * (1 + 3 * N + 6 * m + k); }

  Gradient gradient(const double* values) const {
    Gradient F{};
    for (int a = 0; a < N; a++)
      for (int i = 0; i < 3; i++) {
        const double value = values[3 * element.node[a] + i];
        for (int J = 0; J < 3; J++) add_product(F.at[i][J], value, slope(a, J));
      }
    return F;
  }

  // At all points: to += u v.
  static void add_product(double* to, double u, const double* v) {
    Eigen::Map<Points>(to) += u * Eigen::Map<const Points>(v);
  }
  static void add_product(double* to, const double* u, const double* v) {
    Eigen::Map<Points>(to) += Eigen::Map<const Points>(u) * Eigen::Map<const Points>(v);
  }
  // At all nodes: to = u v, to += u v.
  static void set_multiple(double* to, double u, const double* v) {
    Eigen::Map<Nodes>{to} = u * Eigen::Map<const Nodes>(v);
  }
  static void add_multiple(double* to, double u, const double* v) {
    Eigen::Map<Nodes>(to) += u * Eigen::Map<const Nodes>(v);
  }
  // to += u v^T. A factor is best in u beforehand: processors multiply by a number in memory.
  static void add_outer(double (*to)[N], const double* u, const double* v) {
    for (int a = 0; a < N; a++) add_multiple(to[a], u[a], v);
  }
  static double sum(const double* v) {
    double total = 0;
    for (int g = 0; g < P; g++) total += v[g];
    return total;
  }

  static Gradient mean(const Gradient& A, const Gradient& B) {
    Gradient F{};
    for (int i = 0; i < 3; i++)
      for (int J = 0; J < 3; J++)
        for (const Gradient* part : {&A, &B}) add_product(F.at[i][J], 0.5, part->at[i][J]);
    return F;
  }
  static void add(Strain& to, double factor, const Strain& e) {
    for (int k = 0; k < 6; k++) add_product(to.at[k], factor, e.at[k]);
  }
  static Strain mean(const Strain& a, const Strain& b) {
    Strain e{};
    add(e, 0.5, a);
    add(e, 0.5, b);
    return e;
  }

  // sym(F^T L)
  static Strain rate(const Gradient& F, const Gradient& L) {
    Strain e{};
    for (int k = 0; k < 6; k++)
      for (int i = 0; i < 3; i++) {
        add_product(e.at[k], F.at[i][kStrainRow[k]], L.at[i][kStrainColumn[k]]);
        if (k >= 3) add_product(e.at[k], F.at[i][kStrainColumn[k]], L.at[i][kStrainRow[k]]);
      }
    return e;
  }

  static Strain green(const Gradient& F) {
    Strain e = rate(F, F);
    for (int k = 0; k < 6; k++)
      for (int g = 0; g < P; g++) e.at[k][g] = 0.5 * (e.at[k][g] - (k < 3));
    return e;
  }

  // weight S at all points, S = C : (e + M alpha) + pressure I.
  Strain weighted_stress(const Strain& e, double pressure) const {
    Strain S = compatible_stress(e);
    for (int k = 0; k < 3; k++) add_product(S.at[k], pressure, weight());
    const Amplitudes alpha = amplitudes(e);
    for (int m = 0; m < M; m++)
      for (int k = 0; k < 6; k++) add_product(S.at[k], alpha[m], mode(m, k));
    return S;
  }

  // weight C : e
  Strain compatible_stress(const Strain& e) const {
    Strain S{};
    Points pressure = Points::Zero();
    for (int k = 0; k < 3; k++) add_product(pressure.data(), lambda, e.at[k]);
    for (int k = 0; k < 6; k++) {
      Points stress = Points::Zero();
      if (k < 3) stress = pressure;
      add_product(stress.data(), k < 3 ? 2 * mu : mu, e.at[k]);
      add_product(S.at[k], weight(), stress.data());
    }
    return S;
  }

  // alpha = -int M^T C e, for modes with H = I.
  Amplitudes amplitudes(const Strain& e) const {
    Amplitudes alpha;
    for (int m = 0; m < M; m++) {
      double products[P] = {};
      for (int k = 0; k < 6; k++) add_product(products, e.at[k], mode(m, k));
      alpha[m] = -sum(products);
    }
    return alpha;
  }

  double energy(const Strain& e, double pressure) const {
    const Strain S = weighted_stress(e, pressure);
    double products[P] = {};
    for (int k = 0; k < 6; k++) add_product(products, e.at[k], S.at[k]);
    return 0.5 * sum(products);
  }

  // F S, from S at component k: S(k).
  template <class Stress>
  static Gradient turned(const Gradient& F, Stress S) {
    Gradient T{};
    for (int k = 0; k < 6; k++)
      for (int i = 0; i < 3; i++) {
        add_product(T.at[i][kStrainRow[k]], F.at[i][kStrainColumn[k]], S(k));
        if (k >= 3) add_product(T.at[i][kStrainColumn[k]], F.at[i][kStrainRow[k]], S(k));
      }
    return T;
  }

  // f += factor F (weight S) grad N
  void add_force(const Gradient& F, const Strain& S, double factor, double* f) const {
    const Gradient T = turned(F, [&](int k) { return S.at[k]; });
    for (int a = 0; a < N; a++)
      for (int i = 0; i < 3; i++) {
        double products[P] = {};
        for (int J = 0; J < 3; J++) add_product(products, T.at[i][J], slope(a, J));
        f[3 * element.node[a] + i] += factor * sum(products);
      }
  }

  // With p_a = F grad N_a, of displacements of node a along i and node b along j,
  //   int [lambda p_ai p_bj + mu p_aj p_bi + mu (F F^T)_ij grad N_a . grad N_b] - alpha_ai alpha_bj
  // which is int B^T C B, and the modes; H = I. Loops over nodes are innermost.
  Stiffness stiffness(const Gradient& F) const {
    const Terms t = stiffness_terms(F);
    Stiffness K;
    for (int i = 0; i < 3; i++)
      for (int j = i; j < 3; j++) {
        double FF[P] = {}, block[N][N] = {};
        for (int J = 0; J < 3; J++) add_product(FF, F.at[i][J], F.at[j][J]);
        for (int g = 0; g < P; g++) {
          if (i == j) {
            add_outer(block, t.both_p.at[i][g], t.p.at[i][g]);
          } else {
            add_outer(block, t.lambda_p.at[i][g], t.p.at[j][g]);
            add_outer(block, t.mu_p.at[j][g], t.p.at[i][g]);
          }
          for (int a = 0; a < N; a++) add_multiple(block[a], FF[g], t.mu_ss[g][a]);
        }
        for (int m = 0; m < M; m++) add_outer(block, t.minus_alpha.at[i][m], t.alpha.at[j][m]);
        std::copy_n(block[0], N * N, K.block[i][j][0]);
      }
    return K;
  }

  // weight (S - slack)+: what principal stresses have above the slack; false where that is none.
  bool keep_above(double slack, Strain& S) const {
    bool any = false;
    for (int g = 0; g < P; g++) {
      const double threshold = slack * weight()[g];
      if (row_bound(S, g, 1) > threshold)
        any |= keep_above(threshold, S, g);
      else
        for (int k = 0; k < 6; k++) S.at[k][g] = 0;
    }
    return any;
  }

  // K += factor int (grad N_a . S grad N_b) I, from weighted stresses.
  void add_geometric(double factor, const Strain& S, Stiffness& K) const {
    double G[N][N] = {};
    for (int g = 0; g < P; g++) {
      double s[3][N];
      for (int J = 0; J < 3; J++)
        for (int a = 0; a < N; a++) s[J][a] = slope(a, J)[g];
      for (int J = 0; J < 3; J++) {
        double Ss[N] = {};
        for (int I = 0; I < 3; I++) add_multiple(Ss, S.at[component(I, J)][g], s[I]);
        add_outer(G, Ss, s[J]);
      }
    }
    K.add_in_all_directions(factor, G);
  }

  double volume() const { return sum(weight()); }

  // Mean of tr e.
  double dilatation(const Strain& e) const {
    double products[P] = {};
    for (int k = 0; k < 3; k++) add_product(products, weight(), e.at[k]);
    return sum(products) / volume();
  }

  // Its slopes.
  Slopes dilatation_slopes(const Gradient& F) const {
    Slopes b;
    for (int i = 0; i < 3; i++)
      for (int a = 0; a < N; a++) {
        double trace[P] = {}, products[P] = {};
        for (int J = 0; J < 3; J++) add_product(trace, F.at[i][J], slope(a, J));
        add_product(products, weight(), trace);
        b.at[i][0][a] = sum(products) / volume();
      }
    return b;
  }

  double frequency_bound(const Gradient& F, double pressure, double laplacian) const {
    const Strain E = green(F), S = weighted_stress(E, pressure);
    const double* w = weight();
    double bound = 0;
    for (int g = 0; g < P; g++) {
      const double trace = 2 * (E.at[0][g] + E.at[1][g] + E.at[2][g]) + 3;  // F^T F = 2 E + I
      const double sigma = 2 * row_bound(E, g, 0.5) + 1;
      const double s = std::max(row_bound(S, g, 1) / w[g], 0.0);
      bound = std::max(bound, std::max(lambda, 0.0) * trace + 2 * mu * sigma + s);
    }
    return bound * laplacian;
  }

 private:
  // Number of the component (i, j) of a strain.
  static int component(int i, int j) {
    int k = 0;
    while (kStrainRow[k] != std::min(i, j) || kStrainColumn[k] != std::max(i, j)) k++;
    return k;
  }

  static bool keep_above(double threshold, Strain& S, int g) {
    Eigen::Matrix3d T;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) T(i, j) = S.at[component(i, j)][g];
    const auto [values, vectors] = symmetric_eigen(T);
    const Eigen::Vector3d left = (values.array() - threshold).cwiseMax(0);
    T = vectors * left.asDiagonal() * vectors.transpose();
    for (int k = 0; k < 6; k++) S.at[k][g] = T(kStrainRow[k], kStrainColumn[k]);
    return left[2] > 0;
  }

  // What the stiffness is made of, with the weights of points in products.
  struct Terms {
    NodeValues<P> s, p, lambda_p, mu_p, both_p;  // grad N, F grad N, times lambda, mu, their sum
    double mu_ss[P][N][N];                       // mu grad N_a . grad N_b
    NodeValues<M + 1> alpha, minus_alpha;        // amplitudes of unit displacements
  };

  Terms stiffness_terms(const Gradient& F) const {
    Terms t;
    for (int g = 0; g < P; g++) set_point(F, g, t);
    for (int m = 0; m < M; m++) set_mode(F, m, t);
    return t;
  }

  // The sums are of local arrays, which stay in registers.
  void set_point(const Gradient& F, int g, Terms& t) const {
    const double w_lambda = weight()[g] * lambda, w_mu = weight()[g] * mu;
    double products[N][N] = {};
    for (int J = 0; J < 3; J++) {
      double mu_s[N];
      for (int a = 0; a < N; a++) t.s.at[J][g][a] = slope(a, J)[g];
      set_multiple(mu_s, w_mu, t.s.at[J][g]);
      add_outer(products, mu_s, t.s.at[J][g]);
    }
    std::copy_n(products[0], N * N, t.mu_ss[g][0]);
    for (int i = 0; i < 3; i++) {
      double p[N] = {};
      for (int J = 0; J < 3; J++) add_multiple(p, F.at[i][J][g], t.s.at[J][g]);
      std::copy_n(p, N, t.p.at[i][g]);
      set_multiple(t.lambda_p.at[i][g], w_lambda, p);
      set_multiple(t.mu_p.at[i][g], w_mu, p);
      set_multiple(t.both_p.at[i][g], w_lambda + w_mu, p);
    }
  }

  void set_mode(const Gradient& F, int m, Terms& t) const {
    const Gradient T = turned(F, [&](int k) { return mode(m, k); });
    for (int i = 0; i < 3; i++) {
      double work[N] = {};
      for (int J = 0; J < 3; J++)
        for (int g = 0; g < P; g++) add_multiple(work, T.at[i][J][g], t.s.at[J][g]);
      set_multiple(t.alpha.at[i][m], -1, work);
      set_multiple(t.minus_alpha.at[i][m], 1, work);
    }
  }

  // Largest eigenvalue at point g, by Gershgorin; `shear` times components 3..5 are the entries off
  // the diagonal.
  static double row_bound(const Strain& e, int g, double shear) {
    const double xy = shear * std::abs(e.at[3][g]), yz = shear * std::abs(e.at[4][g]),
                 xz = shear * std::abs(e.at[5][g]);
    return std::max({e.at[0][g] + xy + xz, e.at[1][g] + xy + yz, e.at[2][g] + xz + yz});
  }
};

}  // namespace solfec
