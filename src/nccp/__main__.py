"""``python -m nccp`` is the ``nccp`` command."""

from nccp.cli import main

main()
