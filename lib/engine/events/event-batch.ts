import "server-only";

/** Stored lines of one run with the numbers `first` to `last`, one each. */
export interface EventBatch {
  first: number;
  last: number;
  lines: string[];
}
