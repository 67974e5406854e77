import "server-only";

/**
 * The milliseconds that an answer's `Retry-After` asks to wait, given as seconds or as a date; null
 * when there is none, or none that can be understood. A date that has passed is 0. How long is too
 * long is the caller's to say.
 */
export function retryAfterMs(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  // Seconds are whole by the standard; some servers send fractions.
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes much more than dates of HTTP; all of those begin with the day of the week.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
