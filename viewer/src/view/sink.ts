// SPDX-License-Identifier: BSD-3-Clause
/* Where the flat drawing goes: onto a canvas, or into the text of an SVG picture. */

export interface Sink {
    face(xy: number[], colour: string, alpha: number): void;
    line(xy: number[], colour: string, alpha: number, width: number): void;
    disc(x: number, y: number, radius: number, colour: string, alpha: number): void;
}

const SEAM = 0.6; // the stroke around a face closes the seam to its neighbour

export class CanvasSink implements Sink {
    constructor(private context: CanvasRenderingContext2D) {}

    face(xy: number[], colour: string, alpha: number): void {
        const { context } = this;
        this.trace(xy, alpha);
        context.closePath();
        context.fillStyle = context.strokeStyle = colour;
        context.fill();
        context.lineWidth = SEAM;
        if (alpha === 1) context.stroke();
    }

    line(xy: number[], colour: string, alpha: number, width: number): void {
        this.trace(xy, alpha);
        this.context.strokeStyle = colour;
        this.context.lineWidth = width;
        this.context.stroke();
    }

    disc(x: number, y: number, radius: number, colour: string, alpha: number): void {
        const { context } = this;
        context.globalAlpha = alpha;
        context.fillStyle = colour;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
    }

    private trace(xy: number[], alpha: number): void {
        this.context.globalAlpha = alpha;
        this.context.beginPath();
        this.context.moveTo(xy[0], xy[1]);
        for (let i = 2; i < xy.length; i += 2) this.context.lineTo(xy[i], xy[i + 1]);
    }
}

/* Numbers are whole tenths of a pixel. Neighbours of one look share a path, which keeps pictures small. */
export class SvgSink implements Sink {
    private readonly parts: string[] = [];
    private look = "";
    private path = "";
    private end = ""; // of the last line

    face(xy: number[], colour: string, alpha: number): void {
        this.take(`color="${colour}"${alpha === 1 ? "" : ` stroke="none"${opacity(alpha)}`}`);
        this.path += `${trace(turned(xy))}z`;
    }

    line(xy: number[], colour: string, alpha: number, width: number): void {
        this.take(`color="${colour}"${opacity(alpha)} fill="none" stroke-width="${tenths(width)}"`);
        const whole = trace(xy);
        const start = `M${tenths(xy[0])} ${tenths(xy[1])}`;
        this.path += start === this.end ? whole.slice(start.length) : whole;
        this.end = `M${tenths(xy[xy.length - 2])} ${tenths(xy[xy.length - 1])}`;
    }

    disc(x: number, y: number, radius: number, colour: string, alpha: number): void {
        const r = tenths(radius);
        this.take(`color="${colour}"${opacity(alpha)} stroke="none"`);
        this.path += `M${tenths(x) - r} ${tenths(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    }

    /* All that is painted inside is seen through as one, however it overlaps. */
    group(alpha: number, paint: () => void): void {
        this.flush();
        this.parts.push(`<g opacity="${alpha}">`);
        paint();
        this.flush();
        this.parts.push("</g>");
    }

    /* The picture on a panel of its own, which any page around it leaves legible. */
    text(width: number, height: number, title: string, panel: { ground: string; border: string }): string {
        this.flush();
        const box = `x="5" y="5" width="${tenths(width) - 10}" height="${tenths(height) - 10}" rx="100"`;
        return [
            `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
                `viewBox="0 0 ${tenths(width)} ${tenths(height)}" role="img" stroke-linejoin="round">`,
            `<title>${escaped(title)}</title>`,
            `<clipPath id="panel"><rect ${box}/></clipPath>`,
            `<rect ${box} fill="${panel.ground}"/>`,
            `<g clip-path="url(#panel)" fill="currentColor" stroke="currentColor" stroke-width="${tenths(SEAM)}">`,
            ...this.parts,
            "</g>",
            `<rect ${box} fill="none" stroke="${panel.border}" stroke-width="10"/>`,
            "</svg>\n",
        ].join("\n");
    }

    private take(look: string): void {
        if (look === this.look) return;
        this.flush();
        this.look = look;
    }

    private flush(): void {
        if (this.path) this.parts.push(`<path ${this.look} d="${this.path}"/>`);
        this.path = this.look = this.end = "";
    }
}

function tenths(pixels: number): number {
    return Math.round(10 * pixels) || 0;
}

function opacity(alpha: number): string {
    return alpha === 1 ? "" : ` opacity="${Number(alpha.toFixed(2))}"`;
}

/* From corner to corner by relative steps, each from where the rounded one before has led. */
function trace(xy: number[]): string {
    let text = "";
    for (let i = 0; i < xy.length; i += 2) {
        const [x, y] = [tenths(xy[i]), tenths(xy[i + 1])];
        if (i === 0) text = `M${x} ${y}`;
        else {
            const [dx, dy] = [x - tenths(xy[i - 2]), y - tenths(xy[i - 1])];
            text += `l${dx}${dy < 0 ? "" : " "}${dy}`;
        }
    }
    return text;
}

/* Faces of one path all turn the same way round: where two that do not overlap, there would be a hole. */
function turned(xy: number[]): number[] {
    let area = 0;
    for (let i = 0; i < xy.length; i += 2) {
        const j = (i + 2) % xy.length;
        area += xy[i] * xy[j + 1] - xy[j] * xy[i + 1];
    }
    if (area <= 0) return xy;
    const back: number[] = [];
    for (let i = xy.length - 2; i >= 0; i -= 2) back.push(xy[i], xy[i + 1]);
    return back;
}

/* Text that cannot end its element, without letters that XML forbids. */
export function escaped(text: string): string {
    const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
    return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, "").replace(/[&<>"]/g, (letter) => names[letter]);
}
