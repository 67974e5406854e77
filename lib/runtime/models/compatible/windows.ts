import "server-only";
import { z } from "zod";
import { SettingsError } from "@/lib/env";
import { trimEnd } from "@/lib/model/text/trim";
import { getJson, toCount } from "@/lib/runtime/models/providers/model-list";

const tokens = z.int().min(1_000).max(100_000_000);
const windowsSchema = z.union([tokens, z.record(z.string(), tokens)]);

/**
 * `OPENAI_COMPATIBLE_WINDOWS`: `{"name": 8192}`, tokens by the model's name without `compatible/`,
 * or one number for all of them.
 * @returns null of a model of which it says nothing
 * @throws SettingsError, one sentence that names the variable, when it cannot be used
 */
export function readWindows(text: string): (name: string) => number | null {
  if (text.trim() === "") return () => null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const parsed = windowsSchema.safeParse(value);
  if (!parsed.success)
    throw new SettingsError(
      "The environment variable OPENAI_COMPATIBLE_WINDOWS cannot be used: it is no number of " +
        'tokens from 1000 on, and no JSON such as {"name": 8192}.',
    );
  const { data } = parsed;
  if (typeof data === "number") return () => data;
  const windows = new Map(Object.entries(data));
  return (name) => windows.get(name) ?? null;
}

const count = z.number().nullish().catch(null);
/** vLLM says `max_model_len`; others have names of their own, or none. */
const listSchema = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        owned_by: z.string().nullish().catch(null),
        max_model_len: count,
        context_length: count,
        context_window: count,
        max_context_length: count,
      }),
    )
    .max(10_000),
});
/** llama.cpp has one model and says there what a request may have. */
const propsSchema = z.object({ default_generation_settings: z.object({ n_ctx: z.number() }) });
const LLAMA_CPP = "llamacpp";

/**
 * Asks a server for its models' windows, in tokens, where it has a way to say them.
 * @param baseUrl as for its completions, mostly ending in `/v1`
 * @returns by a model's name; null where the server does not say
 * @throws where it does not answer with a list of models
 */
export async function askWindows(
  baseUrl: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<(name: string) => number | null> {
  const base = trimEnd(baseUrl, "/");
  const headers: Record<string, string> =
    apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` };
  const { data } = listSchema.parse(await getJson(`${base}/models`, headers, signal));
  const windows = new Map(
    data.map((row) => [
      row.id,
      toCount(
        row.max_model_len ?? row.context_length ?? row.context_window ?? row.max_context_length,
      ),
    ]),
  );
  if (!data.some(({ owned_by }) => owned_by === LLAMA_CPP))
    return (name) => windows.get(name) ?? null;
  const root = base.endsWith("/v1") ? base.slice(0, -"/v1".length) : base;
  const props = propsSchema.parse(await getJson(`${root}/props`, headers, signal));
  return () => toCount(props.default_generation_settings.n_ctx);
}
