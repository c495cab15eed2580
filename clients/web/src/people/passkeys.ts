// The browser's passkeys, using its own JSON forms of requests and answers.
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { direct } from "./client";
import type { SignedIn } from "./session";

type Schemas = components["schemas"];
export type Here = { readonly passkeys: "yes" | "elsewhere" | "unsupported"; readonly origin: string };

/** Whether passkeys work on this page: they belong to the service's own address. */
export async function passkeysHere(): Promise<Here> {
  const { origin } = await answered(api.GET("/api/v1"));
  if (origin !== location.origin) return { passkeys: "elsewhere", origin };
  const able = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;
  return { passkeys: able ? "yes" : "unsupported", origin };
}

/** Create a passkey on this device. Throws Refused, or the browser's DOMException if the user declines. */
export async function made(login: string): Promise<Schemas["NewCredential"]> {
  const { options } = await answered(direct.POST("/api/v1/me/passkeys/options", { body: { login } }));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf<Schemas["NewCredential"]>(await navigator.credentials.create({ publicKey }));
}

/** Throws like `made`. */
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
