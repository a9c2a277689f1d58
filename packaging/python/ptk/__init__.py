# SPDX-License-Identifier: Apache-2.0
"""ptk reads profiles and says what to fix first. This module runs the program that lies beside it.

    import ptk
    ptk.run("hotspots", "profile.out")                 what ptk prints, as text
    advice = ptk.load("trace.json.gz", "advise")       the answer, as a dictionary by the JSON schema
    advice.to_pandas()                                 its first table, where pandas is installed
    ptk.report("trace.json.gz")                        the page, which notebooks show
"""
from __future__ import annotations

import html
import json
import os
import subprocess
from typing import Any

__version__ = "@VERSION@"
__all__ = ["Answer", "Error", "Page", "load", "program", "report", "run"]


class Error(RuntimeError):
    """What ptk refused: its message, and its exit status (2 usage, 3 input, 4 the file lacks it, 5 output)."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


def program() -> str:
    """The path of the program."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "ptk")


def refusal(said: str, status: int) -> Error:
    """The error that ptk wrote: one JSON object where the answer was to be JSON, else text."""
    try:
        error = json.loads(said)["error"]
    except (ValueError, KeyError, TypeError):
        return Error(said, status)
    where = "%s: " % error["file"] if error["file"] else ""
    return Error(where + error["message"] + ("\nhint: " + error["hint"] if error["hint"] else ""), status)


def run(command: str, *arguments: "str | os.PathLike[str]", check: bool = True) -> str:
    """What `ptk COMMAND ARGUMENTS` prints. Status 1 is an answer, and no error: "nothing matches", "it got slower"."""
    done = subprocess.run([program(), command, *map(os.fspath, arguments)], capture_output=True, check=False)
    if check and done.returncode not in (0, 1):
        raise refusal(done.stderr.decode("utf-8", "replace").strip(), done.returncode)
    return done.stdout.decode("utf-8", "replace")


class Answer(dict):
    """A command's JSON document."""

    def rows(self, table: "str | None" = None) -> "list[dict[str, Any]]":
        """The rows of a table; without a name those of its first."""
        for name, value in self.items():
            if name == table or (table is None and name not in ("inputs", "warnings")):
                if isinstance(value, list) and (table or (value and isinstance(value[0], dict))):
                    return value
        if table:
            raise KeyError(table)
        return []

    def _repr_html_(self) -> str:
        """The first table, for notebooks."""
        rows = self.rows()
        head = "".join("<th>%s</th>" % html.escape(name) for name in (rows[0] if rows else ()))
        body = "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % html.escape("" if value is None else str(value))
                                               for value in row.values()) for row in rows)
        return "<table><thead><tr>%s</tr></thead><tbody>%s</tbody></table>" % (head, body)

    def to_pandas(self, table: "str | None" = None) -> Any:
        """A table as a DataFrame. It needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows(table))


def load(path: "str | os.PathLike[str]", command: str = "hotspots", *arguments: str) -> Answer:
    """The answer of a command to a profile, as a dictionary: times are integer nanoseconds, shares 0 to 1."""
    return Answer(json.loads(run(command, "-q", "-f", "json", *arguments, path)))


class Page(str):
    """An HTML page, which notebooks show in a frame."""

    def _repr_html_(self) -> str:
        return '<iframe srcdoc="%s" style="width: 100%%; height: 40em; border: 0"></iframe>' % html.escape(self)


def report(*paths: "str | os.PathLike[str]") -> Page:
    """The page of `ptk report`."""
    return Page(run("report", "-q", "-o", "-", *paths))
