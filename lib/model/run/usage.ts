/** What a run cost. Credits are kept in whole millionths ("micros") so that sums are exact; the outside sees credits. */
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
  /** Images, seconds of video or characters of speech; else 0. */
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
