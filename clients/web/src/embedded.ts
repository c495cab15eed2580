// Whether this page is embedded in another site: then it has no player, stores nothing and offers no actions.
export const embedded = location.pathname.startsWith("/embed/");
/** Whether to leave the background transparent, for video overlays. */
export const overlay = embedded && new URLSearchParams(location.search).has("overlay");

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const NOTHING: Kept = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

/** The persistent storage. An embedded page may not even be allowed to access it. */
export const kept: Kept = embedded ? NOTHING : storageOf("localStorage");
/** The storage of this tab. */
export const keptHere: Kept = embedded ? NOTHING : storageOf("sessionStorage");
/** Whether the browser stores anything: users can forbid it. */
export const stores = embedded || kept instanceof Storage;

function storageOf(name: "localStorage" | "sessionStorage"): Kept {
  try {
    const found = window[name];
    const probe = "ludarium.probe";
    found.setItem(probe, probe);
    found.removeItem(probe);
    return found;
  } catch {
    return inMemory(); // for as long as this page is open
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
