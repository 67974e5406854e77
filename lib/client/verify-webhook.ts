import { LatheWebhookError } from "./errors";
import type { components } from "./openapi-types";

interface WebhookCall {
  /**
   * The body exactly as it came. Parsed and written again it is other bytes, and the signature will
   * not fit.
   */
  payload: string | Uint8Array;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The account's secret, `whsec_…`, or several of them while one takes the place of another. */
  secret: string | readonly string[];
  /** How far the call's time may be from now, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock by default. */
  now?: number;
}

const TOLERANCE_SECONDS = 300;
/**
 * A call has one signature a secret that is valid; who sends hundreds wants the receiver to
 * compute.
 */
const SIGNATURES_MAX = 10;

/**
 * The payload of a webhook call, if the service signed it (Standard Webhooks, HMAC-SHA256, compared
 * in constant time). The same call may come more than once: let `runId` be the key by which you do
 * things once. Like all of this client it needs no package; the tests sign by `standardwebhooks`.
 * @throws LatheWebhookError when it is not proven; TypeError when the secret is none
 */
export async function verifyWebhook(call: WebhookCall): Promise<WebhookPayload> {
  const payload = await verified(call);
  // Signed by the service, so of the shape that the service documents.
  if ("runId" in payload && "status" in payload) return payload as WebhookPayload;
  throw new LatheWebhookError(
    "bad_payload",
    "The call is signed, but its body is no webhook of a run.",
  );
}

/**
 * The event of a call to a webhook endpoint, if the service signed it with the endpoint's secret;
 * as `verifyWebhook`. The same call may come more than once: let `id` be the key by which you do
 * things once.
 * @throws LatheWebhookError when it is not proven; TypeError when the secret is none
 */
export async function verifyEvent(call: WebhookCall): Promise<EventPayload> {
  const payload = await verified(call);
  // As above.
  if ("id" in payload && "type" in payload && "data" in payload) return payload as EventPayload;
  throw new LatheWebhookError("bad_payload", "The call is signed, but its body is no event.");
}

async function verified(call: WebhookCall): Promise<object> {
  const secrets = typeof call.secret === "string" ? [call.secret] : call.secret;
  if (secrets.length === 0) throw new TypeError("A webhook is verified by at least one secret.");
  const id = requireHeader(call.headers, "webhook-id");
  const timestamp = requireHeader(call.headers, "webhook-timestamp");
  const signatures = requireHeader(call.headers, "webhook-signature");
  requireTime(timestamp, call);
  const bytes =
    typeof call.payload === "string" ? new TextEncoder().encode(call.payload) : call.payload;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const secret of secrets)
    if (await isSignedBy(secret, signed, signatures)) return parse(bytes);
  throw new LatheWebhookError(
    "bad_signature",
    "No signature of the call fits its body and a secret.",
  );
}

function requireHeader(headers: WebhookCall["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (!value) throw new LatheWebhookError("missing_header", `The call has no ${name} header.`);
  return value;
}

/**
 * Servers differ in the case of names, and in what they make of a header that came twice: that is
 * none here.
 */
function findHeader(
  headers: Exclude<WebhookCall["headers"], Headers>,
  name: string,
): string | null {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof found === "string") return found;
  return found?.length === 1 ? (found[0] ?? null) : null;
}

function requireTime(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: WebhookCall,
): void {
  if (!/^\d{1,11}$/.test(timestamp))
    throw new LatheWebhookError("bad_timestamp", "webhook-timestamp is no time in seconds.");
  const age = now / 1000 - Number(timestamp);
  if (age > toleranceSeconds)
    throw new LatheWebhookError(
      "too_old",
      "The call is too old: it may be a recorded one, sent again.",
    );
  if (age < -toleranceSeconds)
    throw new LatheWebhookError(
      "too_new",
      "The call comes from the future: one of the clocks is wrong.",
    );
}

async function isSignedBy(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    "raw",
    keyOf(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  for (const signature of signatures.split(" ", SIGNATURES_MAX)) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : null;
    // `subtle.verify` compares in constant time.
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return true;
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith("whsec_") ? fromBase64(secret.slice("whsec_".length)) : null;
  if (!key || key.length === 0) throw new TypeError("A webhook secret is whsec_ and base64.");
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function parse(bytes: Uint8Array): object {
  try {
    const payload: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof payload === "object" && payload !== null) return payload;
  } catch {
    // Said below.
  }
  throw new LatheWebhookError("bad_payload", "The call is signed, but its body is no webhook.");
}

interface RunEnd {
  /** Calls may be repeated: this is the key by which to do things once. */
  runId: string;
  conversationId: string | null;
  /** The same as `conversationId`, kept for older receivers. */
  threadId: string | null;
}

interface WebhookResult {
  text: string;
  agentId?: string;
  agentName?: string;
  artifacts: { id: string; title: string; type: string; url: string }[];
  data?: unknown;
}

/**
 * What is posted to a run's `webhook_url` when the run has ended. A cancelled run is `failed` with
 * `RUN_CANCELLED`. More fields may come.
 */
export type WebhookPayload =
  | (RunEnd & { status: "completed"; result: WebhookResult })
  | (RunEnd & { status: "failed"; error: components["schemas"]["RunError"] });

/** What is posted to a webhook endpoint. More types and fields may come. */
export interface EventPayload {
  /** Calls may be repeated: this is the key by which to do things once. */
  id: string;
  type: components["schemas"]["AccountEvent"]["type"] | "endpoint.test";
  created_at: string;
  account_id: string;
  /** What happened, by ids and states; never an input or a result. */
  data: Record<string, unknown>;
}
