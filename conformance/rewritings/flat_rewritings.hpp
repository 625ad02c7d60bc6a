// What the rewritings of TensorFlow Lite and Circle files do; table.cpp names them. Each throws NotMade where it does
// not apply.
#pragma once

#include "conformance/rewritings/rewriting.hpp"

namespace ifcert::conformance::flat_rewritings {

enum class Order { reversed, rotated };

/// Lists in another order, with every index that leads into them. Subgraph 0 and buffer 0 stay.
void reorder_tensors(ModelFiles& files, Order order);
void reorder_buffers(ModelFiles& files, Order order);
void reorder_operator_codes(ModelFiles& files, Order order);
void reorder_subgraphs(ModelFiles& files, Order order);

/// Constants with the same bytes have one buffer, whatever their types and shapes are; or each constant has its own.
void share_buffers(ModelFiles& files);
void part_buffers(ModelFiles& files);

/// Names of tensors, without those of the main subgraph's inputs and outputs; and names of subgraphs.
enum class Names { none, punctuated, lengthy, equal };
void rename_tensors(ModelFiles& files, Names names);
void rename_subgraphs(ModelFiles& files, Names names);

/// Each If is in both subgraphs of another on the same cond; or the main subgraph is in both of an If of true.
void put_ifs_into_ifs(ModelFiles& files);
void put_main_into_ifs(ModelFiles& files);

/// Operations of the main subgraph read constants in the place of inputs to which all runs feed the same.
void fix_inputs(ModelFiles& files);

/// Indices that are 0, the default, are left out: those of operator codes, buffers and subgraphs.
void omit_defaults(ModelFiles& files);

/// An entry of the model's metadata, with a buffer of its own; and another description of the model.
void add_metadata(ModelFiles& files);
void change_description(ModelFiles& files);

/// A field in each table that no schema has.
void add_unknown_fields(ModelFiles& files);

/// Where things are in the file.
void pad_objects(ModelFiles& files);
void put_vtables_behind(ModelFiles& files);
void put_last_first(ModelFiles& files);

}  // namespace ifcert::conformance::flat_rewritings
