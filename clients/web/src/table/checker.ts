// The verifier, in a worker of its own: hears the bytes of a record, says what it finds.
import { verify } from "../../../verify-js/src/index.ts";

addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => postMessage(verify(new Uint8Array(data))));
