"""Dies of an error in its first lines, like an adapter whose runtime is not installed."""

raise ImportError("no runtime is here")
