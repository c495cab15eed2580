// Passkeys of the browser, by its own JSON forms of what is asked and answered.
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { direct } from "./client";
import type { SignedIn } from "./session";

type Schemas = components["schemas"];
export type Here = { readonly passkeys: "yes" | "elsewhere" | "unsupported"; readonly origin: string };

/** Whether this page can have any: they belong to the service's own address. */
export async function passkeysHere(): Promise<Here> {
  const { origin } = await answered(api.GET("/api/v1"));
  if (origin !== location.origin) return { passkeys: "elsewhere", origin };
  const able = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;
  return { passkeys: able ? "yes" : "unsupported", origin };
}

/** Asks the device for a new one. Throws Refused, or the browser's DOMException if its owner does not want to. */
export async function made(login: string): Promise<Schemas["NewCredential"]> {
  const { options } = await answered(direct.POST("/api/v1/me/passkeys/options", { body: { login } }));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf<Schemas["NewCredential"]>(await navigator.credentials.create({ publicKey }));
}

/** Throws as `made`. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { options } = await answered(direct.POST("/api/v1/sessions/passkey/options"));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const body = jsonOf<Schemas["UsedCredential"]>(await navigator.credentials.get({ publicKey }));
  return answered(direct.POST("/api/v1/sessions/passkey", { body }));
}

function jsonOf<T>(credential: Credential | null): T {
  return (credential as PublicKeyCredential).toJSON() as T;
}
