import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const ROBOTO = join(dirname(require.resolve("pdfmake/package.json")), "build/fonts/Roboto");

/** The font's files, by their styles as pdfmake names them: Latin, Greek and Cyrillic. */
export const FONT_FILES = {
  normal: join(ROBOTO, "Roboto-Regular.ttf"),
  bold: join(ROBOTO, "Roboto-Medium.ttf"),
  italics: join(ROBOTO, "Roboto-Italic.ttf"),
  bolditalics: join(ROBOTO, "Roboto-MediumItalic.ttf"),
};
export const FONT_FAMILY = "Roboto";

/** @returns {Uint8Array[]} */
export function fontBuffers() {
  return [readFileSync(FONT_FILES.normal), readFileSync(FONT_FILES.bold)];
}
