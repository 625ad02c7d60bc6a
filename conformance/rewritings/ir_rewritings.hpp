// What the rewritings of OpenVINO IR do; table.cpp names them. Each throws NotMade where it does not apply.
#pragma once

#include <string_view>

#include "conformance/rewritings/rewriting.hpp"

namespace ifcert::conformance::ir_rewritings {

enum class Order { reversed, rotated };

/// The children of that name in each element of another name: layers, edges. Parameters keep the order that they have
/// among each other, and so do Results.
void reorder(ModelFiles& files, std::string_view parent, std::string_view child, Order order);

/// Parameters and Results of each body of an If, among the other layers.
void reverse_interfaces_of_bodies(ModelFiles& files);

void reverse_port_map_inputs(ModelFiles& files);
void reverse_port_map_outputs(ModelFiles& files);

/// Port maps and bodies of each If.
void reverse_parts_of_ifs(ModelFiles& files);

/// Each If of the main network is in both bodies of another on the same cond.
void put_ifs_into_ifs(ModelFiles& files);

/// The main network is in both bodies of an If of true.
void put_main_into_bodies(ModelFiles& files);

/// Layers of the main network read constants in the place of Parameters to which all runs feed the same.
void fix_inputs(ModelFiles& files);

/// Each If has the LogicalNot of its cond, and each body is the other one.
void exchange_bodies(ModelFiles& files);

/// The attributes of each element in the reverse order.
void reverse_attributes(ModelFiles& files);

/// Ids of layers, in each network.
enum class Ids {
  gaps,     // 3, 10, 17, …
  falling,  // the first one is the largest
  large     // from 2^31 on
};
void renumber_layers(ModelFiles& files, Ids ids);

/// Ids of the output ports of each layer but an If, from 1000 on; and of its input ports, from 500 on.
void renumber_output_ports(ModelFiles& files);
void renumber_input_ports(ModelFiles& files);

/// Names of layers, without the main network's Parameters, Results and what its Results take their values from.
enum class LayerNames { punctuated, lengthy, same_in_all_bodies };
void rename_layers(ModelFiles& files, LayerNames names);

/// Attributes of operations that have their default: auto_broadcast, keep_dims, transpose_a, transpose_b.
void write_defaults(ModelFiles& files);
void omit_defaults(ModelFiles& files);

/// A section that serves for debugging.
void add_meta_data(ModelFiles& files);

void add_comments(ModelFiles& files);
void quote_with_apostrophes(ModelFiles& files);
void write_character_references(ModelFiles& files);

/// The .bin begins and ends with 64 other bytes.
void pad_weights(ModelFiles& files);

/// Constants of a .bin in the reverse order; and in order, those with the same bytes once.
void reverse_weights(ModelFiles& files);
void share_weights(ModelFiles& files);

}  // namespace ifcert::conformance::ir_rewritings
