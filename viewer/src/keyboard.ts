// SPDX-License-Identifier: BSD-3-Clause
/* Keys. Where an input or a list has the focus, its own keys come first. */

export interface Key {
    keys: string[]; // values of event.key
    shown: string;
    text: string;
    action: (event: KeyboardEvent) => void;
}

const TAKES_TEXT = new Set(["text", "search", "number"]);

/* True where the focused element needs the key itself. */
function needsKey(target: EventTarget | null, key: string): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement && TAKES_TEXT.has(target.type)) return key !== "Escape";
    if (target instanceof HTMLSelectElement) return key !== "?" && key !== "Escape";
    const arrows = key.startsWith("Arrow") || key === "Home" || key === "End";
    if (target instanceof HTMLInputElement && target.type === "range") return arrows && target.id !== "scrubber";
    return key === " " && (target.matches("button, summary, input, a") || target.getAttribute("role") === "button");
}

export function listen(keys: Key[]): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || needsKey(event.target, event.key)) return;
        const key = keys.find((candidate) => candidate.keys.includes(event.key));
        if (!key) return;
        event.preventDefault();
        key.action(event);
    });
}
