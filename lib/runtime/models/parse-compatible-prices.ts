import "server-only";
import { z } from "zod";
import type { ModelPrice } from "@/lib/model/models/catalogue";

const DEFAULT_INPUT = 1000;
const DEFAULT_OUTPUT = 2000;
const amount = z.number().positive().max(1_000_000_000);
const pricesSchema = z.record(z.string(), z.strictObject({ input: amount, output: amount, cached_input: amount.optional() }));

/**
 * `OPENAI_COMPATIBLE_PRICES`: `{"name": {"input": 1000, "output": 2000, "cached_input": 250}}`, credits a million tokens, by the
 * model's name without `compatible/`. Throws one sentence that names the variable when it cannot be used.
 */
export function parseCompatiblePrices(text: string): (name: string) => ModelPrice {
  const prices = new Map(Object.entries(readPrices(text)));
  return (name) => {
    const { input, output, cached_input } = prices.get(name) ?? { input: DEFAULT_INPUT, output: DEFAULT_OUTPUT };
    return { input, output, cached_input: Math.min(input, cached_input ?? input / 4) };
  };
}

function readPrices(text: string): z.infer<typeof pricesSchema> {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("The environment variable OPENAI_COMPATIBLE_PRICES cannot be used: it is not JSON.");
  }
  const parsed = pricesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`The environment variable OPENAI_COMPATIBLE_PRICES cannot be used: ${issue?.path.join(".")}: ${issue?.message}`);
}
