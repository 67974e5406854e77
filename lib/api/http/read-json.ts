import "server-only";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH_LEVELS } from "@/lib/model/limits";

/**
 * Reads a JSON body that the service can keep: UTF-8, at most 1 MiB and 64 levels, no NUL, no lone surrogate.
 * @returns undefined for an empty body
 * @throws ServiceError PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBounded(request);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw invalidInput("", "The body must be JSON: send Content-Type: application/json.");
  const text = decode(bytes);
  const value = parse(text);
  requireStorable(value, "", 1, text.includes("\\u"));
  return value;
}

async function readBounded(request: Request): Promise<Buffer> {
  const tooLarge = () => new ServiceError("PAYLOAD_TOO_LARGE", `A JSON body may have at most ${JSON_BODY_MAX_BYTES} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > JSON_BODY_MAX_BYTES) throw tooLarge();
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    // Node's web streams are async iterable; the DOM type does not say so
    size += chunk.length;
    if (size > JSON_BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput("", "The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : "nested too deeply";
    throw invalidInput("", `The body is not valid JSON: ${reason}`);
  }
}

function requireStorable(value: unknown, path: string, depth: number, escaped: boolean): void {
  if (typeof value === "string") requireText(value, path, escaped);
  if (typeof value !== "object" || value === null) return;
  if (depth > JSON_MAX_DEPTH_LEVELS) throw invalidInput("", `The body is nested deeper than ${JSON_MAX_DEPTH_LEVELS} levels.`);
  for (const [key, item] of Object.entries(value)) {
    requireText(key, path, escaped);
    requireStorable(item, path ? `${path}.${key}` : key, depth + 1, escaped);
  }
}

function requireText(text: string, path: string, escaped: boolean): void {
  if (!escaped) return; // raw NULs are no JSON and raw surrogates no UTF-8: only escapes bring them
  if (text.includes("\u0000")) throw invalidInput(path, "must not contain the NUL character");
  if (!text.isWellFormed()) throw invalidInput(path, "must not contain a lone surrogate");
}
