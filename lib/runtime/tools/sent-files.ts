import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

/** Of all the files that one call sends: they are held in memory until they are sent. */
const SENT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * The arguments of a tool that name a file, whose bytes are sent in their place: texts that the
 * schema calls `format: binary` or `byte` (as OpenAPI does), or `contentEncoding: base64`.
 */
export function fileArguments(schema: JsonObject): string[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) &&
    (property.format === "binary" ||
      property.format === "byte" ||
      property.contentEncoding === "base64")
      ? [name]
      : [],
  );
}

/** The paths of the files that a call with these arguments would send. */
export function filesIn(args: unknown, names: readonly string[]): string[] {
  const given = args as Record<string, unknown> | null; // whatever a model said
  if (typeof given !== "object" || given === null) return [];
  return names.flatMap((name) => {
    const path = Object.hasOwn(given, name) ? given[name] : undefined;
    return typeof path === "string" ? [path] : [];
  });
}

/** The same arguments, with files as base64. @throws ToolFailure */
export async function withBase64(
  args: JsonObject,
  names: readonly string[],
  files: FilesPort,
): Promise<JsonObject> {
  const sent = await readSent(args, names, files);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, JsonValue] => {
      const file = sent.get(name);
      return [name, file ? Buffer.from(file.bytes).toString("base64") : (value ?? null)];
    }),
  );
}

/** A form of all arguments. @throws ToolFailure */
export async function multipartBody(
  args: JsonObject,
  names: readonly string[],
  files: FilesPort,
): Promise<{ type: string; bytes: Uint8Array }> {
  const sent = await readSent(args, names, files);
  const form = new FormData();
  for (const [name, value] of Object.entries(args)) {
    const file = sent.get(name);
    if (file) form.append(name, new Blob([file.bytes], { type: file.type }), file.name);
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const encoded = new Response(form);
  return {
    type: encoded.headers.get("content-type") ?? "multipart/form-data",
    bytes: new Uint8Array(await encoded.arrayBuffer()),
  };
}

/** The one file that is given, and nothing else. @throws ToolFailure */
export async function rawBody(
  args: JsonObject,
  names: readonly string[],
  files: FilesPort,
): Promise<{ type: string; bytes: Uint8Array }> {
  const [file, ...others] = (await readSent(args, names, files)).values();
  if (!file || others.length > 0) throw new ToolFailure("Name exactly one file to send.");
  return { type: file.type, bytes: file.bytes };
}

interface SentFile {
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

async function readSent(
  args: JsonObject,
  names: readonly string[],
  files: FilesPort,
): Promise<Map<string, SentFile>> {
  const sent = new Map<string, SentFile>();
  let left = SENT_MAX_BYTES;
  for (const name of names) {
    const path = Object.hasOwn(args, name) ? args[name] : undefined;
    if (path === undefined || path === null) continue;
    if (typeof path !== "string")
      throw new ToolFailure(`${name} must be the path of a file, such as run:report.pdf.`);
    const file = await files.open(path);
    const bytes = new Uint8Array(await files.readBytes(path, left));
    left -= bytes.length;
    sent.set(name, { name: file.name, type: file.content_type, bytes });
  }
  return sent;
}
