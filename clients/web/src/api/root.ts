// The root document of the API: part of the page, otherwise requested once.
import { rootOfPage } from "../early";
import { answered, api } from "./client";
import type { components } from "./schema";

type Root = components["schemas"]["Root"];
let known: Promise<Root> | null = null;

/** Throws Refused. */
export function root(): Promise<Root> {
  const given = rootOfPage();
  known ??= given
    ? Promise.resolve(given)
    : answered(api.GET("/api/v1")).catch((error: unknown) => {
        known = null;
        throw error;
      });
  return known;
}
