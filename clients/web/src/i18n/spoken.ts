// Tests of what stands in a page begin as a page does: when its words are there.
if ("document" in globalThis) await (await import(".")).startLocale();

export {};
