const UNITS = ["KB", "MB", "GB", "TB"];

/** `532 B`, `4.2 KB`, `18 MB`; a KB is 1,024 bytes, as the service's limits count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let size = bytes;
  let unit = "B";
  for (const next of UNITS) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
