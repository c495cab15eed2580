// Whether this page stands in somebody else's: then it is nobody's, keeps nothing, and offers nothing that acts.
export const embedded = location.pathname.startsWith("/embed/");
/** Over other pictures, as in a stream: without a ground of its own. */
export const overlay = embedded && new URLSearchParams(location.search).has("overlay");

const NOTHING = { getItem: (_: string): string | null => null, setItem: () => {}, removeItem: () => {} };

/** What the browser keeps of ours. Within others' pages it may be forbidden even to ask. */
export const kept: Pick<Storage, "getItem" | "setItem" | "removeItem"> = embedded ? NOTHING : localStorage;
