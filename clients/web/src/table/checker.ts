// A worker for the verifier: receives the bytes of a record and the known facts, and posts its findings.
import { verify, type Known } from "../../../verify-js/src/index.ts";

export type Question = { file: ArrayBuffer; known: Known };

addEventListener("message", ({ data }: MessageEvent<Question>) =>
  postMessage(verify(new Uint8Array(data.file), data.known)),
);
