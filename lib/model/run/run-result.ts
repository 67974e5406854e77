/**
 * A file that a run made. `url` is signed, works for 15 minutes and is renewed whenever the run is
 * fetched.
 */
export interface Artifact {
  id: string;
  title: string;
  /** Its media type, such as `text/markdown`. */
  type: string;
  url: string;
  name: string;
  size_bytes: number;
}

/**
 * What a run cost. Credits are kept in whole millionths ("micros") so that sums are exact; the
 * outside sees credits.
 */
export const CAPABILITIES = ["chat", "vision", "image", "video", "speech"] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const MICROS_PER_CREDIT = 1_000_000;

export interface UsageRow {
  model: string;
  capability: Capability;
  input_tokens: number;
  output_tokens: number;
  /** Part of `input_tokens`. */
  cached_input_tokens: number;
  /** Images, seconds of video, characters of speech or searches of the web; else 0. */
  units: number;
  credits: number;
}

export interface Usage {
  credits: number;
  breakdown: UsageRow[];
}

/** Credits (at most six decimals) of whole micros; exact below 2^53 micros. */
export function toCredits(micros: bigint | number): number {
  return Number(micros) / MICROS_PER_CREDIT;
}

/** Whole micros of credits, rounded to the nearest. */
export function toMicros(credits: number): bigint {
  return BigInt(Math.round(credits * MICROS_PER_CREDIT));
}

export const BUILD_OUTCOMES = ["built", "unchanged", "question", "refused"] as const;
export const BUILD_NEEDS = ["secret", "file", "schedule", "connector", "other"] as const;

/**
 * What a creation or an edit came to (contract §16), in fields; `text` of the result says the same
 * in words.
 */
export interface BuildReport {
  outcome: (typeof BUILD_OUTCOMES)[number];
  /** What the request left open, and how it was taken. */
  assumptions: string[];
  /** What of the request the agent does not do, and why. */
  left_out: string[];
  /** What somebody has to add before the agent can do its work. */
  needs: { kind: (typeof BUILD_NEEDS)[number]; text: string }[];
  /** What the builder asks back; the conversation goes on with the answer. */
  question: string | null;
  /** How the agent's cases came out before the change and with it; absent where none ran. */
  cases?: CaseCounts;
}

/**
 * What a citation rests on: a page that the run has found or fetched, or a file that it has read.
 */
export type CitedSource =
  | { type: "web"; url: string; title: string | null }
  | { type: "file"; path: string };

/** A statement of an answer that names where it comes from, where the run has read that. */
export interface Citation {
  /** The statement, as it stands in the answer. */
  text: string;
  source: CitedSource;
  /** Where it stands in the result's `text`, in UTF-16 code units; `end` is behind it. */
  location: { start: number; end: number };
}
/** How cases came out on two sides. */
export type CaseCounts = {
  before: { passed: number; of: number };
  after: { passed: number; of: number };
  /** Names of those that fail with the change. */
  failed: string[];
};

/** The outcome of a completed run (specification §2.1, contract §2). */
export type RunResult = {
  text: string;
  /** The agent that a creation run made, or that ran. */
  agent_id?: string;
  agent_name?: string;
  artifacts: Artifact[];
  /** Of an answer in words that names what the run has read; absent: of none. */
  citations?: Citation[];
  /** The structured output, where the agent's config has an `output_schema`. */
  data?: unknown;
  /** Of a creation or an edit. */
  build?: BuildReport;
  /** The whole transcript; only with `raw_output=true`. */
  raw_output?: string;
};
