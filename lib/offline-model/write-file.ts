import "server-only";
import type { Finding } from "./describe-answer";
import type { OfflineCall } from "./prompt";

/** The call that makes a file of what was found: Markdown, or the first table of it as CSV. */
export function writeFile(title: string, text: string, isCsv: boolean, findings: readonly Finding[]): OfflineCall {
  const slug =
    title
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .toLowerCase() || "report";
  const rows = isCsv ? findings.find((finding) => finding.rows)?.rows : null;
  if (!rows) return { name: "artifacts", input: { title, name: `${slug}.md`, type: "text/markdown", content: `# ${title}\n\n${text}\n` } };
  const content = [rows.columns, ...rows.cells].map((row) => row.map(toCell).join(",")).join("\n");
  return { name: "artifacts", input: { title, name: `${slug}.csv`, type: "text/csv", content: `${content}\n` } };
}

/** A cell of text cannot start a formula in a spreadsheet. */
function toCell(value: string | number | boolean | null): string {
  const text = value === null ? "" : String(value);
  const safe = typeof value === "string" && /^[=+@-]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
