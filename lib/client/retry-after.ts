/**
 * The seconds that an answer asks to wait: by `Retry-After`, as a number or a date, else by its body's `retryAfterSeconds`. Null when it asks
 * for nothing that can be understood. `now` in milliseconds.
 */
export function readRetryAfter(headers: Headers, body: unknown, now: number): number | null {
  return readHeader(headers.get("retry-after"), now) ?? readBody(body);
}

function readHeader(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // `Date.parse` takes much more than dates of HTTP; all of those begin with the day of the week.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

function readBody(body: unknown): number | null {
  const seconds = typeof body === "object" && body !== null && "retryAfterSeconds" in body ? body.retryAfterSeconds : null;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}
