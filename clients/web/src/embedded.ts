// Whether this page stands in somebody else's: then it is nobody's, keeps nothing, and offers nothing that acts.
export const embedded = location.pathname.startsWith("/embed/");
/** Over other pictures, as in a stream: without a ground of its own. */
export const overlay = embedded && new URLSearchParams(location.search).has("overlay");

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const NOTHING: Kept = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

/** What the browser keeps of ours. Within others' pages it may be forbidden even to ask. */
export const kept: Kept = embedded ? NOTHING : storageOf("localStorage");
/** The same of this tab alone. */
export const keptHere: Kept = embedded ? NOTHING : storageOf("sessionStorage");
/** Whether the browser keeps anything: people can forbid it. */
export const stores = embedded || kept instanceof Storage;

function storageOf(name: "localStorage" | "sessionStorage"): Kept {
  try {
    const found = window[name];
    const probe = "ludarium.probe";
    found.setItem(probe, probe);
    found.removeItem(probe);
    return found;
  } catch {
    return inMemory(); // as long as this page is open
  }
}

function inMemory(): Kept {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}
