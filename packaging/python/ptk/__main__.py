# SPDX-License-Identifier: Apache-2.0
"""`python -m ptk` and the console script: they become the program."""
import os
import sys

from ptk import program


def main() -> None:
    os.execv(program(), ["ptk", *sys.argv[1:]])


if __name__ == "__main__":
    main()
