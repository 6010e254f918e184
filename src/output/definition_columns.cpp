#include "output/definition_columns.hpp"

#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <type_traits>

namespace solfec {
namespace {

struct Rows {
  std::size_t begin, end;
};

// Rows that belong to `owners`, by a column of counts, one per owner.
Rows rows_of(const Hdf5Reader& file, const char* counts, Rows owners) {
  const auto n = file.read<std::uint32_t>(counts, 1, 0, owners.end);
  const auto middle = n.begin() + static_cast<std::ptrdiff_t>(owners.begin);
  const std::size_t begin = std::accumulate(n.begin(), middle, std::size_t{0});
  return {begin, std::accumulate(middle, n.end(), begin)};
}

}  // namespace

FrameData read_definition_columns(const Hdf5Reader& file, std::size_t begin, std::size_t end) {
  const Rows bodies = {begin, end};
  const Rows solids = rows_of(file, "definition/solids", bodies),
             loads = rows_of(file, "definition/loads", bodies),
             joints = rows_of(file, "definition/joints", bodies),
             across = rows_of(file, "joint/across", joints);
  const std::map<std::string, Rows> special = {
      {"definition/label_text", rows_of(file, "definition/label_size", bodies)},
      {"definition/volume_material", rows_of(file, "definition/volume_materials", bodies)},
      {"definition/volume_density", rows_of(file, "definition/volume_materials", bodies)},
      {"solid/point", rows_of(file, "solid/points", solids)},
      {"solid/real", rows_of(file, "solid/reals", solids)},
      {"solid/integer", rows_of(file, "solid/integers", solids)},
      {"load/series", rows_of(file, "load/series_points", loads)},
      {"joint/series", rows_of(file, "joint/series_points", joints)},
      {"across/series", rows_of(file, "across/series_points", across)}};
  FrameData data;
  visit_columns(data, [&](const char* path, auto& column, std::size_t width, auto&&...) {
    const auto starts = [&](const char* group) {
      return std::strncmp(path, group, std::strlen(group)) == 0;
    };
    Rows rows;
    if (const auto found = special.find(path); found != special.end())
      rows = found->second;
    else if (starts("definition/"))
      rows = bodies;
    else if (starts("solid/"))
      rows = solids;
    else if (starts("load/"))
      rows = loads;
    else if (starts("joint/"))
      rows = joints;
    else if (starts("across/"))
      rows = across;
    else
      return;
    column = file.read<std::remove_cvref_t<decltype(column[0])>>(path, width, rows.begin,
                                                                 rows.end - rows.begin);
  });
  return data;
}

}  // namespace solfec
