import "server-only";
import type { RedactionScan, Redactor } from "@/lib/platform/crypto/redact";

/**
 * What a model's words pass, however they are cut, before they are shown and kept: NUL characters and lone surrogates, which no
 * database takes, become U+FFFD; a character whose halves come one by one is put together; secrets become `[redacted]`.
 */
export function speechFilter(redactor: Redactor): RedactionScan {
  const scan = redactor.scan();
  let half = "";
  return {
    push: (delta) => {
      const text = half + delta;
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return scan.push(storable(text.slice(0, text.length - half.length)));
    },
    end: () => scan.push(storable(half)) + scan.end(),
  };
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
