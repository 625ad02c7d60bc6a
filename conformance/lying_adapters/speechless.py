"""Dies of a mistake in its first lines, as an adapter does whose runtime is not installed."""

raise ImportError("no runtime is here")
