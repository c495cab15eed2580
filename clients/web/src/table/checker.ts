// The verifier, in a worker of its own: hears the bytes of a record and what is known of it, says what it finds.
import { verify, type Known } from "../../../verify-js/src/index.ts";

export type Question = { file: ArrayBuffer; known: Known };

addEventListener("message", ({ data }: MessageEvent<Question>) =>
  postMessage(verify(new Uint8Array(data.file), data.known)),
);
