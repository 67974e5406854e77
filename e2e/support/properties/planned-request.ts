import type { DocumentedOperation } from "./api-document";

/** Whose key a request carries; `poor` has no credits and no hourly writes. */
export type Credential = "own" | "stranger" | "poor" | "other-door" | "unknown" | "none";

/** A request as fast-check makes it: objects are named by tokens of the pool, which stand for real ids when it is sent. */
export interface PlannedRequest {
  operation: DocumentedOperation;
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  /** Percent-encoded, without the question mark. */
  query: string;
  headers: readonly (readonly [string, string])[];
  body: string | Uint8Array | null;
  credential: Credential;
  /** What was broken, or aimed at somebody else's; null for a request that the document allows. */
  fault: string | null;
  /** The contract refuses this one, although the document's schemas cannot say so. */
  mustRefuse: boolean;
}

/** One thing done to a request; the outcome says what in `fault`. */
export type Breakage = (request: PlannedRequest) => PlannedRequest;
