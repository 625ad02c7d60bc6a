#include "conformance/rewritings/flat_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ifcert::conformance::flat_tree {
namespace {

bool has(const Table& table, Slot slot) {
  return slot < table.slots.size() && table.slots[slot] != 0;
}

/// What a field with an offset leads to.
enum class Leads : std::uint8_t { table, tables, numbers, text };

struct Reference {
  Kind kind;
  Slot slot;
  Leads leads;
  Kind to = Kind::model;  // of tables
  std::size_t size = 1;   // of a number
};

using enum Leads;

/// All fields with offsets. Options: see options_references().
constexpr auto references = std::to_array<Reference>({
    {Kind::model, 1, tables, Kind::operator_code},
    {Kind::model, 2, tables, Kind::subgraph},
    {Kind::model, 3, text},
    {Kind::model, 4, tables, Kind::buffer},
    {Kind::model, 5, numbers, Kind::model, 4},
    {Kind::model, 6, tables, Kind::metadata},
    {Kind::model, 7, tables, Kind::signature},
    {Kind::operator_code, 1, text},
    {Kind::subgraph, 0, tables, Kind::tensor},
    {Kind::subgraph, 1, numbers, Kind::model, 4},
    {Kind::subgraph, 2, numbers, Kind::model, 4},
    {Kind::subgraph, 3, tables, Kind::operation},
    {Kind::subgraph, 4, text},
    {Kind::tensor, 0, numbers, Kind::model, 4},
    {Kind::tensor, 3, text},
    {Kind::tensor, 4, table, Kind::quantization},
    {Kind::tensor, 7, numbers, Kind::model, 4},
    {Kind::quantization, 0, numbers, Kind::model, 4},
    {Kind::quantization, 1, numbers, Kind::model, 4},
    {Kind::quantization, 2, numbers, Kind::model, 4},
    {Kind::quantization, 3, numbers, Kind::model, 8},
    {Kind::operation, 1, numbers, Kind::model, 4},
    {Kind::operation, 2, numbers, Kind::model, 4},
    {Kind::operation, 4, table, Kind::options},
    {Kind::operation, 5, numbers, Kind::model, 1},
    {Kind::operation, 7, numbers, Kind::model, 1},
    {Kind::operation, 8, numbers, Kind::model, 4},
    {Kind::buffer, 0, numbers, Kind::model, 1},
    {Kind::metadata, 0, text},
    {Kind::signature, 0, tables, Kind::tensor_map},
    {Kind::signature, 1, tables, Kind::tensor_map},
    {Kind::signature, 2, text},
    {Kind::tensor_map, 0, text},
});

/// Fields that no rewriting keeps: sparsity and variants of tensors, an external buffer, details of a quantization,
/// options of the second kind, data outside the FlatBuffer. And how many fields each table has.
struct Extent {
  Kind kind;
  Slot count;
  std::array<Slot, 3> not_kept;
};
constexpr Slot nothing = std::numeric_limits<Slot>::max();
constexpr auto extents = std::to_array<Extent>({
    {Kind::model, 8, {nothing, nothing, nothing}},
    {Kind::operator_code, 4, {nothing, nothing, nothing}},
    {Kind::subgraph, 6, {nothing, nothing, nothing}},
    {Kind::tensor, 10, {6, 9, nothing}},
    {Kind::quantization, 7, {5, nothing, nothing}},
    {Kind::operation, 11, {9, 10, nothing}},
    {Kind::buffer, 3, {1, 2, nothing}},
    {Kind::metadata, 2, {nothing, nothing, nothing}},
    {Kind::signature, 5, {3, nothing, nothing}},
    {Kind::tensor_map, 2, {nothing, nothing, nothing}},
});

// Options that hold numbers of their own: ReshapeOptions and SqueezeOptions. Those that hold no offset at all are
// listed, too; a model with any other ones is not rewritten.
constexpr std::int64_t reshape_options = 17;
constexpr std::int64_t squeeze_options = 30;
constexpr auto options_without_offsets = std::to_array<std::int64_t>({
    0,  10, 11, 9,  21, 22, 23, 24, 26, 27, 28, 29, 31, 32, 34, 35, 37, 38, 39, 40, 41, 42, 43, 44,  45,  46,  47, 48,
    49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72,  73,  74,  75, 76,
    77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 103,
});

constexpr std::size_t most_tables = 200'000;  // ours: a file whose tables share others must not grow without end
constexpr int deepest_table = 12;             // deeper than the schema

std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) throw NotMade("an offset of its file leads out of it");
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return number;
}

