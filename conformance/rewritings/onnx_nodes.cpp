#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewritings/onnx_rewritings.hpp"
#include "conformance/rewritings/onnx_scope.hpp"

namespace ifcert::conformance::onnx_rewritings {
namespace {

using namespace onnx_tree;

/// For each node of a body, those that must come after it: what reads its results, and what defines a name that one of
/// its graphs defines too, which would be visible there.
std::vector<std::vector<std::size_t>> followers_of(const std::vector<Message*>& nodes) {
  std::map<std::string, std::size_t, std::less<>> maker;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const Field* output : fields_of(*nodes[i], fields::NodeProto::output)) maker.emplace(output->bytes, i);
  }
  std::vector<std::vector<std::size_t>> followers(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : onnx_scope::names_read(*nodes[i])) {
      if (const auto found = maker.find(name); found != maker.end()) followers[found->second].push_back(i);
    }
    for (const std::string& name : onnx_scope::names_defined_inside(*nodes[i])) {
      if (const auto found = maker.find(name); found != maker.end() && found->second > i)
        followers[i].push_back(found->second);
    }
  }
  return followers;
}

/// Of the nodes that can be next, the last one of the file comes first.
std::vector<std::size_t> last_first(const std::vector<std::vector<std::size_t>>& followers) {
  std::vector<std::size_t> waits_for(followers.size());
  for (const auto& each : followers) {
    for (const std::size_t follower : each) ++waits_for[follower];
  }
  std::priority_queue<std::size_t> ready;
  for (std::size_t i = 0; i < followers.size(); ++i) {
    if (waits_for[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    order.push_back(next);
    for (const std::size_t follower : followers[next]) {
      if (--waits_for[follower] == 0) ready.push(follower);
    }
  }
  if (order.size() != followers.size()) throw NotMade("its nodes wait for each other");
  return order;
}

void reorder_nodes_of(Message& body) {
  const std::vector<Message*> nodes = onnx_scope::nodes_of(body);
  const std::vector<std::size_t> order = last_first(followers_of(nodes));
  std::vector<Message> moved;
  for (const std::size_t i : order) moved.push_back(std::move(*nodes[i]));
  for (std::size_t i = 0; i < nodes.size(); ++i) *nodes[i] = std::move(moved[i]);
}

}  // namespace

void reorder_nodes(ModelFiles& files) {
  change_tree(files, [](Message& model) {
    for_each(model, Kind::graph, reorder_nodes_of);
    for_each(model, Kind::function, reorder_nodes_of);
  });
}

}  // namespace ifcert::conformance::onnx_rewritings
