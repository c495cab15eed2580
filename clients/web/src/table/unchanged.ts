/**
 * Return the current value with all parts that equal those of before replaced by them, so that dependents need not be rendered
 * again. Both are JSON values; neither is changed.
 */
export function withUnchanged<T>(before: unknown, now: T): T {
  if (before === now || !isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  const names = Object.keys(now);
  let same = names.length === Object.keys(before).length;
  const found: Record<string, unknown> = {};
  for (const name of names) {
    found[name] = withUnchanged(before[name], now[name]);
    same &&= found[name] === before[name] && name in before;
  }
  if (same) return before as T;
  return (Array.isArray(now) ? Object.values(found) : found) as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
