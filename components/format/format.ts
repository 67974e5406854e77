const BYTE_UNITS = ["KB", "MB", "GB", "TB"];

/** `532 B`, `4.2 KB`, `18 MB`; a KB is 1,024 bytes, as the service's limits count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let size = bytes;
  let unit = "B";
  for (const next of BYTE_UNITS) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `1,204`, and from a million `1.3M`. */
export function formatCount(count: number): string {
  return (count >= 1_000_000 ? compact : whole).format(count);
}

const large = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const middle = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", {
  maximumSignificantDigits: 2,
  maximumFractionDigits: 6,
});

/**
 * Credits as a person reads them: `12,408`, `3.25`, `0.0042`. What is more than nothing never reads
 * as 0.
 */
export function formatCredits(credits: number): string {
  if (Math.abs(credits) >= 1000) return large.format(credits);
  return (Math.abs(credits) >= 1 || credits === 0 ? middle : small).format(credits);
}

/** `240 ms`, `3.4 s`, `2 min 05 s`, `1 h 12 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

const TIME_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** “3 min. ago”, “in 2 days”; “just now” within 45 seconds. `now` is in milliseconds. */
export function formatRelativeTime(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (Math.abs(seconds) < 45) return "just now";
  for (const [unit, size] of TIME_UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(Math.round(seconds / 60) || (seconds < 0 ? -1 : 1), "minute");
}

/**
 * The end of an id: UUIDv7s of one minute share their beginning, so the end is what tells them
 * apart.
 */
export function shortenId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`;
}

/**
 * An answer's first words where they stand as plain text: without Markdown's marks of headings,
 * emphasis, code and links.
 */
export function withoutMarks(text: string): string {
  return withoutLinks(text)
    .replace(/^#{1,6}\s+/, "")
    .replaceAll(/\s#{2,6}\s+/g, " ")
    .replaceAll(/\*\*([^\s*_~`][^*_~`\n]*)\*\*/g, "$1")
    .replaceAll(/__([^\s*_~`][^*_~`\n]*)__/g, "$1")
    .replaceAll(/~~([^\s*_~`][^*_~`\n]*)~~/g, "$1")
    .replaceAll(/`([^\s*_~`][^*_~`\n]*)`/g, "$1");
}

const LABEL_MAX_CHARACTERS = 200;
const TARGET_MAX_CHARACTERS = 500;

/** Each link and picture by its label alone. */
function withoutLinks(text: string): string {
  let plain = "";
  let at = 0;
  for (let open = text.indexOf("["); open >= 0; open = text.indexOf("[", open + 1)) {
    const label = text.slice(open + 1, open + 2 + LABEL_MAX_CHARACTERS).split("](", 1)[0] ?? "";
    const target = open + 1 + label.length + 2;
    const end = text.slice(target, target + TARGET_MAX_CHARACTERS + 1).indexOf(")");
    const isLink =
      text.startsWith("](", target - 2) && label !== "" && end > 0 && !/[\]\n]/.test(label);
    if (!isLink || text.slice(target, target + end).includes("\n")) continue;
    plain += text.slice(at, text.charAt(open - 1) === "!" && open > at ? open - 1 : open) + label;
    at = target + end + 1;
    open = at - 1;
  }
  return plain + text.slice(at);
}
