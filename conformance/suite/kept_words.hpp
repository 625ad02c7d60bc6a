// What the runner keeps of an adapter's words: of everything that it says, only so much that its results stay small.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "conformance/results/certification.hpp"

namespace ifcert::conformance {

/// How many bytes are kept of a text that an adapter sends: a message, a name, a type. Only the data of tensors are
/// longer.
inline constexpr std::size_t max_word = std::size_t{4} << 10U;

/// How many bytes of a reason are kept; a reason may quote several words.
inline constexpr std::size_t max_reason = std::size_t{2} << 10U;

/// How many bytes the words of one result may take in a file: its reason, the answer, the evidence and the link.
inline constexpr std::size_t max_words_of_vector = std::size_t{64} << 10U;

/// An answer as a result stores it: large values as one line of text, and of very many outputs or runs only the first.
nlohmann::json kept_answer(const nlohmann::json& answer);

/// How many bytes the words of a result take in a file.
std::size_t words_in(const Result& result);

/// Drops the words of a result, all but the beginning of its reason, if they would take more than `most` bytes in a
/// file. Returns how many they take now: at most `most`, or a few hundred.
std::size_t keep_within(Result& result, std::size_t most);

}  // namespace ifcert::conformance
