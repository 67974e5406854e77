import "server-only";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ListedFile } from "./file-store";

const PAGE_FILES = 1_000;

/** Every file below a folder whose path within it comes behind `after`, the folders' and files' names in their order, a page at a time. */
export async function* listFolder(root: string, after: string): AsyncGenerator<ListedFile[]> {
  let page: ListedFile[] = [];
  for await (const key of keysIn(root, "", after === "" ? [] : after.split("/"))) {
    // Deleted meanwhile: passed over.
    const found = await stat(join(root, key)).catch(() => null);
    if (found === null) continue;
    page.push({ key, sizeBytes: found.size, storedAt: found.mtime });
    if (page.length < PAGE_FILES) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** `after`: the names down to what was seen last, as long as they are this folder's. */
async function* keysIn(root: string, path: string, after: readonly string[]): AsyncGenerator<string> {
  const [least, ...rest] = after;
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  for (const entry of entries.sort((a, b) => order(a.name, b.name))) {
    if (least !== undefined && entry.name < least) continue;
    const key = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* keysIn(root, key, entry.name === least ? rest : []);
    else if (entry.isFile() && !(entry.name === least && rest.length === 0)) yield key;
  }
}
