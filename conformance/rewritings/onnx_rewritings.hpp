// What the rewritings of ONNX files do; table.cpp names them. Each throws NotMade where it does not apply.
#pragma once

#include <string_view>

#include "conformance/rewritings/onnx_tree.hpp"

namespace ifcert::conformance::onnx_rewritings {

/// The orders in which a list is written anew. Of two entries, only `reversed` changes the order.
enum class Order { reversed, rotated, sorted };

/// Writes a repeated field of all messages of one kind in another order. `key` is the field of an entry by which it is
/// sorted: a name.
void reorder(ModelFiles& files, onnx_tree::Kind kind, onnx_tree::Number list, Order order, onnx_tree::Number key);

void reverse_imports(ModelFiles& files);
void reverse_value_infos(ModelFiles& files);
void reverse_metadata(ModelFiles& files);

/// In each message, fields of higher numbers come first; those of one number keep their order.
void reverse_fields(ModelFiles& files);

/// Numbers that are packed are written one by one, and the reverse.
void exchange_packing(ModelFiles& files);

/// Every list of nodes in the order that takes the last one that can be next.
void reorder_nodes(ModelFiles& files);

/// How values, nodes and graphs are named anew. The names of the main graph's inputs and outputs stay.
enum class Names {
  punctuated,  // "/a:0.b-c d/7"
  brief,       // "a", "b", …, "aa"
  lengthy,     // 300 characters that differ in the last ones
  exchanged,   // those of the same graph or function, each another's
  reused       // graphs that do not see each other have the same ones
};
void rename_values(ModelFiles& files, Names names);
void rename_graphs(ModelFiles& files, Names names);
void rename_functions(ModelFiles& files, Names names);
void rename_dimensions(ModelFiles& files);

enum class NodeNames { none, punctuated, lengthy, of_outputs, same_in_all_graphs };
void rename_nodes(ModelFiles& files, NodeNames names);

/// Where the numbers of tensors are.
void to_raw_data(ModelFiles& files);
void to_typed_fields(ModelFiles& files);
void to_external_data(ModelFiles& files);
void to_own_data(ModelFiles& files);  // from external files

/// Declares (value_info) what can only have one type: initializers, Constants, what an Identity makes of them, and
/// results of operators that only return bools.
void add_value_infos(ModelFiles& files);
void drop_value_infos(ModelFiles& files);
void drop_types_of_nested_graphs(ModelFiles& files);
void drop_nested_shapes(ModelFiles& files);
void drop_main_dimensions(ModelFiles& files);

void add_documentation(ModelFiles& files);
void add_metadata(ModelFiles& files);
void add_metadata_inside(ModelFiles& files);  // of graphs, nodes and functions
void change_producer(ModelFiles& files);
void add_unknown_fields(ModelFiles& files);
void add_initializers(ModelFiles& files);
void add_constants(ModelFiles& files);
void add_function(ModelFiles& files);

/// Attributes that have their default, a number, in every version of their operator: ReduceSum's keepdims is 1.
void write_attribute_defaults(ModelFiles& files);
void omit_attribute_defaults(ModelFiles& files);

/// Strings that are "" where they are absent: domains of nodes, doc_strings.
void write_field_defaults(ModelFiles& files);
void omit_field_defaults(ModelFiles& files);

/// The default operator set's domain in imports, "", is left out.
void omit_default_domain(ModelFiles& files);

/// Constants that are tensors, in a graph, and its initializers, as far as it does not return them.
void constants_into_initializers(ModelFiles& files);
void initializers_into_constants(ModelFiles& files);

/// Nodes read initializers in the place of inputs to which all runs feed the same.
void fix_inputs(ModelFiles& files);

/// Each branch of an If returns the Identity of what it returns.
void copy_results(ModelFiles& files);

/// All nodes of the main graph are put elsewhere; its initializers stay, or go with them into else. Both branches of
/// the new If have them, since they agree in their types then.
void put_main_into_then(ModelFiles& files);  // cond is a Constant
void put_main_into_else(ModelFiles& files);  // cond is computed
void put_main_into_loop(ModelFiles& files);  // of one trip, which stacks what they return
void put_main_into_function(ModelFiles& files);

/// Each If is in both branches of another on the same cond; those in its branches stay as they are.
void put_ifs_into_ifs(ModelFiles& files);

/// Each If of the main graph is a function's, whose operands are cond and what its branches read.
void put_ifs_into_functions(ModelFiles& files);

/// Each If of the main graph, and of its branches, whose branches read nothing around them is that of a function to
/// which the branches are passed.
void pass_branches(ModelFiles& files);

/// Each If has the Not of its cond, and each branch is the other one.
void exchange_branches(ModelFiles& files);

}  // namespace ifcert::conformance::onnx_rewritings
