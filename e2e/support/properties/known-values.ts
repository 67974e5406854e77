import fc from "fast-check";
import { agentYamls } from "./agent-yamls";
import { anyText } from "./any-text";
import type { ApiDocument, Schema } from "./api-document";
import { filePaths } from "./file-paths";
import type { ObjectPool, PlaceKind } from "./object-pool";
import { type KnownValues, schemaValues } from "./schema-values";
import { skillTexts } from "./skill-texts";

export interface Surroundings {
  document: ApiDocument;
  pool: ObjectPool;
  /** An address that takes webhooks. */
  hookUrl: string;
  /** The published schemas of what agents are written in. */
  configSchema: Schema;
  dashboardSchema: Schema;
}

interface Known {
  /** Only where the schema is of this type. */
  type?: string;
  values: fc.Arbitrary<unknown>;
}

const CRONS = ["0 9 1 1 *", "*/7 3 29 2 *", "0 0 31 12 sun", "59 23 1-5 JAN,jul *"];
const ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"];
const MODELS = ["builtin/offline", "compatible/test-model", "compatible/other-model"];
const ID_KINDS: PlaceKind[] = ["kept", "kept", "kept", "spare"];

/** What the tests know about a property beyond its schema: whose ids it takes, which words, which addresses. */
export function knownValues(around: Surroundings): KnownValues {
  const words = wordsOf(around);
  return (name, schema) => {
    if (schema.format === "uuid") return idValues(around.pool, name);
    if (schema.format === "uri") return urls(around.hookUrl);
    if (schema.enum) return name === "model" ? models(schema.enum) : null;
    const known = Object.hasOwn(words, name) ? words[name] : undefined;
    return known && (known.type === undefined || known.type === schema.type) ? known.values : null;
  };
}

function idValues(pool: ObjectPool, name: string): fc.Arbitrary<unknown> | null {
  const template = pool.templateNamed(name);
  if (template === null) return null;
  return fc.tuple(fc.constantFrom(...ID_KINDS), fc.nat(30)).map(([kind, index]) => pool.token(kind, template, index, "id"));
}

function urls(hookUrl: string): fc.Arbitrary<string> {
  return fc.constantFrom(hookUrl, `${hookUrl}?a=%20b#c`, "http://nowhere.invalid/hook");
}

/** Models that answer here; the published list names others that no key is there for. */
function models(published: readonly unknown[] = MODELS): fc.Arbitrary<unknown> {
  const ours = MODELS.filter((model) => published.includes(model));
  return fc.constantFrom(...(ours.length > 0 ? ours : published));
}

function wordsOf(around: Surroundings): Record<string, Known> {
  const input = fc.record({ question: anyText(0, 60) });
  const credits = fc.integer({ min: 5, max: 50 });
  const configs = fc.oneof(fc.constant({ version: 1 }), writtenBy(around.configSchema, around.hookUrl));
  return {
    input: { type: "object", values: input },
    inputs: { type: "object", values: input },
    model: { values: models() },
    max_credits: { values: credits },
    maxCredits: { values: credits },
    cron: { values: fc.constantFrom(...CRONS) },
    timezone: { values: fc.constantFrom(...ZONES) },
    allowed_hosts: { values: fc.constantFrom(["api.nowhere.invalid"], ["nowhere.invalid:8443", "api.nowhere.invalid"]) },
    content: { values: skillTexts() },
    config: { type: "object", values: configs },
    config_content: {
      values: fc.oneof(
        configs.map((config) => `# ours\n${JSON.stringify(config)}\n`),
        agentYamls(),
      ),
    },
    dashboard_template: { values: writtenBy(around.dashboardSchema, around.hookUrl) },
    path: { values: filePaths() },
    prefix: { values: fc.oneof(fc.constantFrom("notes", "notes/", "%", "_"), filePaths()) },
    q: { values: fc.oneof(fc.constantFrom("agent", "%", "_"), anyText(0, 20)) },
    status: { type: "string", values: fc.constantFrom("pending") },
    "Idempotency-Key": { values: fc.constantFrom("a", "k".repeat(255), "once more", "\u00e4") },
  };
}

/** What a published schema allows, with addresses that are ours: a run may call whatever its agent's config names. */
function writtenBy(root: Schema, hookUrl: string): fc.Arbitrary<unknown> {
  const known: KnownValues = (name, schema) => {
    if (name === "url") return urls(hookUrl);
    const isModel = name === "model" || name === "fallback_models";
    return isModel && schema.type === "string" ? models(schema.enum) : null;
  };
  return schemaValues({ resolve: (schema) => schema, known }, root);
}
