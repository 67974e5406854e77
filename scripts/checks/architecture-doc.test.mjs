import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");

test("every file that the architecture names is there", () => {
  const named = [...text.matchAll(/`((?:app|lib|components)\/[^`*{<]+\.(?:ts|tsx|mjs))`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("each journey has as many files as it says", () => {
  const lines = text
    .slice(text.indexOf("## Journeys"))
    .split(/^(?=- |\*\*)/m)
    .flatMap((part) => {
      const count = /^(?:- [^:]+|\*\*[^:]+?) \((\d+)\)[:.]/.exec(part)?.[1];
      return count
        ? [
            {
              said: Number(count),
              files: new Set(
                [...part.matchAll(/`([^`]+\.(?:ts|tsx|mjs))`/g)].map(([, path]) => path),
              ).size,
              part: part.slice(0, 60),
            },
          ]
        : [];
    });
  expect(lines.length).toBeGreaterThanOrEqual(9);
  for (const { said, files, part } of lines) expect(files, part).toBe(said);
});
