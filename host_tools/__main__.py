"""`python -m host_tools` is the `tableside` command."""

import sys

from host_tools.cli import main

sys.exit(main())
