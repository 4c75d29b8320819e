# SPDX-License-Identifier: BSD-3-Clause
"""Reads results with NumPy and h5py, as users do: read_results.py FILE.csv|.npy|.h5 STEP prints the number of rows.

The times must be multiples of STEP, without a gap and without rows of zeros. Without the libraries it prints "skipped".
"""
import sys

path, step = sys.argv[1], float(sys.argv[2])
try:
    import numpy
    import h5py
except ImportError:
    print("skipped")
    sys.exit(0)
if path.endswith(".csv"):
    with open(path, "rb") as file:
        text = file.read()
    lines = text[: text.rfind(b"\n") + 1].splitlines()
    names = lines[0].decode().split(",")
    rows = numpy.array([[float(x) for x in line.split(b",")] for line in lines[1:]]).reshape(-1, len(names))
    data = {name: rows[:, i] for i, name in enumerate(names)}
elif path.endswith(".npy"):
    data = numpy.load(path)
else:
    with h5py.File(path, "r") as file:
        data = file["motion"][:]
        if b'"bodies"' not in file["scene"][()]:
            sys.exit("the scene is missing")
count = len(data["t"])
if not numpy.allclose(data["t"], step * numpy.arange(count), rtol=1e-9, atol=1e-12):
    sys.exit("the times have gaps")
if numpy.any(data["energy.kinetic"][1:] == 0) or numpy.any(data["energy.potential"] == 0):
    sys.exit("there are rows of zeros")
print(count)
