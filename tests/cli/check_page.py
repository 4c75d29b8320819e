# SPDX-License-Identifier: BSD-3-Clause
"""Reads a page that holon wrote and holds it to its contract: python3 check_page.py page.html [--csv motion.csv]

Prints `rows columns bodies joints points` of the page; any fault ends it with a sentence.
"""
import argparse
import base64
import csv
import json
import math
import re
import struct
import sys


def fail(text):
    sys.exit("FAILED: " + text)


def check(holds, text):
    if not holds:
        fail(text)


def element(page, name, kind):
    found = re.findall(r'<script type="%s" id="%s">(.*?)</script>' % (kind, name), page, re.S)
    check(len(found) == 1, "%d elements %s" % (len(found), name))
    return found[0]


def read(path):
    """The header and the columns as lists of numbers, in the header's order."""
    with open(path, encoding="utf-8", newline="") as file:
        page = file.read()
    check("<!--holon-data-->" not in page, "the mark is still there")
    text = element(page, "holon-header", "application/json")
    for character in "<\u2028\u2029\n":
        check(character not in text, "%r stands in the header" % character)
    header = json.loads(text)
    data = base64.b64decode(element(page, "holon-data", "text/plain"), validate=True)
    columns, at = [], 0
    for column in header["columns"]:
        check(set(column) <= {"name", "unit", "type", "rows"}, "keys of a column: %s" % column)
        rows = column.get("rows", header.get("rows"))
        size = {"f4": 4, "f8": 8}[column["type"]]
        columns.append(struct.unpack_from("<%d%s" % (rows, "fd"[size == 8]), data, at))
        at += (rows * size + 7) // 8 * 8
    check(at == len(data), "%d bytes instead of %d" % (len(data), at))
    return header, columns


def vector(x, what):
    check(len(x) == 3 and all(isinstance(i, (int, float)) for i in x), "%s is no vector: %s" % (what, x))


def check_shape(shape):
    kinds = [kind for kind in ("bar", "box", "cylinder", "sphere", "plate") if kind in shape]
    check(len(kinds) == 1, "kinds of a shape: %s" % shape)
    if kinds[0] in ("bar", "cylinder", "plate"):
        for point in shape[kinds[0]]:
            vector(point, "a point of a shape")
        check(len(shape[kinds[0]]) == 2 or kinds[0] == "plate" and len(shape["plate"]) > 2, "points of %s" % shape)
    if kinds[0] == "box":
        vector(shape["box"], "edges")
        check("axes" not in shape or len(shape["axes"]) == 9, "axes of a box")
    if kinds[0] in ("box", "sphere"):
        vector(shape["at"], "place of a shape")
    check(shape.get("radius", 1) > 0, "radius of %s" % shape)


def endings(names, first, wanted, what):
    part = names[first].rsplit(".", 1)[0]
    for i, ending in enumerate(wanted.split()):
        check(names[first + i] == part + "." + ending, "column %d of %s is %s" % (i, what, names[first + i]))
    return part


def check_scene(header, names):
    planar = header["planar"]
    vector(header["gravity"], "gravity")
    bodies = header["bodies"]
    for body in bodies:
        rigid = "x y phi vx vy w" if planar else "x y z e0 e1 e2 e3 vx vy vz wx wy wz"
        wanted = rigid if body["form"] == "rigid" else "x y vx vy" if planar else "x y z vx vy vz"
        check(endings(names, body["column"], wanted, "body") == body["name"], "columns of body %s" % body["name"])
        for shape in body["shapes"]:
            check_shape(shape)
        for mark in body["marks"]:
            vector(mark, "mark")
    for beam in header["beams"]:
        check(len(beam["nodes"]) == len(beam["s"]) and beam["s"][0] == 0 and beam["s"][-1] == 1, "nodes of a beam")
        check(all(bodies[node]["node_of"] == header["beams"].index(beam) for node in beam["nodes"]), "nodes of a beam")
        check(isinstance(beam["round"], bool) and (len(beam["nodes"]) - 1) % beam["order"] == 0, "a beam")
    for joint in header["joints"]:
        check(-1 <= joint["first"] < len(bodies) and -1 <= joint["second"] < len(bodies), "bodies of a joint")
        check(("in" in joint) == (joint["second"] == -1 and "from" not in joint), "axes of joint %s" % joint["name"])
        vector(joint["at"], "place of a joint")
        if joint["axis"] is not None:
            vector(joint["axis"], "axis")
            check(abs(sum(x * x for x in joint["axis"]) - 1) < 1e-9, "length of the axis of %s" % joint["name"])
        check(len(joint["unique"]) == 6, "unique")
        if joint["column"] >= 0:
            endings(names, joint["column"], "fx fy tz" if planar else "fx fy fz tx ty tz", "joint")
    for point in header["points"]:
        endings(names, point["column"], "x y" if planar else "x y z", "point")
    for force in header["forces"]:
        check(len(force["ends"]) in (0, 2), "ends of a force")
        for end in force["ends"]:
            check(-1 <= end["body"] < len(bodies), "body of an end")
            vector(end["at"], "end")
    for mark in header["ground"]["marks"]:
        vector(mark, "mark of the ground")
    for verdict in header["verdicts"]:
        check(verdict["level"] in ("good", "note", "doubtful", "bad") and len(verdict["text"]) > 10, "verdict %s" % verdict)
    for event in header["events"]:
        check(event["kind"] in ("singular", "branch", "recovery", "end") and event["text"], "event %s" % event)


