import "server-only";
import { parentPort } from "node:worker_threads";
import { RunFailure } from "@/lib/model/run/run-failure";
import {
  TEXT_WORK,
  type TextWorkOrder,
  type TextWorkReport,
} from "@/lib/runtime/text-work/text-work";

/** The thread's own entry: takes one order after the other. */
function carryOut({ kind, input, maxCharacters }: TextWorkOrder): TextWorkReport {
  try {
    // The caller's types tie the input to the kind (in-text-worker.ts).
    const work = TEXT_WORK[kind] as (input: unknown) => unknown;
    const json = JSON.stringify(work(input)) ?? "null";
    return json.length > maxCharacters ? { is: "long" } : { is: "done", json };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RunFailure ? error.code : null;
    return { is: "failed", name, code, message };
  }
}

const port = parentPort;
port?.on("message", (order: TextWorkOrder) => port.postMessage(carryOut(order)));
port?.postMessage({ is: "ready" } satisfies TextWorkReport);
