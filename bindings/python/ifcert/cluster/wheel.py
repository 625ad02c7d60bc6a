"""The wheel that this package was installed from, made again from its files: so it reaches the nodes of a cluster.

Ray takes two wheels with one name for the same, and a node keeps the first. So the name has a digest, as a build tag.
"""

import zipfile
from importlib import metadata
from pathlib import Path

from ifcert.cluster.shard import Undone, digest_of

OF_PIP = ("INSTALLER", "REQUESTED", "RECORD", "direct_url.json")  # in the folder of a distribution


def is_installed() -> bool:
    """Rather than a part of a checkout."""
    return (Path(__file__).parents[1] / "installed").is_dir()


def write_wheel(folder: Path) -> Path:
    """Like the original, but for its compression and RECORD, which pip does not need."""
    try:
        installed = metadata.distribution("ifcert")
    except metadata.PackageNotFoundError:
        raise Undone("pip does not know how ifcert was installed, so no wheel can be made for the nodes") from None
    tags = [line.split(": ")[1] for line in (installed.read_text("WHEEL") or "").splitlines() if line.startswith("Tag")]
    python, abi, _ = tags[0].split("-")
    platforms = ".".join(tag.split("-")[2] for tag in tags)
    kept = [
        file
        for file in dict.fromkeys(installed.files or [])
        if not (".." in file.parts or "__pycache__" in file.parts or file.name in OF_PIP)
    ]
    contents = {str(file): Path(str(file.locate())).read_bytes() for file in kept}
    wheel = folder / f"ifcert-{installed.version}-0{digest_of(contents)[:16]}-{python}-{abi}-{platforms}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in kept:
            archive.write(Path(str(file.locate())), str(file))
        about = next(file.parent for file in kept if file.name == "WHEEL")
        names = [*map(str, kept), f"{about}/RECORD"]
        archive.writestr(f"{about}/RECORD", "".join(f"{name},,\n" for name in names))
    return wheel
