import "server-only";
import { models } from "@/lib/domain/models/models";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { invalidInput } from "@/lib/model/errors";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";
import type { TextWork } from "@/lib/runtime/text-work/text-work";

interface RequestWork {
  /** Whose text it is. */
  account: string;
  /** The request's name of the text; empty where the body itself is the text. */
  field: string;
  answerMaxCharacters?: number;
}

/**
 * Works on a text of a request in a thread of its own.
 * @throws ServiceError INVALID_INPUT at the field where the text takes more than one may
 */
export async function workOnRequest<Kind extends keyof TextWork>(
  kind: Kind,
  input: Parameters<TextWork[Kind]>[0],
  { field, ...options }: RequestWork,
): Promise<ReturnType<TextWork[Kind]>> {
  try {
    return await inTextWorker(kind, input, options);
  } catch (error) {
    throw error instanceof TextWorkEnded ? invalidInput(field, error.message) : error;
  }
}

/**
 * Reads a text with a config in it. A thread knows no models: those that the config names are
 * looked up here, and where one is unknown, the text is read again for the place of it.
 */
export async function readWithModels<Read>(
  read: (unknownModels: readonly string[]) => Promise<Read>,
  configOf: (read: Read) => AgentConfig | undefined,
): Promise<Read> {
  const first = await read([]);
  const config = configOf(first);
  const named = [...(config?.fallback_models ?? [])];
  if (config?.model !== undefined) named.push(config.model);
  const unknown = named.filter((model) => models().find(model) === null);
  return unknown.length === 0 ? first : read(unknown);
}
