// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import { anything, csv, fileName, niceStep, number, power, timeDecimals } from "../src/format.ts";
import { Player, startingSpeed } from "../src/player.ts";

test("numbers are short, with a true minus sign", () => {
    assert.equal(number(0), "0");
    assert.equal(number(-1.5), "\u22121.5");
    assert.equal(number(123456), "123456");
    assert.equal(number(1.23456), "1.235");
    assert.equal(number(1.6e-14), "1.6e\u221214");
    assert.equal(number(2e7), "2e7");
    assert.equal(number(100), "100");
    assert.equal(number(NaN), "not a number");
    assert.equal(number(-Infinity), "\u2212infinite");
    assert.equal(power(0.001), "1e\u22123");
    assert.equal(power(100), "100");
});

test("values of the summary of any kind have words", () => {
    assert.equal(anything(null), "\u2013");
    assert.equal(anything([]), "none");
    assert.equal(anything(["a", 2]), "a, 2");
    assert.equal(anything(true), "yes");
    assert.equal(anything({ late_steps: 3 }), "late steps 3");
});

test("steps of grids are 1, 2 or 5", () => {
    assert.equal(niceStep(0.3), 0.5);
    assert.equal(niceStep(1), 1);
    assert.equal(niceStep(7), 10);
    assert.equal(niceStep(0), 1);
});

test("times show as many decimals as rows need", () => {
    assert.equal(timeDecimals(10, 1001), 3);
    assert.equal(timeDecimals(1e-3, 11), 5);
    assert.equal(timeDecimals(0, 1), 3);
});

test("names with commas and quotes survive a table", () =>
    assert.equal(
        csv(
            ["t", 'a,"b"'],
            [
                [0, 1],
                [2.5, NaN],
            ],
        ),
        't,"a,""b"""\n0,2.5\n1,NaN\n',
    ));

test("file names have nothing that a file system minds", () => {
    assert.equal(fileName("Energy: drift/../x", "csv"), "energy-drift-x.csv");
    assert.equal(fileName("</>", "png"), "holon.png");
});

test("the clock runs, loops, and stops at the end without loop", () => {
    const player = new Player([0, 1, 2, 4]);
    player.play();
    player.tick(3);
    assert.equal(player.time, 3);
    player.tick(2);
    assert.equal(player.time, 1);
    player.setLoop(false);
    player.tick(30);
    assert.equal(player.time, 4);
    assert.equal(player.playing, false);
    player.play();
    assert.equal(player.time, 0);
});

test("steps go to recorded states, also from between them", () => {
    const player = new Player([0, 1, 2, 4]);
    player.set(1.5);
    player.step(1);
    assert.equal(player.time, 2);
    player.set(1.5);
    player.step(-1);
    assert.equal(player.time, 1);
    player.step(-10);
    assert.equal(player.time, 0);
    player.step(10);
    assert.equal(player.time, 4);
});

test("times outside are brought inside, and what is no time is ignored", () => {
    const player = new Player([1, 2]);
    player.set(9);
    assert.equal(player.time, 2);
    player.set(NaN);
    assert.equal(player.time, 2);
});

test("short and long runs start at a speed that lets them be seen", () => {
    assert.equal(startingSpeed(10), 1);
    assert.equal(startingSpeed(0.08), 0.01);
    assert.equal(startingSpeed(800), 100);
});

test("a single state does not play", () => {
    const player = new Player([3]);
    player.play();
    assert.equal(player.playing, false);
});
