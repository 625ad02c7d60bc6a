#include <filesystem>
#include <ifcert/reference.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "conformance/certify/reference_runs.hpp"
#include "conformance/certify/siblings.hpp"
#include "conformance/system/file.hpp"
#include "conformance/system/temporary_folder.hpp"

namespace ifcert::conformance {
namespace {

/// What write_model() returned, read from a folder.
Reading read_written(const std::vector<WrittenFile>& files) {
  const TemporaryFolder folder;
  for (const WrittenFile& file : files) replace_file(folder.path() / file.path, file.bytes);
  return read_model(folder.path() / files.back().path);
}

/// Throws NoSibling, Inexpressible, EvaluationError.
std::vector<Sibling> written_again(const Vector& vector) {
  Model model = legal_model(vector);
  const std::vector<WrittenFile> written = write_model(model, vector.files.model);
  Sibling made{.files = vector.files, .steps = std::vector<std::size_t>(vector.summary.steps.size())};
  std::iota(made.steps.begin(), made.steps.end(), std::size_t{0});
  made.files.bytes.clear();
  for (const WrittenFile& file : written) made.files.bytes.emplace(file.path, file.bytes);
  made.files.folder = opaque_name(made.files);
  const Program before(std::move(model));
  const Program after(read_written(written).model);
  if (!computes_the_same(after, runs_of(vector.summary.steps, before)))
    throw NoSibling("it would compute something else");
  return {std::move(made)};
}

}  // namespace

Siblings rewritten(const Vector& vector) {
  return siblings_or_reason([&] { return written_again(vector); });
}

}  // namespace ifcert::conformance
