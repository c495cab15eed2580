// Tests of rendered texts wait for the interface's texts, as a page does.
if ("document" in globalThis) await (await import(".")).startLocale();

export {};
