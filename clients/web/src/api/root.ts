// What the server says of itself, asked for once a page.
import { answered, api } from "./client";
import type { components } from "./schema";

type Root = components["schemas"]["Root"];
let known: Promise<Root> | null = null;

/** Throws Refused. */
export function root(): Promise<Root> {
  known ??= answered(api.GET("/api/v1")).catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}
