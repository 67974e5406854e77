import "server-only";

type Plain = string | number | boolean | null;

const DECIMALS = 2;
const SMALL_DIGITS = 4;

/** A figure as people read it: two decimals, or four digits when it is small. Thousands are not set apart, so it can be copied. */
export function showValue(value: Plain): string {
  if (value === null) return "–";
  if (typeof value !== "number") return escapeText(String(value));
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1 ? String(Number(value.toPrecision(SMALL_DIGITS))) : value.toFixed(DECIMALS);
}

/** The same with its exact value behind it, where the two differ. */
export function showExactly(value: Plain): string {
  const shown = showValue(value);
  const isRounded = typeof value === "number" && Number(shown) !== value;
  return isRounded ? `**${shown}** (exactly ${value})` : `**${shown}**`;
}

/** A share of one, in percent. */
export function showShare(value: Plain): string {
  return typeof value === "number" ? `${showValue(value * 100)} %` : "–";
}

/** A Markdown table of cells that are Markdown already. */
export function showTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

const CELL_MAX_CHARACTERS = 120;

/** What a file says stays text: it makes no cells, lines, links or images. */
export function escapeText(text: string): string {
  const flat = text.replace(/\s+/g, " ").replace(/[|\\`!<[\]]/g, "\\$&");
  return flat.length > CELL_MAX_CHARACTERS ? `${flat.slice(0, CELL_MAX_CHARACTERS)}…` : flat;
}
