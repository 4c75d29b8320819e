# SPDX-License-Identifier: BSD-3-Clause
"""Kills runs at random moments: kill_runs.py HOLON MOMENTS SEED [--verbose]

The moments go round the cases below: methods x formats x with and without a checkpoint. A run with a checkpoint is
resumed until it ends, and killed again up to twice; its results must be those of a run that was never killed: bytes of
.csv and .npy, data of all datasets and attributes of .h5. Of a run without a checkpoint the file must be read by NumPy
or h5py, have the first rows of the whole run, and miss at most those of its last second before the kill. A third of the
kills come in the first milliseconds, and a sixth near the end of the run.

Prints one line with the numbers of kills. Needs NumPy and h5py; without h5py, .h5 is left out.
"""
import itertools
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

try:
    import numpy
except ImportError:
    numpy = None
try:
    import h5py
except ImportError:
    h5py = None

METHODS = {
    "fixed": ["double-pendulum", "--step", "2e-5", "--every", "1e-4", "--until", "1.20003"],
    "adaptive": ["double-four-bar", "--integrator", "dopri5", "--every", "2e-3", "--until", "6.0007"],
    "index3": ["four-bar", "--formulation", "index3-augmented-lagrangian", "--step", "1e-4", "--every", "1e-3",
               "--until", "1.00003"],
    "beam": ["flying-spaghetti", "--every", "3e-3", "--until", "2.0001"],
    "slow": ["flying-spaghetti", "--every", "3e-2", "--until", "10.0001"],
    "energy": ["four-bar", "--coordinates", "natural", "--formulation", "energy-preserving", "--integrator",
               "built-in", "--step", "1e-4", "--every", "1e-3", "--until", "1.00003"],
    "order8": ["double-four-bar", "--integrator", "dop853", "--set", "run.integrator.tolerance=1e-11",
               "--every", "2e-3", "--until", "20.0007"],
    "rattle": ["four-bar", "--formulation", "rattle", "--step", "4e-5", "--every", "1.5e-4", "--until", "1.00003"],
    "ggl": ["slider-crank-flexible", "--formulation", "ggl", "--integrator", "generalized-alpha", "--step", "5e-5",
            "--every", "1.3e-3", "--until", "0.5"],
    "papers": ["four-bar", "--formulation", "index3-augmented-lagrangian", "--step", "1e-4", "--every", "1e-3",
               "--set", "run.formulation.multipliers=carried", "--set", "run.formulation.projection=tangent",
               "--until", "1.00003"],
}
BETWEEN_CHECKPOINTS = ["1 ms", "20 ms", "100 ms"]
MOST_KILLS = 3  # of one run
MISSING = 1.0  # seconds that a run without a checkpoint may lose
LATE = 0.25  # seconds by which the speed of two runs may differ


def processor_seconds():
    """Those of all runs that have ended. Of the clock a run has at least as much, so that one second of the clock is at
    most one of these, however busy the computer is."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Whole:
    """A run that is not killed: its file, how long it took, and of the processor."""

    def __init__(self, holon, name, ending):
        self.path = f"whole-{name}{ending}"
        began, used = time.monotonic(), processor_seconds()
        run = subprocess.run([holon, "run", *METHODS[name], "--output", self.path, "--quiet", "--accept", "bad"],
                             capture_output=True, text=True, check=False)
        self.seconds = time.monotonic() - began
        self.used = processor_seconds() - used
        if run.returncode != 0:
            sys.exit(f"{name} fails: {run.stderr}")


def content(path):
    """What must be equal: bytes, or those of all datasets and attributes. The scene of .h5 has the times of the
    computer in it, so of texts only the length of what surrounds them could be compared: they are left out."""
    if not path.endswith(".h5"):
        with open(path, "rb") as file:
            return file.read()
    found = {}
    with h5py.File(path, "r") as file:
        def visit(name, item):
            if isinstance(item, h5py.Dataset) and name != "scene":
                found[name] = (str(item.dtype), item.shape, item[()].tobytes())
            found[name + " attributes"] = sorted((key, repr(value)) for key, value in item.attrs.items())
        file.visititems(visit)
    return found


def rows(path):
    """The rows of a file as bytes, read as users read them. The last line of .csv counts if it is complete."""
    if path.endswith(".csv"):
        with open(path, "rb") as file:
            return file.read().splitlines(keepends=True)[1:]
    if path.endswith(".npy"):
        data = numpy.load(path)
    else:
        with h5py.File(path, "r") as file:
            data = file["motion"][()]
    return [data[i].tobytes() for i in range(len(data))]


def start(words):
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def moment(chance, seconds):
    kind = chance.random()
    if kind < 1 / 3:
        return chance.uniform(0, 0.03)
    if kind < 1 / 2:
        return max(0, seconds + chance.uniform(-0.05, 0.01))
    return chance.uniform(0, seconds)


def kill_after(process, seconds):
    """Kills the process; False: it had come to its end."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    code = process.wait()
    error = process.stderr.read()
    if code not in (0, -signal.SIGKILL):
        raise AssertionError(f"exit code {code}: {error}")
    return code != 0


