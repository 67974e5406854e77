import "server-only";
import { z } from "zod";
import { SettingsError } from "@/lib/env";
import type { ModelPrice } from "@/lib/model/models/catalogue";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";

/** Credits a million tokens, where nothing is said. */
export const DEFAULT_INPUT = 1000;
export const DEFAULT_OUTPUT = 2000;

/** A price that an operator states, in credits. */
export const amount = z.number().positive().max(1_000_000_000);
const price = z
  .strictObject({
    ...{
      input: amount.optional(),
      output: amount.optional(),
      cached_input: amount.optional(),
      unit: amount.optional(),
    },
    sizes: z
      .record(z.templateLiteral([z.int().positive(), "x", z.int().positive()]), amount)
      .optional(),
  })
  .refine(
    ({ input, output, unit }) =>
      (input === undefined) === (output === undefined) && (input ?? unit) !== undefined,
    {
      error: "needs input and output, or unit",
    },
  );
const pricesSchema = z.record(z.string(), price);
/**
 * What models that make something cost where nothing is said: some four cents an image, fifteen
 * dollars a million characters, ten cents a second.
 */
const DEFAULT_UNIT = { image: 40, speech: 0.015, video: 100 } as const;

/**
 * `OPENAI_COMPATIBLE_PRICES`: `{"name": {"input": 1000, "output": 2000, "cached_input": 250}}`,
 * credits a million tokens, by the model's name without `compatible/`; `{"name": {"unit": 40}}`,
 * credits a unit, of one that makes images, speech or video;
 * `{"name": {"unit": 40, "sizes": {"1024x1024": 40, "2048x2048": 160}}}`, credits an image, of one
 * that takes these sizes and no others.
 * @throws SettingsError, one sentence that names the variable, when it cannot be used
 */
export function parseCompatiblePrices(text: string): (name: string) => ModelPrice {
  const prices = new Map(Object.entries(readPrices(text)));
  return (name) => {
    const { input = DEFAULT_INPUT, output = DEFAULT_OUTPUT, cached_input } = prices.get(name) ?? {};
    return { input, output, cached_input: Math.min(input, cached_input ?? input / 4) };
  };
}

/** The same of models that make something: a unit's price, and those of an image's sizes. */
export function mediaPrices(
  text: string,
): (
  name: string,
  capability: MediaModel["capability"],
) => Pick<MediaModel, "unit_price" | "sizes"> {
  const prices = readPrices(text);
  return (name, capability) => {
    const { unit = DEFAULT_UNIT[capability], sizes } = prices[name] ?? {};
    return { unit_price: unit, ...(sizes && capability === "image" && { sizes }) };
  };
}

function readPrices(text: string): z.infer<typeof pricesSchema> {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SettingsError(
      "The environment variable OPENAI_COMPATIBLE_PRICES cannot be used: it is not JSON.",
    );
  }
  const parsed = pricesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingsError(
    `The environment variable OPENAI_COMPATIBLE_PRICES cannot be used: ${issue?.path.join(".")}: ` +
      `${issue?.message}`,
  );
}