void put_number(std::string& bytes, std::size_t at, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Table table(std::size_t at, Kind kind, int depth, std::int64_t options_type = 0) {
    if (++tables_ > most_tables || depth > deepest_table) throw NotMade("it has more tables than are rewritten");
    const auto to_slots = static_cast<std::int32_t>(number_in(file_, at, 4));
    const std::size_t slots_at = at - static_cast<std::size_t>(static_cast<std::int64_t>(to_slots));
    const std::size_t slots_size = number_in(file_, slots_at, 2);
    const std::size_t size = number_in(file_, slots_at + 2, 2);
    if (slots_size < 4 || size < 4 || at + size > file_.size()) throw NotMade("a table of its file is damaged");
    Table table{.kind = kind, .bytes = std::string(file_.substr(at, size)), .alignment = at % 16};
    for (std::size_t i = 4; i < slots_size; i += 2)
      table.slots.push_back(static_cast<std::uint16_t>(number_in(file_, slots_at + i, 2)));
    require_known(table, options_type);
    for (Slot slot = 0; slot < table.slots.size(); ++slot) {
      const Reference* reference = reference_of(kind, slot, options_type);
      if (table.slots[slot] == 0 || reference == nullptr) continue;
      const std::int64_t type = kind == Kind::operation ? number_at(table, slots::options_type_of_operation, 1) : 0;
      table.children.emplace(slot, child(followed(at + table.slots[slot]), *reference, depth, type));
    }
    return table;
  }

  std::size_t followed(std::size_t at) const { return at + number_in(file_, at, 4); }

 private:
  static const Reference* reference_of(Kind kind, Slot slot, std::int64_t options_type) {
    static constexpr Reference list_of_options{Kind::options, 0, numbers, Kind::model, 4};
    if (kind == Kind::options) {
      const bool has_list = options_type == reshape_options || options_type == squeeze_options;
      return has_list && slot == 0 ? &list_of_options : nullptr;
    }
    const auto found =
        std::ranges::find_if(references, [&](const Reference& each) { return each.kind == kind && each.slot == slot; });
    return found == references.end() ? nullptr : &*found;
  }

  static void require_known(const Table& table, std::int64_t options_type) {
    if (table.kind == Kind::options) {
      const bool is_known = options_type == reshape_options || options_type == squeeze_options ||
                            std::ranges::find(options_without_offsets, options_type) != options_without_offsets.end();
      if (!is_known) throw NotMade(fmt::format("it has options of the type {}", options_type));
      return;
    }
    const Extent& extent = *std::ranges::find(extents, table.kind, &Extent::kind);
    for (Slot slot = 0; slot < table.slots.size(); ++slot) {
      const bool is_kept = slot < extent.count && std::ranges::find(extent.not_kept, slot) == extent.not_kept.end();
      if (table.slots[slot] != 0 && !is_kept) throw NotMade("it has fields that no rewriting keeps");
    }
  }

  Child child(std::size_t at, const Reference& reference, int depth, std::int64_t options_type) {
    Child made;
    if (reference.leads == Leads::table) {
      made.tables.push_back(table(at, reference.to, depth + 1, options_type));
      return made;
    }
    made.count = static_cast<std::uint32_t>(number_in(file_, at, 4));
    if (reference.leads == Leads::tables) {
      made.is_list = true;
      for (std::size_t i = 0; i < made.count; ++i)
        made.tables.push_back(table(followed(at + 4 + 4 * i), reference.to, depth + 1));
      return made;
    }
    const std::size_t size = made.count * reference.size;
    if (at + 4 > file_.size() || size > file_.size() - at - 4) throw NotMade("a list of its file ends after the file");
    made.bytes = file_.substr(at + 4, size);
    made.alignment = (at + 4) % 16;
    return made;
  }

  std::string_view file_;
  std::size_t tables_ = 0;
};

/// Writes a parent before its children, because offsets lead forwards.
class Writer {
 public:
  Writer(std::string_view identifier, Layout layout) : file_(4, '\0'), layout_(layout) { file_ += identifier; }

  std::string written(const Table& model) {
    put_number(file_, 0, table(model), 4);
    file_.resize((file_.size() + 15) / 16 * 16);
    return std::move(file_);
  }

 private:
  void align(std::size_t to) {
    while (file_.size() % 16 != to) file_ += '\0';
  }

  void pad() {
    if (layout_ == Layout::padded) file_.append(36, '\x7f');
  }

  /// Writes the places of the table's fields and returns where they are.
  std::size_t vtable(const Table& table) {
    if (file_.size() % 2 != 0) file_ += '\0';
    const std::size_t at = file_.size();
    file_.resize(at + 4 + 2 * table.slots.size());
    put_number(file_, at, 4 + 2 * table.slots.size(), 2);
    put_number(file_, at + 2, table.bytes.size(), 2);
    for (std::size_t i = 0; i < table.slots.size(); ++i) put_number(file_, at + 4 + 2 * i, table.slots[i], 2);
    return at;
  }

  /// Returns where the table is.
  std::size_t table(const Table& table) {
    pad();
    std::size_t slots_at = layout_ == Layout::vtables_behind ? 0 : vtable(table);
    align(table.alignment);
    const std::size_t at = file_.size();
    file_ += table.bytes;
    if (layout_ == Layout::vtables_behind) slots_at = vtable(table);
    put_number(file_, at, static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(slots_at), 4);
    const auto write = [&](const std::pair<const Slot, Child>& entry) {
      const std::size_t field = at + table.slots[entry.first];
      const std::size_t target = written_child(entry.second);
      put_number(file_, field, target - field, 4);
    };
    if (layout_ == Layout::last_first)
      std::for_each(table.children.rbegin(), table.children.rend(), write);
    else
      std::for_each(table.children.begin(), table.children.end(), write);
    return at;
  }

