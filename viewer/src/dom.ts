// SPDX-License-Identifier: BSD-3-Clause
/* Elements. Text only ever becomes text: nothing here or elsewhere parses strings as markup. */

type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/* Attributes that are functions listen to the event of that name. */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    apply(element, attributes);
    children.forEach((child) => child !== null && element.append(child));
    return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    apply(element, attributes);
    children.forEach((child) => child !== null && element.append(child));
    return element;
}

function apply(element: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false) element.setAttribute(name, String(value));
    }
}

/* A sentence in which no number is torn apart at its minus sign. */
export function sentence(text: string): DocumentFragment {
    const whole = document.createDocumentFragment();
    text.split(/(\S*\de-\d\S*)/).forEach((piece, i) =>
        whole.append(i % 2 ? el("span", { class: "whole" }, piece) : piece),
    );
    return whole;
}

const ICONS: Record<string, string> = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
    first: "M6 5h2.5v14H6zM19 5v14L9 12z",
    last: "M15.5 5H18v14h-2.5zM5 5v14l10-7z",
    back: "M13 5v14l-8-7zM15 5h2.5v14H15z",
    next: "M11 5v14l8-7zM6.5 5H9v14H6.5z",
    fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
    good: "M9.6 17.2 4.4 12l1.6-1.6 3.6 3.6L18 5.6l1.6 1.6z",
    note: "M11 10h2v8h-2zM11 6h2v2.2h-2z",
    doubtful: "M12 3.5 22 20.5H2zM11 10v5h2v-5zM11 16.5v2h2v-2z",
    bad: "M12 10.4 16.6 5.8 18.2 7.4 13.6 12l4.6 4.6-1.6 1.6L12 13.6l-4.6 4.6-1.6-1.6 4.6-4.6-4.6-4.6 1.6-1.6z",
    theme: "M12 3a9 9 0 1 0 0 18zm0-2a11 11 0 1 1 0 22 11 11 0 0 1 0-22z",
};

export function icon(name: string): SVGElement {
    return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: ICONS[name] }));
}

export function button(
    label: string,
    content: Child,
    action: () => void,
    attributes: Attributes = {},
): HTMLButtonElement {
    return el("button", { type: "button", title: label, "aria-label": label, click: action, ...attributes }, content);
}

export function download(name: string, content: Blob): void {
    const url = URL.createObjectURL(content);
    const link = el("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}