def with_checkpoint(holon, name, ending, whole, chance):
    """Returns the number of kills."""
    output, saved = "run" + ending, "run.ck"
    words = [holon, "run", *METHODS[name], "--output", output, "--quiet", "--accept", "bad"]
    first = words + ["--checkpoint", saved, "--checkpoint-every", chance.choice(BETWEEN_CHECKPOINTS)]
    kills, limit, left = 0, chance.randint(1, MOST_KILLS), whole.seconds
    process = start(first)
    while kills < limit:
        if not kill_after(process, moment(chance, left)):
            break
        kills += 1
        left *= 0.7
        process = start([holon, "run", "--resume", saved] if os.path.exists(saved) else first)
    kill_after(process, 600)
    if os.path.exists(saved):
        again = subprocess.run([holon, "run", "--resume", saved], capture_output=True, text=True, check=False)
        assert again.returncode == 0 and "has come to its end" in again.stderr, again.stderr
    assert content(output) == content(whole.path), f"{output} differs from {whole.path} after {kills} kills"
    return kills


def time_of(row, ending):
    return float(row.split(b",")[0]) if ending == ".csv" else float(numpy.frombuffer(row[:8])[0])


def without_checkpoint(holon, name, ending, whole, chance):
    output = "run" + ending
    process = start([holon, "run", *METHODS[name], "--output", output, "--quiet", "--accept", "bad"])
    used = processor_seconds()
    was_killed = kill_after(process, moment(chance, whole.seconds))
    used = processor_seconds() - used
    if not was_killed:
        assert content(output) == content(whole.path), "a run that has ended differs"
        return 0
    if not os.path.exists(output):
        assert used < MISSING + LATE, f"there is no file after {used:.2f} s"
        return 1
    found, wanted = rows(output), rows(whole.path)
    if ending == ".csv" and found and not found[-1].endswith(b"\n"):
        del found[-1]
    assert len(found) <= len(wanted) and found == wanted[: len(found)], "rows differ from those of the whole run"
    share = time_of(found[-1], ending) / time_of(wanted[-1], ending) if found else 0
    missing = used - share * whole.used
    assert missing < MISSING + LATE, f"{missing:.2f} s are missing"
    return 1


def main():
    holon, moments, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    endings = [".csv"] + ([".npy"] if numpy else []) + ([".h5"] if h5py else [])
    chance = random.Random(seed)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    cases = list(itertools.product(METHODS, endings, (with_checkpoint, without_checkpoint)))
    chance.shuffle(cases)
    wholes, kills, repeated, failures, number = {}, 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        while kills < moments:
            name, ending, check = cases[number % len(cases)]
            number += 1
            whole = wholes.get((name, ending)) or wholes.setdefault((name, ending), Whole(holon, name, ending))
            for left in os.listdir("."):
                if left.startswith("run"):
                    os.remove(left)
            before = kills
            try:
                kills += check(holon, name, ending, whole, chance)
            except (AssertionError, OSError, ValueError, KeyError) as error:
                failures += 1
                kills += 1
                print(f"FAILED: run {number} of seed {seed}, {name}, {ending}, {check.__name__}: {error}")
            repeated += kills - before > 1
            if "--verbose" in sys.argv:
                print(number, name, ending, check.__name__, kills - before, flush=True)
        os.chdir("/")
    print(f"{kills} kills in {number} runs, {repeated} of them killed more than once; formats {' '.join(endings)}; "
          f"{failures} failures")
    sys.exit(failures > 0)


main()
