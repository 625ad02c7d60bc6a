"""`python -m ifcert` is the command `ifcert`."""

from ifcert.command import main

main()
