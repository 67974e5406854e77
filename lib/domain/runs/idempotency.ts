import "server-only";
import { createHash } from "node:crypto";
import type { RunView } from "@/lib/domain/runs/run-view";

/** A request's `Idempotency-Key`, with the answer that its first acceptance stores. */
export interface Idempotency {
  /** The operation and its path parameters. */
  route: string;
  key: string;
  /** Of the parsed body. */
  requestHash: string;
  answer(run: RunView): { status: number; body: string };
}

/** The first answer of an earlier request with the same key and body. */
export interface Replay {
  replayed: true;
  status: number;
  body: string;
}

export function hashRequest(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}
