"""Makes the modules of this folder importable: its tests, and those of its folders, are imported by path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
