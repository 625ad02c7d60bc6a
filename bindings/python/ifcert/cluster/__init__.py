"""The option --on of the command: work in shards, each done by the same command on some machine.

`shard` is what is passed around; `node` does a shard where it runs; `on_local` and `on_ray` are the places with their
workers; `driver` gives shards to workers and takes the results, each once; `ledger` remembers what ran where; `jobs`
cuts the work of a command into shards and makes one result of theirs. docs/runner.md and docs/scale.md.
"""
