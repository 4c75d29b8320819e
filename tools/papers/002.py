#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/papers/002.md and its figures: Bauchau compared with runs of holon."""
import free_002 as free
import hung_002 as hung
import long_002 as long
import wind_002 as wind
from page import Holon, arguments, number, table, wrap, write
from statements_002 import SCHEMES, SPARING, WIND, statements

EP, ED = SCHEMES


def verdicts(results):
    rows = [[source, f"`{where}`", says, found, "yes" if agrees else "**no**"]
            for source, where, says, (found, agrees) in statements(results)]
    agreed = sum(row[-1] == "yes" for row in rows)
    return (f"{agreed} of {len(rows)} statements agree.\n\n"
            + table(["paper", "mechanism", "statement", "measured", "agrees"], rows, left=5))


def numbers_of(thrown, hanging, lasting, turbine):
    """What the sentences of the page need."""
    own = thrown["errors"][EP, free.PAPER]
    words = {"middle_error": own["middle"], "mean_error": own["mean"], "middle_order": thrown["results"]["middle"],
             "free_lost": thrown["lost"], "hung_lost": hanging["lost"], "energy": hanging["energy"],
             "work": hanging["balance"][EP, hung.PAPER], "work_half": hanging["balance"][EP, 2 * hung.PAPER],
             "ours_zigzag": thrown["ours_zigzag"], "ours_order": thrown["ours"]["middle"],
             "zigzag": thrown["results"]["middle_zigzag"], "zigzag_half": thrown["zigzag_half"]}
    for name, scheme in (("ep", EP), ("ed", ED)):
        words.update({f"{name}_{kind}": value for kind, value in thrown["errors"][scheme, free.PAPER].items()})
        for part, errors in hanging["errors"][scheme, hung.PAPER].items():
            words.update({f"{name}_{part}_{kind.replace(' ', '_')}": value for kind, value in errors.items()})
    words.update({f"wind_{name}": turbine[name] for name in ("lost", "torque", "torque_kept", "exponent")})
    words.update({f"wind_{name}": turbine[name] for name in ("plane_mean", "plane_mean_kept", "moment_mean")})
    words.update({f"wind_{name}": turbine["results"][WIND][name] for name in ("shear", "shear_plane")})
    words.update({f"spared_{name}": turbine[f"spared_{name}"] for name in ("plane_mean", "moment_mean", "torque",
                                                                           "lost")})
    words.update({f"{variant}_{name}": turbine["results"][variant][name] for variant in ("elastic", "proposal")
                  for name in ("shear", "shear_plane")})
    words.update({f"{name}_{level}": part["results"][f"velocity_{level}"]
                  for name, part in (("free", thrown), ("hung", hanging)) for level in ("ends", "middle")})
    words["off_five"] = lasting["results"]["five-bar-pendulum_off"]
    exact = {f"wind_{name}": number(turbine[name], 4) for name in ("tension", "tension_kept", "spared_tension")}
    return {**{name: number(value) for name, value in words.items()}, **exact}


def page(thrown, hanging, lasting, turbine, quick):
    with open(__file__.replace("002.py", "002.template.md"), encoding="utf-8") as file:
        template = file.read()
    warning = "**Made with --quick: very short runs, only for a test of the tool.**\n\n" if quick else ""
    results = {"free": thrown["results"], "hung": hanging["results"], "long": lasting["results"],
               "wind": turbine["results"]}
    return wrap(template.format(warning=warning, verdicts=verdicts(results), free=free.error_table(thrown),
                                hung=hung.error_table(hanging), long=long.drift_table(lasting),
                                wind=wind.load_table(turbine["runs"]),
                                wind_spared=wind.load_table({SPARING: turbine["sparing"]}),
                                wind_elastic=wind.load_table(turbine["turbines"]["elastic"]),
                                wind_proposal=wind.load_table(turbine["turbines"]["proposal"]),
                                cost=wind.cost_table(turbine),
                                **numbers_of(thrown, hanging, lasting, turbine)))


def main():
    given = arguments(__doc__)
    holon = Holon(given.holon)
    thrown = free.measure(holon, *((1.1, (0.025, 0.0125)) if given.quick else (5,)))
    hanging = hung.measure(holon, *((0.3, (400, 800)) if given.quick else (1,)))
    lasting = long.measure(holon, 5 if given.quick else 1000)
    turbine = wind.measure(holon, *((0.1, 3) if given.quick else ()))
    for name, svg in {**free.figures(thrown), **hung.figures(hanging), **wind.figures(turbine)}.items():
        write(given.output, f"002/{name}.svg", svg)
    write(given.output, "002.md", page(thrown, hanging, lasting, turbine, given.quick))


if __name__ == "__main__":
    main()
