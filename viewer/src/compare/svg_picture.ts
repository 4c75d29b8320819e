// SPDX-License-Identifier: BSD-3-Clause
/* A drawing of the page as a picture of its own, with the colours that the style sheet gives it here. */
import { themeColour } from "../colours.ts";
import { svg } from "../dom.ts";

const TWICE = 2;

function styles(): string {
    const font = "font-family: system-ui, sans-serif; font-size: 12px";
    return `text { fill: ${themeColour("muted")}; ${font} } .dot-name { fill: ${themeColour("text")}; font-size: 11px }
        .grid-line { stroke: ${themeColour("plot-grid")} }`;
}

export async function svgPicture(source: SVGSVGElement): Promise<Blob | null> {
    const copy = source.cloneNode(true) as SVGSVGElement;
    const ground = svg("rect", { width: "100%", height: "100%", fill: themeColour("card") });
    copy.prepend(svg("style", {}, styles()), ground);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [TWICE * source.clientWidth, TWICE * source.clientHeight];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve));
}
