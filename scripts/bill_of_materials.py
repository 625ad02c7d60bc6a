"""Lists what is inside a wheel of ifcert, as CycloneDX 1.6 JSON on standard output.

usage: bill_of_materials.py WHEEL

It has the libraries that auditwheel put beside the program, and those whose headers were compiled into it: Debian's
packages of the step `run` in scripts/debian-packages.txt that are libraries, in the versions installed here, and
pybind11. What pip installs beside the wheel (numpy, ml_dtypes) is not inside; the wheel's metadata names it.
"""

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parent.parent


def debian(package: str) -> Component:
    """The installed version of the package."""
    version = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True, text=True
    ).stdout
    url = PackageURL("deb", "debian", package, version)
    return Component(name=package, version=version, type=ComponentType.LIBRARY, purl=url, bom_ref=str(url))


def compiled_in() -> list[str]:
    """Debian's packages of libraries with which the program is built."""
    lines = (ROOT / "scripts" / "debian-packages.txt").read_text().splitlines()
    return [name for name, step in map(str.split, lines[2:]) if step == "run" and name.endswith("-dev")]


def brought(wheel: zipfile.ZipFile) -> list[Component]:
    """The shared libraries in the wheel, each with its digest and the Debian package that it belongs to."""
    components = []
    for entry in sorted(name for name in wheel.namelist() if ".libs/lib" in name):
        stem, suffix = re.fullmatch(r"(.+?)-[0-9a-f]{8}\.(so.*)", Path(entry).name).groups()
        found = subprocess.run(["dpkg-query", "-S", f"*/{stem}.{suffix}"], check=True, capture_output=True, text=True)
        component = debian(found.stdout.split(":")[0])
        component.bom_ref.value = entry
        component.hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(wheel.read(entry)).hexdigest()))
        components.append(component)
    return components


def main() -> None:
    """Writes the list."""
    file = Path(sys.argv[1])
    name, version = file.name.split("-")[:2]
    bom = Bom()
    bom.metadata.component = Component(
        name=name,
        version=version,
        type=ComponentType.APPLICATION,
        purl=PackageURL("pypi", name=name, version=version),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(file.read_bytes()).hexdigest())],
    )
    pybind11 = re.search(r"^pybind11==(\S+)", (ROOT / "scripts" / "requirements.txt").read_text(), re.MULTILINE)[1]
    url = PackageURL("pypi", name="pybind11", version=pybind11)
    with zipfile.ZipFile(file) as wheel:
        inside = [*map(debian, compiled_in()), *brought(wheel)]
    inside.append(Component(name="pybind11", version=pybind11, type=ComponentType.LIBRARY, purl=url, bom_ref=str(url)))
    bom.components.update(inside)
    bom.register_dependency(bom.metadata.component, inside)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"the list is not CycloneDX: {fault}")
    print(text)


if __name__ == "__main__":
    main()
