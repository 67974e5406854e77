import { zipSync } from "fflate";
import { Unmakeable } from "./table.mjs";

/** What is compressed already. */
const PACKED = /\.(?:xlsx|docx|pptx|pdf|png|jpe?g|zip|gz)$/i;

/**
 * @param {unknown} spec paths of files of the run or its workspace
 * @param {import("./read-blocks.mjs").ReadFile} readFile
 * @returns {Uint8Array}
 */
export function writeZip(spec, readFile) {
  if (!Array.isArray(spec) || spec.length === 0)
    throw new Unmakeable("A zip is a list of paths of files.");
  /** @type {import("fflate").Zippable} */
  const entries = {};
  for (const path of spec.map(String)) {
    const bytes = readFile(path);
    if (!bytes) throw new Unmakeable(`There is no file ${JSON.stringify(path)}.`);
    const name = path.replace(/^run:/, "");
    entries[name] = [bytes, { level: PACKED.test(name) ? 0 : 6 }];
  }
  return zipSync(entries);
}
