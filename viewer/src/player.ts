// SPDX-License-Identifier: BSD-3-Clause
/* The clock: play, pause, scrub, speed, loop, step. Knows nothing of what is shown. */
import { locate } from "./data.ts";

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Player {
    time: number;
    playing = false;
    loop = true;
    speed: number;
    private readonly listeners: (() => void)[] = [];

    constructor(private readonly times: ArrayLike<number>) {
        this.time = this.start;
        this.speed = startingSpeed(this.end - this.start);
    }

    get start(): number {
        return this.times[0];
    }

    get end(): number {
        return this.times[this.times.length - 1];
    }

    /* Called on every change of the time, speed or state. */
    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    private changed(): void {
        this.listeners.forEach((listener) => listener());
    }

    set(t: number): void {
        if (!Number.isFinite(t)) return;
        this.time = Math.min(this.end, Math.max(this.start, t));
        this.changed();
    }

    play(): void {
        if (this.time >= this.end) this.time = this.start;
        this.playing = this.end > this.start;
        this.changed();
    }

    pause(): void {
        this.playing = false;
        this.changed();
    }

    toggle(): void {
        if (this.playing) this.pause();
        else this.play();
    }

    setLoop(loop: boolean): void {
        this.loop = loop;
        this.changed();
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.changed();
    }

    faster(by: number): void {
        const at = SPEEDS.indexOf(this.speed);
        this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
    }

    /* Moves by this many recorded states. Between two states, the nearest in that direction counts as the first. */
    step(rows: number): void {
        this.playing = false;
        const { row, fraction } = locate(this.times, this.time);
        const from = rows < 0 && fraction > 0 ? row + 1 : row;
        const to = Math.min(this.times.length - 1, Math.max(0, from + rows));
        this.set(this.times[to]);
    }

    /* Advances by this many seconds of the wall clock. */
    tick(seconds: number): void {
        if (!this.playing) return;
        const span = this.end - this.start;
        let t = this.time + seconds * this.speed;
        if (t >= this.end) {
            if (this.loop) t = this.start + ((t - this.start) % span);
            else {
                t = this.end;
                this.playing = false;
            }
        }
        this.set(t);
    }
}

/* Real time if that takes between two seconds and a minute. */
export function startingSpeed(span: number): number {
    if (!(span > 0) || (span >= 2 && span <= 60)) return 1;
    const wanted = span / 8;
    return SPEEDS.reduce(
        (best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best),
        1,
    );
}
