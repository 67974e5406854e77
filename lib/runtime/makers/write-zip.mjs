import { zipSync } from "fflate";
import { Unmakeable } from "./table.mjs";

/** What is compressed already. */
const PACKED = /\.(?:xlsx|docx|pptx|pdf|png|jpe?g|zip|gz)$/i;

/**
 * @param {unknown} spec paths of files made before in the same call
 * @param {Map<string, Uint8Array>} made
 * @returns {Uint8Array}
 */
export function writeZip(spec, made) {
  if (!Array.isArray(spec) || spec.length === 0)
    throw new Unmakeable("A zip is a list of paths of files made before it in the same call.");
  /** @type {import("fflate").Zippable} */
  const entries = {};
  for (const path of spec) {
    const bytes = made.get(String(path));
    if (!bytes)
      throw new Unmakeable(
        `There is no ${JSON.stringify(path)} among the files of this call made before it: ${[...made.keys()].join(", ") || "none"}.`,
      );
    entries[String(path)] = [bytes, { level: PACKED.test(String(path)) ? 0 : 6 }];
  }
  return zipSync(entries);
}
