import "server-only";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { inSlices } from "@/lib/platform/in-slices";
import { FileMaker, Unmade } from "@/lib/runtime/makers/file-maker";
import {
  GUEST_FILES_MAX_BYTES,
  GUEST_READ_MAX_BYTES,
  GuestFailure,
  type GuestRead,
  READ_TOO_MUCH,
} from "@/lib/runtime/sandbox/guest-reads";
import type { GuestFile, GuestMake } from "@/lib/runtime/sandbox/run-guest-code";
import {
  findPackedSecret,
  type UnpackBudget,
  unpackBudget,
} from "@/lib/runtime/tools/find-packed-secret";
import { readForCode } from "@/lib/runtime/tools/read-file";
import type { CodeFiles } from "@/lib/runtime/tools/skill-files";
import { FileTooLarge, type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";

/** What code asks for while it works: a file's bytes, or its text, of a workbook by sheets too. */
export function guestRead(files: CodeFiles, context: ToolContext): GuestRead {
  const texts = new Map<string, string>();
  /** With the failure of one that has none, so that it is not tried again. */
  const parsed = new Map<string, Promise<void>>();
  // Of a document all is read for its text, however short that is: it counts beside the text.
  let left = GUEST_READ_MAX_BYTES;
  const keepTexts = async (file: string, bytes: Uint8Array) => {
    for (const [name, text] of await readForCode(file, bytes, context)) texts.set(name, text);
  };
  const parse = async (file: string, maxBytes: number) => {
    if (!parsed.has(file)) {
      const bytes = await files.readIfThere(file, Math.min(maxBytes, left));
      if (bytes === null) return false;
      left -= bytes.length;
      parsed.set(file, keepTexts(file, bytes));
    }
    await parsed.get(file);
    return true;
  };
  const readText = async (path: string, maxBytes: number) => {
    // A sheet's name stands behind its workbook's, but a file's own name may hold the sign.
    const [workbook = path] = path.split("#", 1);
    for (const file of new Set([path, workbook]))
      if (texts.has(path) || (await parse(file, maxBytes))) break;
    return texts.get(path) ?? null;
  };
  return (path, form, maxBytes) =>
    inWords(async () => {
      try {
        if (form === "bytes") return await files.readIfThere(path, maxBytes);
        const text = await readText(path, maxBytes);
        return text === null ? null : new TextEncoder().encode(text);
      } catch (error) {
        // Not for its own size, but for what the call has read before it.
        if (error instanceof FileTooLarge && error.sizeBytes <= GUEST_FILES_MAX_BYTES)
          throw new GuestFailure(`${error.path} is not read: ${READ_TOO_MUCH}`);
        throw error;
      }
    });
}

/** Makes files of what code hands over, once that has no secrets of the account in it. */
export function guestMake(context: ToolContext): { make: GuestMake; end(): void } {
  const maker = new FileMaker(context.signal);
  const budget = unpackBudget();
  return {
    make: ({ maker: type, spec }, named) =>
      inWords(async () => {
        const readNamed = async (path: string) => {
          const file = await named(path);
          return file?.isSaved
            ? withoutSecrets(file.bytes, context, budget)
            : (file?.bytes ?? null);
        };
        return await maker.make(
          { maker: type, spec: await withoutSecrets(spec, context, budget) },
          readNamed,
        );
      }),
    end: () => maker.end(),
  };
}

/** With what cannot be read or made as an error that the code is told. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unmade || error instanceof ToolFailure)
      throw new GuestFailure(error.message);
    throw error;
  }
}

/** Keeps what code has saved as files of the run, and says so, with what their makers say. */
export async function keepSaved(
  saved: readonly GuestFile[],
  context: ToolContext,
): Promise<JsonObject> {
  const clean: GuestFile[] = [];
  const budget = unpackBudget();
  for (const file of saved) await requireNoSecret(file, context);
  for (const file of saved)
    clean.push({ ...file, bytes: await withoutSecrets(file.bytes, context, budget, file.path) });
  const kept = await context.files.saveAll(clean);
  if (kept.length === 0) return {};
  const facts = kept.length === clean.length ? clean.map((file) => file.facts) : [];
  return {
    saved: kept.map(({ path, size_bytes }, at) => ({ path, size_bytes, ...given(facts[at]) })),
  };
}

function given(facts: object = {}): JsonObject {
  const known = Object.entries(facts).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(known as [string, JsonValue][]); // numbers and texts
}

/**
 * Lists show what a file is called and its type, and headers carry both: code may have put either
 * together of a secret, as it may its bytes.
 * @throws ToolFailure
 */
async function requireNoSecret(
  { path, mime = "" }: GuestFile,
  { redactSpoken, signal }: ToolContext,
): Promise<void> {
  if (!redactSpoken) return;
  // As it is stored: letters that code has taken apart stand together there.
  for (const [what, text] of Object.entries({ name: path.normalize("NFC"), type: mime }))
    if ((await inSlices(redactSpoken(text), { signal })) !== text)
      throw new ToolFailure(
        `The ${what} of a file holds a secret of the account, so nothing was saved.`,
      );
}

/**
 * What code hands over, without secrets that it may have put together, where it is text. Bytes that
 * it has packed itself would be broken by that: they are refused as a whole.
 * @param budget of the whole call
 * @param path of a file that would be stored; absent: data for a maker, whose texts are all plain
 * @throws ToolFailure
 */
async function withoutSecrets(
  bytes: Uint8Array,
  { accountId, redact, signal, untimed }: ToolContext,
  budget: UnpackBudget,
  path?: string,
): Promise<Uint8Array> {
  if (!redact) return bytes;
  const text = toText(bytes);
  const redacted = text === null ? null : await inSlices(redact(text), { signal });
  const clean = redacted === null || redacted === text ? bytes : Buffer.from(redacted);
  // With a zero in it what reads as UTF-8 may be UTF-16, or an archive.
  if (text !== null && !text.includes("\u0000")) return clean;
  const waiting = untimed ? { untimed } : {};
  const place = await findPackedSecret(clean, { accountId, redact, signal, budget, ...waiting });
  if (place === null) return clean;
  const what =
    path === undefined ? "What the code handed over" : `The file ${JSON.stringify(path)}`;
  const where = place === "" ? "" : ` in its part ${JSON.stringify(place)}`;
  throw new ToolFailure(
    `${what} holds a secret of the account${where}, so nothing was saved. Make it anew without ` +
      "that value.",
  );
}

/** Null for bytes that are no UTF-8. */
function toText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What code answered, as its model is told: JSON text of its serializer, cut or whole. */
export function toldResult({ result, cut }: { result: string; cut: boolean }): JsonObject {
  // Found to be JSON where it was heard, or out of the guest's reach.
  if (!cut) return { result: JSON.parse(result) as JsonValue };
  return {
    result_text: result,
    note: "The result was longer and is cut; return less, or save it as a file.",
  };
}
