// SPDX-License-Identifier: BSD-3-Clause
// Collects what holds and what does not.
export class Report {
    checks = 0;
    failures = [];

    check(holds, sentence) {
        this.checks++;
        if (!holds) this.failures.push(sentence);
    }

    near(actual, expected, tolerance, what) {
        const same =
            Math.abs(actual - expected) <= tolerance || (!Number.isFinite(actual) && !Number.isFinite(expected));
        this.check(same, `${what}: ${actual}, expected ${expected}`);
    }
}
