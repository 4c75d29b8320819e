// SPDX-License-Identifier: BSD-3-Clause
// Writes an animated PNG from screenshots: 256 colours, and of each frame only the rectangle that changed, with the
// pixels that did not change left transparent. PNG specification, third edition: acTL, fcTL, fdAT.
import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const CLEAR = 0; // the colour of unchanged pixels

const CRC = Int32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    return c;
});

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    let crc = -1;
    for (const byte of body) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
    return Buffer.concat([words(data.length), body, words(~crc >>> 0)]);
}

function words(...values) {
    const out = Buffer.alloc(4 * values.length);
    values.forEach((value, i) => out.writeUInt32BE(value, 4 * i));
    return out;
}

function shorts(...values) {
    const out = Buffer.alloc(2 * values.length);
    values.forEach((value, i) => out.writeUInt16BE(value, 2 * i));
    return out;
}

function* chunks(png) {
    for (let at = 8; at < png.length;) {
        const length = png.readUInt32BE(at);
        yield [png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
        at += 12 + length;
    }
}

function paeth(a, b, c) {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    if (pa <= pb && pa <= pc) return a;
    return pb <= pc ? b : c;
}

const PREDICTORS = [() => 0, (a) => a, (_, b) => b, (a, b) => (a + b) >> 1, paeth];

/* Screenshots have 8 bits a channel, with or without alpha, and are not interlaced. Pixels become 0xrrggbb. */
function decode(png) {
    const parts = [...chunks(png)];
    const header = parts.find(([type]) => type === "IHDR")[1];
    const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
    const raw = inflateSync(Buffer.concat(parts.filter(([type]) => type === "IDAT").map(([, data]) => data)));
    const stride = width * channels;
    let above = new Uint8Array(stride);
    const pixels = new Uint32Array(width * height);
    for (let y = 0; y < height; y++) {
        const row = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
        const predict = PREDICTORS[raw[y * (stride + 1)]];
        for (let i = 0; i < stride; i++) {
            const [left, corner] = i < channels ? [0, 0] : [row[i - channels], above[i - channels]];
            row[i] += predict(left, above[i], corner);
        }
        for (let x = 0; x < width; x++) {
            const i = x * channels;
            pixels[y * width + x] = (row[i] << 16) | (row[i + 1] << 8) | row[i + 2];
        }
        above = row;
    }
    return { width, height, pixels };
}

/* The most frequent colours, each the mean of those that agree in their first bits, and the way to their index. */
function paletteOf(frames) {
    const counts = new Map();
    for (const { pixels } of frames) for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    const colours = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
    const palette = [];
    for (let distance = 24; palette.length < 255 && distance >= 6; distance /= 2)
        for (const colour of colours)
            if (palette.length < 255 && palette.every((other) => apart(colour, other) > distance)) palette.push(colour);
    const index = new Map(colours.map((colour) => [colour, 1 + nearest(palette, colour)]));
    return { palette, index };
}

function apart(a, b) {
    return (
        Math.abs((a >> 16) - (b >> 16)) +
        Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
        Math.abs((a & 255) - (b & 255))
    );
}

function nearest(palette, colour) {
    let best = 0;
    palette.forEach((other, i) => {
        if (apart(colour, other) < apart(colour, palette[best])) best = i;
    });
    return best;
}

/* The smallest rectangle outside of which two frames agree; a pixel where they do not differ at all. */
function changedBox(now, before, width, height) {
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let i = 0; i < now.length; i++)
        if (now[i] !== before[i]) {
            const [x, y] = [i % width, Math.floor(i / width)];
            [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
        }
    return right < 0 ? { x: 0, y: 0, w: 1, h: 1 } : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

function compress(now, before, width, { x, y, w, h }) {
    const raw = Buffer.alloc((w + 1) * h);
    for (let row = 0; row < h; row++)
        for (let column = 0; column < w; column++) {
            const i = (y + row) * width + x + column;
            raw[row * (w + 1) + 1 + column] = before && now[i] === before[i] ? CLEAR : now[i];
        }
    return deflateSync(raw, { level: 9 });
}

/* PNG files of the same size, each shown for this many milliseconds, over and over. */
export function animate(pngs, milliseconds) {
    const frames = pngs.map(decode);
    const [{ width, height }] = frames;
    const { palette, index } = paletteOf(frames);
    const indexed = frames.map(({ pixels }) => Uint8Array.from(pixels, (pixel) => index.get(pixel)));
    const colours = Buffer.from([0, 0, 0, ...palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255])]);
    const out = [SIGNATURE, chunk("IHDR", Buffer.concat([words(width, height), Buffer.from([8, 3, 0, 0, 0])]))];
    out.push(chunk("acTL", words(frames.length, 0)), chunk("PLTE", colours), chunk("tRNS", Buffer.from([0])));
    let sequence = 0;
    indexed.forEach((now, i) => {
        const before = i ? indexed[i - 1] : null;
        const box = before ? changedBox(now, before, width, height) : { x: 0, y: 0, w: width, h: height };
        const control = [words(sequence++, box.w, box.h, box.x, box.y), shorts(Math.round(milliseconds), 1000)];
        out.push(chunk("fcTL", Buffer.concat([...control, Buffer.from([0, before ? 1 : 0])])));
        const data = compress(now, before, width, box);
        out.push(before ? chunk("fdAT", Buffer.concat([words(sequence++), data])) : chunk("IDAT", data));
    });
    out.push(chunk("IEND", Buffer.alloc(0)));
    return Buffer.concat(out);
}
