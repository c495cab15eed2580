import { locale } from "../i18n";
import { answered, api } from "./client";
import { root } from "./root";
import type { Ruleset } from "./types";

/** Return the current revision of a title, in the reader's language. Throws Refused. */
export async function rulesetOf(id: string): Promise<Ruleset> {
  const digest = (await root()).rulesets[id];
  const query = { language: locale.value, ...(digest && { digest }) };
  return answered(api.GET("/api/v1/rulesets/{ruleset_id}", { params: { path: { ruleset_id: id }, query } }));
}
