import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { envSchema } from "@/lib/env";
import { PROVIDERS } from "@/lib/runtime/models/providers/providers";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Read by the start scripts before the service's own schema is there.
const SCRIPT_ONLY = ["DATABASE_OWNER_URL", "EMBEDDED_DATABASE_LINGER_SECONDS"];

/** Those of the providers of models, none of which has a default. */
const OF_PROVIDERS = PROVIDERS.flatMap(({ variables }) => Object.keys(variables));

/** The names with their defaults. */
function documented(): [name: string, text: string][] {
  const lines = readFileSync(`${root}.env.example`, "utf8").split("\n");
  return lines.flatMap((line) => {
    const [, name, text = ""] = /^# ([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, text]];
  });
}

test(".env.example names every variable that the service reads, once, and no other", () => {
  const names = documented().map(([name]) => name);
  const read = [...Object.keys(envSchema.shape), ...OF_PROVIDERS, ...SCRIPT_ONLY];
  expect(names.sort()).toEqual(read.sort());
  expect(new Set(names).size).toBe(names.length);
});

test("each default in .env.example is the one that the service uses", () => {
  const defaults = envSchema.parse({});
  for (const [name, text] of documented()) {
    if (name === "NODE_ENV" || SCRIPT_ONLY.includes(name)) continue;
    if (OF_PROVIDERS.includes(name)) {
      expect(text, name).toBe("");
      continue;
    }
    expect(Reflect.get(envSchema.parse({ [name]: text }), name), name).toEqual(
      Reflect.get(defaults, name),
    );
  }
});