def place(planar, columns, body, row, s):
    """A place in body axes, in global ones."""
    first = body["column"]
    if planar:
        x, y, phi = (columns[first + i][row] for i in range(3))
        c, n = math.cos(phi), math.sin(phi)
        return [x + c * s[0] - n * s[1], y + n * s[0] + c * s[1], 0]
    r = [columns[first + i][row] for i in range(3)]
    e0, e1, e2, e3 = (columns[first + 3 + i][row] for i in range(4)) if body["form"] == "rigid" else (1, 0, 0, 0)
    matrix = [[e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
              [2 * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 - e0 * e1)],
              [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3]]
    return [r[i] + sum(matrix[i][j] * s[j] for j in range(3)) for i in range(3)]


def check_pins(header, columns):
    """At every time both bodies of a pin have a mark where the joint is, or the ground has."""
    count = 0
    for joint in header["joints"]:
        if joint["kind"] not in ("revolute", "spherical", "universal", "fixed"):
            continue
        own, other = joint["second"], joint["first"]
        if "in" in joint:
            own, other = other, own
        for row in range(0, header["rows"], max(1, header["rows"] // 7)):
            at = place(header["planar"], columns, header["bodies"][own], row, joint["at"])
            marks = header["ground"]["marks"] if other < 0 else [
                place(header["planar"], columns, header["bodies"][other], row, mark)
                for mark in header["bodies"][other]["marks"]]
            nearest = min(max(abs(a - b) for a, b in zip(at, mark)) for mark in marks)
            allowed = 1e-5 * (1 + max(abs(x) for x in at)) + 2 * header["summary"].get("max_position_violation", 0)
            check(nearest < allowed, "joint %s is %g open" % (joint["name"], nearest))
        count += 1
    return count


def narrow(x, kind):
    return struct.unpack("<f", struct.pack("<f", x))[0] if kind == "f4" else x


def check_csv(path, header, columns):
    """Every row of the page is one of the file; in those left out there is nothing larger."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names, numbers = rows[0], [[float(x) for x in row] for row in rows[1:]]
    at = {row[0]: i for i, row in enumerate(numbers)}
    check(header["recorded_rows"] == len(numbers), "%d rows were recorded" % header["recorded_rows"])
    known = [column["name"] for column in header["columns"]]
    kept = [at.get(t) for t in columns[0]]
    check(None not in kept and kept == sorted(set(kept)) and kept[0] == 0 and kept[-1] == len(numbers) - 1,
          "times of the page are not those of the file, from its first to its last")
    for c, name in enumerate(names):
        check(name in known, "no column %s" % name)
        column = header["columns"][known.index(name)]
        values = columns[known.index(name)]
        for i, row in enumerate(kept):
            end = kept[i + 1] if i + 1 < len(kept) else len(numbers)
            window = [numbers[k][c] for k in range(row, end)]
            if name.startswith("violation.") or name == "energy.drift":
                wanted = [max(abs(x) for x in window)]
                if i == len(kept) - 2:  # the last row may have been one of those left out
                    wanted.append(max(wanted[0], abs(numbers[-1][c])))
                check(abs(values[i]) in wanted, "%s is %g, not %s, the largest" % (name, values[i], wanted))
            else:
                check(values[i] == narrow(window[0], column["type"]), "%s in row %d" % (name, i))


def check_run(header, columns, names):
    check(header["kind"] == "run" and header["format"] == 1 and header["holon"], "kind and version")
    check(isinstance(header["title"], str) and isinstance(header["model"], str), "title and model")
    check(all(b > a for a, b in zip(columns[0], columns[0][1:])), "times do not ascend")
    check(0 < header["rows"] <= max(header["recorded_rows"] + 1, 2), "rows")
    check_scene(header, names)


def check_compare(header, columns, names):
    records = header["records"]
    check(records and all("formulation" in r and "time_ratio" in r for r in records), "records")
    check(header["advice"] and all(a["text"] for a in header["advice"]), "advice")
    basis = [line["text"] for line in header["basis"]]
    check(basis[0].startswith("reference: ") and all(b.startswith("stiff: ") for b in basis[1:]), "basis %s" % basis)
    check(header["series"], "there are no series")
    for series in header["series"]:
        first = series["column"]
        record = records[series["record"]]
        check(series["label"].startswith(record["formulation"] + " "), "label %s" % series["label"])
        check(names[first:first + 4] == ["t", "violation.position", "violation.velocity", "energy.drift"], "series")
        check(all(len(columns[first + i]) == series["rows"] <= 500 for i in range(4)), "rows of a series")
        if record["status"] == "ok":
            check(columns[first][-1] == record["reached"], "end of a series")
            check(max(columns[first + 1]) == record["max_position_violation"], "largest violation of a series")
            check(max(abs(x) for x in columns[first + 3]) == record["max_energy_drift"], "largest drift of a series")
    if "scene" in header:
        scene = header["scene"]
        check(scene["kind"] == "run" and "columns" not in scene, "the scene")
        check_scene(scene, names)
        check_pins(scene, columns)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--csv")
    parser.add_argument("--same", help="another page with the same numbers")
    parser.add_argument("--show", help="print this part of the header, as JSON")
    arguments = parser.parse_args()
    header, columns = read(arguments.page)
    names = [column["name"] for column in header["columns"]]
    if header["kind"] == "compare":
        check_compare(header, columns, names)
    else:
        check(len(set(names)) == len(names), "names are not unique")
        check_run(header, columns, names)
        check_pins(header, columns)
    if arguments.csv:
        check_csv(arguments.csv, header, columns)
    if arguments.same:
        check(repr(read(arguments.same)[1]) == repr(columns), "the numbers differ from %s" % arguments.same)
    scene = header.get("scene", header)
    if arguments.show:
        print(json.dumps(header.get(arguments.show), ensure_ascii=False))
    else:
        print(header.get("rows", len(header.get("series", []))), len(columns), len(scene["bodies"]),
              len(scene["joints"]), len(scene["points"]))


main()
