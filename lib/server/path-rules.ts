import "server-only";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { BEFORE_SIGN_IN_BODY_MAX_BYTES, JSON_BODY_MAX_BYTES } from "@/lib/model/limits";

/** What the listener does with the requests of a path. */
export interface PathRule {
  /**
   * `static`: files named after their content, which cost next to nothing and are many a page:
   * under no limit. `api`: the dispatcher answers in front of Next. `engine`: an Inngest server
   * drives the functions. `route`: Next's other JSON routes. `page`: the rest.
   */
  kind: "static" | "api" | "engine" | "route" | "page";
  /** Of a body; null where the operation itself bounds the upload while it stores it. */
  bodyMaxBytes: number | null;
  /**
   * Milliseconds until a body must have arrived; null for uploads, which may take their time as
   * long as something arrives.
   */
  bodyWithinMs: number | null;
  /**
   * A question of whoever decides about this process: answered whatever others ask, for its answer
   * is known already. A refusal would have the process restarted or its traffic taken away.
   */
  isProbe?: boolean;
}

const ENGINE_BODY_MAX_BYTES = 4 * 1024 * 1024;
const BODY_WITHIN_MS = 60_000;
const CONSOLE_API = "/api/console";
/**
 * The console's operations that need no session and take a body; a test compares them. The
 * dispatcher bounds the body too, however the path is spelt.
 */
export const BEFORE_SIGN_IN: ReadonlySet<string> = new Set(
  [
    "sign-up",
    "verify-email",
    "forgot-password",
    "reset-password",
    "connections/link",
    "connections/open",
  ].map((name) => `${CONSOLE_API}/${name}`),
);
const uploads = new Router(V1_OPERATIONS.filter((operation) => operation.rawBody));

const PROBES = new Set(["/api/health", "/api/ready"]);

/**
 * Whether a process that works on runs and is not there for requests answers this path all the
 * same.
 */
export function isOfEveryProcess(target: string): boolean {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  return PROBES.has(path) || path === "/metrics" || servicePath(path) === "engine";
}

/** The rule of a request by its method and target (`/path?query`). */
export function ruleOf(method: string, target: string): PathRule {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  if (isStatic(method, path)) return { kind: "static", bodyMaxBytes: 0, bodyWithinMs: 0 };
  const kind = kindOf(path);
  if (isUpload(method, path)) return { kind, bodyMaxBytes: null, bodyWithinMs: null };
  const isProbe = PROBES.has(path) && (method === "GET" || method === "HEAD");
  const bounds = { bodyMaxBytes: bodyMaxBytesOf(path), bodyWithinMs: BODY_WITHIN_MS };
  return { kind, ...bounds, ...(isProbe && { isProbe }) };
}

/** Whether refusals of this path are JSON, as its answers are. */
export function answersJson({ kind }: PathRule): boolean {
  return kind !== "page" && kind !== "static";
}

function kindOf(path: string): PathRule["kind"] {
  const answeredBy = servicePath(path);
  return answeredBy === "account" || answeredBy === "app" ? "api" : answeredBy;
}

/**
 * Only where the path can mean nothing else: a router that resolves `..` in any spelling would
 * serve another one.
 */
function isStatic(method: string, path: string): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    path.startsWith("/_next/static/") &&
    !/\.\.|%2e|%2f|%5c|\\|\/\//i.test(path)
  );
}

function isUpload(method: string, path: string): boolean {
  const apiPath = path.startsWith(`${CONSOLE_API}/v1/`) ? path.slice(CONSOLE_API.length) : path;
  const found = uploads.find(apiPath)?.operations;
  return [...(found?.keys() ?? [])].some((each) => each === method);
}

function bodyMaxBytesOf(path: string): number {
  if (isBelow(path, "/api/auth") || BEFORE_SIGN_IN.has(path)) return BEFORE_SIGN_IN_BODY_MAX_BYTES;
  if (kindOf(path) === "engine") return ENGINE_BODY_MAX_BYTES;
  return JSON_BODY_MAX_BYTES;
}

/**
 * Who answers a path: the API's dispatcher (`account` for `/v1`, `app` for an app's own address),
 * an Inngest server's calls, another JSON route of Next, or a page of Next. Whole segments count:
 * `/v1x` is a page.
 */
type ServicePath = "account" | "app" | "engine" | "route" | "page";

export function servicePath(path: string): ServicePath {
  if (isBelow(path, "/v1")) return "account";
  if (isBelow(path, "/api/v1/apps")) return "app";
  if (isBelow(path, "/api/inngest")) return "engine";
  return ROUTES.some((root) => isBelow(path, root)) ? "route" : "page";
}

const ROUTES = ["/api", "/mcp", "/.well-known", "/client-metadata.json", "/metrics"];

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
