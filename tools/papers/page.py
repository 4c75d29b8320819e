# SPDX-License-Identifier: BSD-3-Clause
"""What the pages about papers share: running holon and reading what it prints, numbers, tables, arguments.

Python 3 and its standard library only.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Holon:
    """The command. A list of options follows the model's name, as on the command line."""

    def __init__(self, program):
        self.program = program

    def compare(self, model, *options):
        """The records of `holon compare --json`, one dictionary per combination."""
        return json.loads(self._call("compare", model, "--json", "--quiet", *options).stdout)

    def check(self, model):
        """What `holon check --json` prints."""
        return json.loads(self._call("check", model, "--json").stdout)

    def summary(self, model, *options):
        """What `holon run --summary -` prints, of a run that may end early."""
        return json.loads(self._call("run", model, "--summary", "-", *options, allowed=(0, 1, 3)).stdout)

    def series(self, model, columns, *options):
        """Columns of the results of `holon run`: {name: [numbers]}, with the time as "t"."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.csv")
            self._call("run", model, "--quiet", "--output", path, *options, allowed=(0, 1, 3))
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
        return {name: [float(row[name]) for row in rows] for name in ["t", *columns]}

    def example(self, name, *options):
        """Columns of the CSV that an example next to the command prints, of a run that may end early."""
        program = os.path.join(os.path.dirname(os.path.abspath(self.program)), "examples", name)
        done = subprocess.run([program, *options], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join([program, *options])}\n{done.stderr}")
        rows = list(csv.DictReader(done.stdout.splitlines()))
        if not rows:
            sys.exit(f"{' '.join([program, *options])}\n{done.stderr}")
        return {column: [float(row[column]) for row in rows] for column in rows[0]}

    def _call(self, *arguments, allowed=(0,)):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode not in allowed:
            sys.exit(f"{' '.join([self.program, *arguments])}\n{done.stderr}")
        return done


def reference(model, t):
    """{quantity: value} at this time, from the models/MODEL/reference.csv of the model without changes."""
    found = {}
    with open(os.path.join(ROOT, "models", model, "reference.csv"), newline="") as file:
        for row in csv.reader(file):
            if found and row[0].startswith("#"):
                break
            if row[0][0].isdigit() and float(row[0]) == t:
                found[row[1]] = float(row[2])
    return found


def number(value, digits=2):
    """8.4e-29, 0.034, 12; a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:.{digits}g}"
    return text.replace("e-0", "e-").replace("e+0", "e+")


def table(headers, rows, left=1):
    """A Markdown table; the first `left` columns are text, the others numbers."""
    rule = ["---"] * left + ["---:"] * (len(headers) - left)
    return "\n".join("| " + " | ".join(line) + " |" for line in [headers, rule, *rows]) + "\n"


def wrap(text, width=120):
    """Fills the paragraphs of a Markdown text; tables, headings, lists, pictures and indented lines stay."""
    keep = ("|", "#", "- ", "    ", "![")
    fill = lambda block: textwrap.fill(block, width, break_long_words=False, break_on_hyphens=False)
    blocks = [block.strip("\n") for block in text.split("\n\n")]
    return "\n\n".join(block if block.startswith(keep) else fill(block) for block in blocks if block) + "\n"


def progress(text):
    print(text, file=sys.stderr, flush=True)


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    progress(f"wrote {os.path.relpath(path)}")


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--holon", default=os.path.join(ROOT, "build", "release", "holon"), help="the command to run")
    parser.add_argument("--output", default=os.path.join(ROOT, "docs", "papers"), help="folder of the pages")
    parser.add_argument("--quick", action="store_true", help="very short runs, to try the tool itself")
    return parser.parse_args()
