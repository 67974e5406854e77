import "server-only";

/** Between the two days of a deprecation lies half a year at least (docs/versioning.md). */
export const SUNSET_LEAST_DAYS = 180;

/** That an operation goes away. Days are `YYYY-MM-DD`, in UTC. */
export interface Deprecation {
  /** The day since which nobody should begin to use it. */
  since: string;
  /** The day from which it may be missing. */
  sunset: string;
  /** What to use in its place, as a sentence of Markdown. */
  advice: string;
}

/**
 * What each answer of such an operation carries, refusals too: RFC 9745, RFC 8594, and where it is
 * explained.
 */
export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${startOfDay(since) / 1000}`,
    sunset: new Date(startOfDay(sunset)).toUTCString(),
    link: '</v1/openapi.json>; rel="deprecation"; type="application/json"',
  };
}

/** The same in the words of the document. */
export function deprecationText({ since, sunset, advice }: Deprecation): string {
  return `**Deprecated** since ${since}; it may be missing from ${sunset} on. ${advice}`;
}

/** Days between the announcement and the end. */
export function noticeDays({ since, sunset }: Deprecation): number {
  return (startOfDay(sunset) - startOfDay(since)) / 86_400_000;
}

/** @throws Error for what is no day: an operation is declared once, by us */
function startOfDay(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) throw new Error(`${day} is no day`);
  return time;
}
