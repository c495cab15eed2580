// Verifies a table's record. The verifier is loaded on demand, and runs in a worker, so that the table stays responsive.
import type { Finding, Report } from "../../../verify-js/src/index.ts";
import { answered, api } from "../api/client";
import type { TableView } from "../api/types";
import type { Question } from "./checker";

export type { Finding, Report };

/** Verify against the last known hash, so that another game's record fails. Throws Refused if there is no accessible record. */
export async function checked({ table, head }: TableView): Promise<Report> {
  const path = { table_id: table };
  const file = await answered(
    api.GET("/api/v1/tables/{table_id}/record", { params: { path }, parseAs: "arrayBuffer" }),
  );
  const worker = new Worker(new URL("./checker.ts", import.meta.url), { type: "module" });
  try {
    return await answerOf(worker, { file, known: { table, head } });
  } finally {
    worker.terminate();
  }
}

function answerOf(worker: Worker, question: Question): Promise<Report> {
  return new Promise((done, failed) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Report>) => done(data));
    worker.addEventListener("error", failed);
    worker.postMessage(question, [question.file]);
  });
}
