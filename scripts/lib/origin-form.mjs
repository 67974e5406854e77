/**
 * Brings the target of a request into the form `/path?query` that routes are found by. Every server has to take `GET http://host/path`
 * too (RFC 9112 §3.2.2), whose host then counts instead of the header's; `OPTIONS *` becomes a path that no route has.
 */
export function toOriginForm(request) {
  const url = request.url ?? "/";
  if (url.startsWith("/")) return;
  const absolute = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)(.*)$/is.exec(url);
  if (absolute) request.headers.host = absolute[1];
  const rest = absolute ? absolute[2] : url;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}
