import "server-only";

/** What is read and brought into form of a request; Node's `IncomingMessage` has it. */
interface Target {
  url?: string | undefined;
  headers: { host?: string | undefined };
}

/**
 * Brings the target of a request into the form `/path?query` that routes are found by. Every server has to take `GET http://host/path`
 * too (RFC 9112 §3.2.2), whose host then counts instead of the header's; `OPTIONS *` becomes a path that no route has.
 */
export function toOriginForm(request: Target): void {
  const url = request.url ?? "/";
  if (url.startsWith("/")) return;
  const absolute = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)(.*)$/is.exec(url);
  if (absolute) request.headers.host = absolute[1];
  const rest = absolute?.[2] ?? url;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}
