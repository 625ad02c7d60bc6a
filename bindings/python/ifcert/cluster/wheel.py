"""The wheel that this package was installed from, made again from its files: so it reaches the nodes of a cluster."""

import zipfile
from importlib import metadata
from pathlib import Path

from ifcert.cluster.shard import Undone

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
    wheel = folder / f"ifcert-{installed.version}-{python}-{abi}-{platforms}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in dict.fromkeys(installed.files or []):
            if ".." in file.parts or "__pycache__" in file.parts or file.name in OF_PIP:
                continue
            archive.write(Path(str(file.locate())), str(file))
            record.append(f"{file},,")
        about = next(file.parent for file in installed.files or [] if file.name == "WHEEL")
        archive.writestr(f"{about}/RECORD", "\n".join([*record, f"{about}/RECORD,,", ""]))
    return wheel