  std::size_t written_child(const Child& child) {
    if (!child.is_list && !child.tables.empty()) return table(child.tables.front());
    pad();
    align(child.is_list ? 12 : (child.alignment + 12) % 16);  // the count is before the first number
    const std::size_t at = file_.size();
    file_.resize(at + 4);
    put_number(file_, at, child.is_list ? child.tables.size() : child.count, 4);
    if (!child.is_list) {
      file_ += child.bytes;
      file_.resize((file_.size() + 1 + 3) / 4 * 4);  // with a zero behind a string
      return at;
    }
    file_.resize(at + 4 + 4 * child.tables.size());
    for (std::size_t i = 0; i < child.tables.size(); ++i) {
      const std::size_t field = at + 4 + 4 * i;
      const std::size_t target = table(child.tables[i]);
      put_number(file_, field, target - field, 4);
    }
    return at;
  }

  std::string file_;
  Layout layout_;
};

/// Room for a field of four bytes, where there is none yet.
void add_field(Table& table, Slot slot) {
  if (has(table, slot)) return;
  if (table.slots.size() <= slot) table.slots.resize(slot + 1);
  while ((table.alignment + table.bytes.size()) % 4 != 0) table.bytes += '\0';
  table.slots[slot] = static_cast<std::uint16_t>(table.bytes.size());
  table.bytes += std::string(4, '\0');
}

}  // namespace

Table read_tree(std::string_view file) {
  Reader reader(file);
  return reader.table(reader.followed(0), Kind::model, 0);
}

std::string write_tree(const Table& model, std::string_view identifier, Layout layout) {
  return Writer(identifier, layout).written(model);
}

std::int64_t number_at(const Table& table, Slot slot, std::size_t size, std::int64_t otherwise) {
  if (!has(table, slot)) return otherwise;
  const std::uint64_t number = number_in(table.bytes, table.slots[slot], size);
  return size == 4 ? static_cast<std::int32_t>(number) : static_cast<std::int64_t>(number);
}

void set_number(Table& table, Slot slot, std::int32_t value) {
  add_field(table, slot);
  put_number(table.bytes, table.slots[slot], static_cast<std::uint32_t>(value), 4);
}

Child* child_at(Table& table, Slot slot) {
  const auto found = table.children.find(slot);
  return found == table.children.end() ? nullptr : &found->second;
}

std::vector<Table*> tables_at(Table& table, Slot slot) {
  std::vector<Table*> tables;
  if (Child* child = child_at(table, slot)) {
    for (Table& each : child->tables) tables.push_back(&each);
  }
  return tables;
}

std::vector<std::int32_t> numbers_at(const Table& table, Slot slot) {
  std::vector<std::int32_t> numbers;
  const auto found = table.children.find(slot);
  if (found == table.children.end()) return numbers;
  for (std::size_t at = 0; at + 4 <= found->second.bytes.size(); at += 4)
    numbers.push_back(static_cast<std::int32_t>(number_in(found->second.bytes, at, 4)));
  return numbers;
}

void change_numbers(Table& table, Slot slot, const std::function<std::int32_t(std::int32_t)>& change) {
  const auto found = table.children.find(slot);
  if (found == table.children.end()) return;
  std::string& bytes = found->second.bytes;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4)
    put_number(bytes, at, static_cast<std::uint32_t>(change(static_cast<std::int32_t>(number_in(bytes, at, 4)))), 4);
}

std::string text_at(const Table& table, Slot slot) {
  const auto found = table.children.find(slot);
  return found == table.children.end() ? std::string() : found->second.bytes;
}

Child& add_child(Table& table, Slot slot) {
  add_field(table, slot);
  return table.children[slot];
}

void set_text(Table& table, Slot slot, std::string_view text) {
  Child& child = add_child(table, slot);
  child.bytes = text;
  child.count = static_cast<std::uint32_t>(text.size());
}

void remove(Table& table, Slot slot) {
  if (has(table, slot)) table.slots[slot] = 0;
  table.children.erase(slot);
}

void for_each(Table& root, const std::function<void(Table& table)>& visit) {
  visit(root);
  for (auto& [slot, child] : root.children) {
    for (Table& table : child.tables) for_each(table, visit);
  }
}

void change_layout(ModelFiles& files, Layout layout) {
  std::string& file = files.bytes.at(files.model);
  if (file.size() < 8) throw NotMade("its file is too short");
  const std::string identifier = file.substr(4, 4);
  file = write_tree(read_tree(file), identifier, layout);
}

void change_tree(ModelFiles& files, const std::function<void(Table& model)>& change) {
  std::string& file = files.bytes.at(files.model);
  if (file.size() < 8) throw NotMade("its file is too short");
  const std::string identifier = file.substr(4, 4);
  Table model = read_tree(file);
  const std::string before = write_tree(model, identifier);
  change(model);
  std::string after = write_tree(model, identifier);
  if (after == before) throw NotMade("it would change nothing");
  file = std::move(after);
}

}  // namespace ifcert::conformance::flat_tree
