#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures holon beside the engines that Debian 12 carries and prints the table of README.md (`make facts`).

usage: python3 bench/peers/facts.py HOLON [BUILD_DIR]

Every engine runs the same three mechanisms for 10 s with samples every 1 ms; closure, energy and errors are computed
here from positions and velocities, in the same way for all. Engines that are not installed are left out. CPU times are
the smallest of seven runs: of the steps alone for the others, of the whole command for holon. The last column is
measured for holon; the interfaces of the others have no such statement, as far as we found."""
import math
import pathlib
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENGINES = {  # program: name, package, pkg-config name or flags, what `tuned` changes
    "mujoco": ("MuJoCo", "libmujoco-dev", ["-lmujoco"], "rk4, stiffest `solref`"),
    "simbody": ("Simbody", "libsimbody-dev", "simbody", "accuracy 1e-9, constraints 1e-13"),
    "ode": ("ODE", "libode-dev", "ode", "ERP 0.8, CFM 1e-10"),
    "bullet": ("Bullet", "libbullet-dev", "bullet-float64", "direct solver, ERP 0.8"),
}
MODELS = {"four-bar": ["crank", "coupler", "follower"], "slider-crank": ["crank", "rod"],
          "pendulum-two-bearings": ["rod"]}
LENGTHS = {"four-bar": [2, 4, 4], "slider-crank": [1, 1]}
MASSES = {"four-bar": [(1, 0.3), (2.25, 2), (2.2, 1.35)], "slider-crank": [(1, 1 / 12)] * 2}
REPEATS = 7


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def version(package):
    """The version of an installed package, or None."""
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return found.stdout.split(":")[-1].split("+")[0].split("-")[0] or None


def build(engine, folder):
    flags = ENGINES[engine][2]
    if isinstance(flags, str):
        flags = run("pkg-config", "--cflags", "--libs", flags).split()
    program = folder / engine
    run("g++", "-O2", "-DNDEBUG", "-o", program, HERE / f"{engine}.cpp", *flags)
    return program


def rows(text):
    """t -> numbers, from lines that are not comments."""
    lines = [line.split(",") for line in text.splitlines() if line and line[0] in "0123456789"]
    return {round(float(line[0]), 3): [float(value) for value in line[1:]] for line in lines}


def peer_samples(program, model, setting):
    return rows(run(program, model, setting))


def holon_samples(holon, model, folder):
    """The columns that the other programs print: six of each body, then the forces of the joints."""
    file = folder / f"{model}.csv"
    run(holon, "run", model, "--record", "all", "--every", "1ms", "--quiet", "--output", file)
    text = file.read_text()
    head = next(line for line in text.splitlines() if line.startswith("t,")).split(",")[1:]
    wanted = [f"{body}.{name}" for body in MODELS[model] for name in "x y phi vx vy w".split()]
    wanted += [name for name in head if name.endswith((".fx", ".fy"))]
    index = [head.index(name) for name in wanted]
    return {t: [row[i] for i in index] for t, row in rows(text).items()}


def cpu_of_command(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peer_cpu(program, model, setting):
    return min(float(run(program, model, setting, "timed").split()[2]) for _ in range(REPEATS))


def reference(model):
    """t -> {quantity: value} from models/NAME/reference.csv."""
    found = {}
    for line in (ROOT / "models" / model / "reference.csv").read_text().splitlines():
        if line[:1].isdigit():
            t, quantity, value = line.split(",")[:3]
            if abs(float(t) - round(float(t), 3)) < 1e-12:
                found.setdefault(round(float(t), 3), {}).setdefault(quantity, float(value))  # then come variants
    return found


def ends(row, bar, length):
    x, y, phi = row[6 * bar:6 * bar + 3]
    dx, dy = length / 2 * math.cos(phi), length / 2 * math.sin(phi)
    return (x - dx, y - dy), (x + dx, y + dy)


def gap(model, row):
    """The largest distance of two points that a joint should keep together."""
    bars = [ends(row, i, length) for i, length in enumerate(LENGTHS[model])]
    pairs = [((0, 0), bars[0][0]), (bars[0][1], bars[1][0])]
    if model == "four-bar":
        pairs += [(bars[1][1], bars[2][1]), ((2.5, 0), bars[2][0])]
    else:
        pairs += [((0, 0), (0, bars[1][1][1]))]
    return max(math.dist(*pair) for pair in pairs)


def energy(model, row):
    total = 0
    for i, (mass, inertia) in enumerate(MASSES[model]):
        _, y, _, vx, vy, w = row[6 * i:6 * i + 6]
        total += mass * (vx * vx + vy * vy) / 2 + inertia * w * w / 2 + mass * 9.81 * y
    return total


def angle_error(model, samples):
    """The largest error of the angle of the first bar at the times of the reference."""
    key = f"{MODELS[model][0]}.phi"
    found = reference(model)
    return max(abs(math.remainder(samples[t][2] - values[key], math.tau)) for t, values in found.items()
               if key in values and t in samples)


def loop_facts(model, samples):
    start = energy(model, samples[0.0])
    closure = max(gap(model, row) for row in samples.values())
    drift = max(abs(energy(model, row) - start) for row in samples.values())
    return closure, drift, angle_error(model, samples)


def leaves_branch(samples):
    """When x3 = 2 cos(phi), the motion of a slider-crank, fails by more than 0.1 m; None if it never does."""
    for t, row in sorted(samples.items()):
        if not abs(ends(row, 1, 1)[1][0] - 2 * math.cos(row[2])) < 0.1:
            return t
    return None


def bearing_facts(samples):
    """The largest error of the sum of both forces, and the share of the first bearing at 1 s."""
    error = 0
    for t, values in reference("pendulum-two-bearings").items():
        if t and t in samples and "bearing1.fx" in values:
            exact = [values[f"bearing1.{axis}"] + values[f"bearing2.{axis}"] for axis in ("fx", "fy")]
            error = max(error, math.hypot(*(samples[t][6 + i] + samples[t][8 + i] - exact[i] for i in (0, 1))))
    fx1, fy1, fx2, fy2 = samples[1.0][6:10]
    return error, math.hypot(fx1, fy1) / math.hypot(fx1 + fx2, fy1 + fy2)


def line(label, sample, cpu, uniqueness):
    loop = sample("four-bar")
    closure, drift, error = loop_facts("four-bar", loop)
    crank = sample("slider-crank")
    left = leaves_branch(crank)
    branch = "stays" if left is None else f"leaves at {left:.2f} s"
    crank_error = loop_facts("slider-crank", crank)[2]
    force, share = bearing_facts(sample("pendulum-two-bearings"))
    cells = [label, f"{closure:.0e}", f"{drift:.0e}", f"{error:.0e}", f"{100 * cpu:.1f}",
             f"{branch}, {crank_error:.0e}", f"{force:.0e}", f"{100 * share:.0f} : {100 - 100 * share:.0f}", uniqueness]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    holon = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/facts")
    folder.mkdir(parents=True, exist_ok=True)
    print("| engine, settings | four-bar: loop gap [m] | energy drift [J] | angle error [rad] | CPU [ms/s] "
          "| slider-crank: branch, angle error [rad] | two bearings: force error [N] | shares [%] "
          "| reports them as not unique |")
    print("|---|---:|---:|---:|---:|---|---:|---:|---|")
    check = run(holon, "check", "pendulum-two-bearings")
    cpu = min(cpu_of_command(holon, "run", "four-bar", "--quiet") for _ in range(REPEATS))
    line("**holon**, defaults", lambda model: holon_samples(holon, model, folder), cpu,
         "yes" if "reaction not unique" in check else "no")
    for engine, (name, package, _, tuning) in ENGINES.items():
        if not version(package):
            print(f"facts: {name} is left out: {package} is not installed", file=sys.stderr)
            continue
        program = build(engine, folder)
        for setting, words in (("default", "defaults"), ("tuned", tuning)):
            line(f"{name} {version(package)}, {words}", lambda model: peer_samples(program, model, setting),
                 peer_cpu(program, "four-bar", setting), "no")


if __name__ == "__main__":
    sys.exit(main())
