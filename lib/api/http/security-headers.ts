import "server-only";
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { publicBaseUrl } from "@/lib/platform/public-base-url";
import { definePart } from "@/lib/service";

/**
 * The nonce of the page's own scripts and styles, for what renders the page. Whatever a client
 * sends under this name is overwritten.
 */
export const NONCE_HEADER = "x-nonce";

/**
 * The policy of all that is no page: nothing in it runs or loads, wherever it is opened. Files that
 * people and agents made are sent with it, and with no less the JSON around them: Next lets no
 * route replace a header that was set before it.
 */
export const NO_PAGE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/**
 * The one style sheet that a library adds without a nonce: sonner's, for toasts. It adds the
 * element empty and fills it then, so the hash of no text stands beside that of the sheet.
 * `security-headers.test.ts` compares both with the package.
 */
const SONNER_STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' " +
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

const HSTS_SECONDS = 2 * 365 * 24 * 3600;

interface Setting {
  /** Whether browsers reach the service by https. */
  https: boolean;
  /** `next dev` evaluates code, and adds styles without a nonce. */
  development: boolean;
}

/**
 * Puts the browser's safeguards on every answer of this process, whichever server listens and
 * whichever handler answers: pages, errors, sign-in, API, files. Pages get a policy with a nonce of
 * their own. It runs before any handler, so that no handler can forget it.
 */
export function stampSecurityHeaders(): void {
  stamped();
}

const REQUESTS = "http.server.request.start";

const stamped = definePart(
  "security-headers-stamp",
  () => {
    const { NODE_ENV } = env();
    const stamp = securityStamp({
      https: /^https:/i.test(publicBaseUrl()),
      development: NODE_ENV === "development",
    });
    const onRequest = (message: unknown) => {
      const { request, response } = message as {
        request: IncomingMessage;
        response: ServerResponse;
      }; // Node's documented payload
      stamp(request, response);
    };
    subscribe(REQUESTS, onRequest);
    return onRequest;
  },
  (onRequest) => unsubscribe(REQUESTS, onRequest),
);

/** What writes the headers of one answer, and tells the page's renderer its nonce. */
export function securityStamp(
  setting: Setting,
): (
  request: Pick<IncomingMessage, "url" | "headers">,
  response: Pick<ServerResponse, "setHeader">,
) => void {
  const fixed = fixedHeaders(setting);
  return (request, response) => {
    const path = request.url ?? "/";
    const nonce = isPage(path) ? randomBytes(16).toString("base64") : "";
    const policy = nonce ? pagePolicy(nonce, setting) : NO_PAGE_POLICY;
    // Next gives its own scripts the nonce that it finds in the policy of the request.
    request.headers["content-security-policy"] = policy;
    delete request.headers["content-security-policy-report-only"];
    request.headers[NONCE_HEADER] = nonce;
    response.setHeader("Content-Security-Policy", policy);
    // A signed address is handed on on purpose: any page may show the picture that it names.
    response.setHeader(
      "Cross-Origin-Resource-Policy",
      path.startsWith("/api/artifacts/") ? "cross-origin" : "same-origin",
    );
    for (const [name, value] of fixed) response.setHeader(name, value);
  };
}

/** What Next renders; the API, the console's JSON, the metrics and static files are no pages. */
function isPage(path: string): boolean {
  return !/^\/((v1|metrics)(?=[/?#]|$)|api\/|_next\/static\/)/.test(path);
}

function fixedHeaders({ https }: Setting): [name: string, value: string][] {
  return [
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["X-Frame-Options", "DENY"],
    ["Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    // Without `includeSubDomains`: the other hosts of the operator's domain are not ours to decide
    // about.
    ...(https
      ? [["Strict-Transport-Security", `max-age=${HSTS_SECONDS}`] satisfies [string, string]]
      : []),
  ];
}

/**
 * What a page may load: scripts by its nonce and what those load in turn, styles of ours, nothing
 * of other origins.
 * Style attributes stay allowed: the first paint of charts, meters and menus has them in its
 * markup, and they can run nothing.
 */
function pagePolicy(nonce: string, { development }: Setting): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    development
      ? "style-src 'self' 'unsafe-inline'"
      : `style-src 'self' 'nonce-${nonce}' ${SONNER_STYLES}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
