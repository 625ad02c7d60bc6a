"""Measures what `ifcert adapter install` costs, and writes it into each adapter.json, for `ifcert adapter list`.

usage: python3 scripts/install_costs.py [ADAPTER…]        without a name: all that install something

Each environment is made once in a temporary folder, with empty caches, so that the time contains the downloads; the
adapters that share it get the same. The size is that of the environment's files, in 1,000,000 bytes. An adapter whose
toolchain is missing is named and left alone. Exit 1 where one could not be installed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADAPTERS = ROOT / "conformance" / "adapters"
IFCERT = Path(os.environ.get("IFCERT_BIN", ROOT / "build" / "release" / "bin")) / "ifcert"


def with_empty_caches(folder: Path) -> dict[str, str]:
    """The variables with which no earlier download is found, and environments go to the folder."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    (folder / "cargo").mkdir()
    for name in ("config.toml", "config"):
        if (cargo / name).exists():
            shutil.copy(cargo / name, folder / "cargo")
    return os.environ | {
        "IFCERT_ADAPTERS": str(folder / "environments"),
        "PIP_NO_CACHE_DIR": "1",
        "npm_config_cache": str(folder / "npm"),
        "MAVEN_OPTS": f"{os.environ.get('MAVEN_OPTS', '')} -Dmaven.repo.local={folder / 'maven'}".strip(),
        "CARGO_HOME": str(folder / "cargo"),
        "GOMODCACHE": str(folder / "gomod"),
        "GOCACHE": str(folder / "gocache"),
        "GOFLAGS": f"{os.environ.get('GOFLAGS', '')} -modcacherw".strip(),
    }


def size_of(folder: Path) -> int:
    """The bytes of all files, links not followed."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def measured(adapter: str, environment: str) -> dict[str, int] | None:
    """Seconds and megabytes; None where it cannot be installed."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        began = time.monotonic()
        run = subprocess.run(
            [IFCERT, "adapter", "install", adapter],
            env=with_empty_caches(folder),
            stdout=subprocess.DEVNULL,
            check=False,
        )
        seconds = time.monotonic() - began
        if run.returncode != 0:
            return None
        size = size_of(folder / "environments" / environment)
    return {"seconds": max(1, round(seconds)), "megabytes": max(1, round(size / 1e6))}


def with_cost(manifest: str, cost: dict[str, int]) -> str:
    """The text of an adapter.json, with this cost after the name of its environment."""
    return re.sub(
        r'("environment": "[^"]*")(, "cost": \{[^}]*\})?',
        lambda found: f'{found[1]}, "cost": {json.dumps(cost)}',
        manifest,
        count=1,
    )


def environments(names: list[str]) -> dict[str, list[str]]:
    """Environment → the adapters that share it, for those of the named adapters."""
    shared: dict[str, list[str]] = {}
    for file in sorted(ADAPTERS.glob("*/adapter.json")):
        install = json.loads(file.read_text())["install"]
        if install:
            shared.setdefault(install["environment"], []).append(file.parent.name)
    return {name: sharing for name, sharing in shared.items() if not names or set(names) & set(sharing)}


def main() -> int:
    """Exit code 1 where an adapter could not be installed."""
    failed = 0
    for environment, adapters in environments(sys.argv[1:]).items():
        cost = measured(adapters[0], environment)
        print(f"{environment}: {cost or 'could not be installed'}", flush=True)
        if cost is None:
            failed = 1
            continue
        for adapter in adapters:
            file = ADAPTERS / adapter / "adapter.json"
            file.write_text(with_cost(file.read_text(), cost))
    return failed


if __name__ == "__main__":
    sys.exit(main())
