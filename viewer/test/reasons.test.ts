// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import { reasonOf, reasons, shortStatus } from "../src/compare/reasons.ts";

const run = { formulation: "penalty", integrator: "rk4", step: 0.001, status: "ok", remark: "", message: "" };

test("the status of a run is short", () => {
    assert.equal(shortStatus(run), "ok");
    assert.equal(shortStatus({ ...run, remark: "inaccurate" }), "ok, inaccurate");
    const stiff = { ...run, status: "singular", remark: "too stiff", message: "a long sentence" };
    assert.equal(shortStatus(stiff), "singular, too stiff");
    assert.equal(shortStatus({ ...run, status: "unsupported", message: "it needs masses" }), "not applicable");
    assert.equal(reasonOf(stiff), "a long sentence");
    assert.equal(reasonOf({ ...run, message: "all is well" }), "");
});

test('each reason is listed once with its methods, except "too stiff"', () => {
    const failed = { ...run, status: "singular", message: "no way on" };
    const list = reasons([
        run,
        failed,
        failed,
        { ...failed, step: 0.002 },
        { ...failed, status: "unsupported", message: "needs masses" },
        { ...failed, status: "unsupported", message: "needs masses", step: 0.002 },
        { ...failed, message: "penalty with rk4 from t = 1: no way on" },
        { ...failed, remark: "too stiff" },
    ]);
    assert.deepEqual(list, [
        "penalty with rk4, step 0.001 s: no way on",
        "penalty with rk4, step 0.002 s: no way on",
        "penalty with rk4: needs masses",
        "penalty with rk4 from t = 1: no way on",
    ]);
});
