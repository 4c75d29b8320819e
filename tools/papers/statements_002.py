# SPDX-License-Identifier: BSD-3-Clause
"""What Bauchau states, each with the numbers that decide whether holon agrees."""
from verdict import at_least, at_most, between, within

FREE, HUNG, WIND = "free-rigid-body", "universal-joint", "wind-turbine"
LONG = ("four-bar", "double-four-bar", "five-bar-pendulum", "two bars on springs")
SCHEMES = ("energy-preserving", "energy-decaying")
SPARING = "energy-momentum-decaying"  # not of the paper: damps strains alone
OURS = "energy-preserving, enforced"  # velocities on the constraints at the ends of steps: our default
TURBINES = {WIND: None, "elastic": "elastic", "proposal": "proposal"}  # variants of the model
ORDERS = dict(zip(SCHEMES, (2, 3)))
ROUNDING = 1e-12  # of rows and their rates; of energies relative to their size
CARRIED = 1e-11   # of rates that follow from differences of places 30 m away over a step
SMOOTH = 1e-4     # of the range of a quantity: an oscillation from step to step that nobody would see
CLOSE = 1e-2      # of the length of an axis
ORDER = 0.05      # part of an order
FOR_LONG = 1e-10  # of the energy, over a thousand seconds; and of its balance with the work of drivers and loads
LONGER = 1e-8     # the same with steps ten times as long: bounded
VIOLENT = 10      # times rougher
SIXTY = (30, 120)  # times: within a factor of two
LOST = 1e-2       # of the kinetic energy: motion that no body performs
CENTRED = 0.05    # of its range: the mean of a load whose true mean is zero


def options_of(scheme):
    """The scheme in the form of the paper, or OURS."""
    carried = ["--set", "run.formulation.constraint_velocity=carried"] if scheme == SCHEMES[0] else []
    return ["--formulation", "energy-preserving" if scheme == OURS else scheme, *carried]


def kept(r, where, source, energy):
    yield (source, where, "displacement constraints to machine accuracy (EP; largest)",
           at_most(r["position"], ROUNDING))
    yield (source, where, "velocity constraints too (EP; at the midpoints of steps, largest as carried)",
           at_most(r["velocity_middle"], CARRIED))
    yield (source, where, "velocity constraints too (EP; at the ends of steps, largest as carried)",
           at_most(r["velocity_ends"], CARRIED))
    yield source, where, f"{energy} (EP; relative)", at_most(r["energy"], ROUNDING)


def orders(r, where, source, kinds, words):
    for scheme in SCHEMES:
        for kind in kinds:
            yield (source, where, f"{kind}: {words} (`{scheme}`, {ORDERS[scheme]})",
                   within(r[f"{scheme}_{kind}"], ORDERS[scheme], ORDER))


def free(r):
    yield from kept(r, FREE, "Sec. 6.1", "the energy is preserved to machine accuracy")
    yield ("Fig. 3", FREE, "no oscillations of numerical origin (EP; zigzag over range, velocities and multipliers)",
           at_most(r["zigzag"], SMOOTH))
    yield ("Fig. 3", FREE, "no oscillations of numerical origin (EP; the same for midpoint multipliers)",
           at_most(r["middle_zigzag"], SMOOTH))
    yield ("Sec. 6.1", FREE, "ED is in excellent agreement with EP (axes, largest difference)", at_most(r["apart"], CLOSE))
    yield "Sec. 4", FREE, "the energy can only decay (ED; largest growth in a step, relative)", at_most(
        r["growth"], ROUNDING)
    yield from orders(r, FREE, "Fig. 4", ("displacement", "velocity", "multiplier"), "quadratic or cubic convergence")
    yield ("Fig. 4", FREE, "midpoint multiplier: quadratic convergence (`energy-preserving`, 2)",
           within(r["middle"], 2, ORDER))


def hung(r):
    yield from kept(r, HUNG, "Sec. 6.2", "the energy changes by the work of the driving torque alone")
    yield ("Sec. 6.2", HUNG, "the same, by the reported torque and the trapezoidal rule (EP; order of the difference)",
           within(r["work"], 2, ORDER))
    yield ("Fig. 6", HUNG, "the angular velocity rapidly increases from its initial unit value (EP; largest)",
           at_least(r["speed"], 2))
    yield ("Fig. 7", HUNG, "all quantities are smooth (EP; zigzag over range: angular velocity, multiplier, torque)",
           at_most(r["zigzag"], SMOOTH))
    yield "Sec. 4", HUNG, "the energy can only decay (ED; largest growth in a step, without work, relative)", at_most(
        r["growth"], ROUNDING)
    yield from orders(r, HUNG, "Sec. 7", ("axes", "angular velocity", "multiplier", "torque"),
                      "identical convergence rates")


def long(r):
    for model in LONG:
        yield ("Sec. 3", model, "the energy is preserved (EP; 1000 s, 5 ms, relative)",
               at_most(r[f"{model}_long"], FOR_LONG))
        yield ("Sec. 7", model, "unconditional stability: of the energy (EP; the same, 50 ms)",
               at_most(r[f"{model}_longer"], LONGER))
        yield ("Sec. 7", model, "unconditional stability: of the motion on the constraints (50 ms; largest energy of "
               "the carried velocity off them, over the largest kinetic energy)", at_most(r[f"{model}_off"], LOST))


def figure_9(r, where):
    yield "Sec. 6.3", where, "ten revolutions with both schemes (fraction completed)", at_least(r["through"], 1 - 1e-9)
    for key, words in (("rough", "shear force along the wind"), ("rough_plane", "shear force in the plane of rotation"),
                       ("rough_moment", "bending moment")):
        yield ("Fig. 9", where, f"{words}: EP oscillates violently at each step, ED does not (roughness, EP over ED)",
               at_least(r[key], VIOLENT))
    for key, words in (("shear", "along the wind"), ("shear_plane", "in the plane of rotation")):
        yield ("Fig. 9", where, f"peak to peak the shear force {words} is 60 times larger with EP",
               between(r[key], *SIXTY))
    yield ("Sec. 6.3", where, "ED reveals the true shear force (in the plane of rotation, where its mean is zero; mean "
           "over range)", at_most(r["mean_plane"], CENTRED))


def wind(r):
    yield ("Sec. 3", WIND, "the energy changes by the work of drivers and loads alone (EP; relative)",
           at_most(r["kept"], FOR_LONG))
    yield ("Sec. 4", WIND, "the energy can only decay (ED; largest growth in a step, without work, relative)",
           at_most(r["growth"], ROUNDING))
    for name in TURBINES:
        yield from figure_9(r[name], name if name == WIND else f"{WIND}, {name}")


def statements(r):
    """Rows (figure or section, mechanism, statement, (measured value, whether it agrees))."""
    return [*free(r["free"]), *hung(r["hung"]), *long(r["long"]), *wind(r["wind"])]
