import "server-only";
import { models } from "@/lib/domain/models/models";
import { env } from "@/lib/env";
import { daysUntilRetired, RETIREMENT_NOTICE_DAYS } from "@/lib/model/models/catalogue";
import { MODEL_ROLES } from "@/lib/model/models/model-facts";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";
import type { ListedModel } from "@/lib/runtime/models/providers/provider-adapter";
import { VENDORS, type VendorAdapter, vendorNamed } from "@/lib/runtime/models/providers/providers";
import { readVendorList } from "@/lib/runtime/models/vendor-lists";
import { definePart } from "@/lib/service";

/**
 * Each vendor's own list of models: asked at the start and once a day, kept for the starts at which
 * the vendor does not answer.
 */

/** How long an answer is new enough to tell by it that a model is gone. */
const FRESH_MS = 60_000;

const asked = definePart(
  "vendor-lists.asked",
  () => new Map<string, { at: number; reading: Promise<boolean> }>(),
);

/** What the vendors listed last, as the database kept it. Nothing is thrown where there is none. */
export async function recallVendorLists(): Promise<void> {
  const { rows } = await postgres().query<{ vendor: string; models: ListedModel[] }>(
    "SELECT vendor, models FROM vendor_models",
  );
  for (const { vendor: name, models: listed } of rows) {
    const vendor = vendorNamed(name);
    if (vendor !== null && isOn(vendor)) models().learn(vendor.id, listed);
  }
}

/**
 * Asks every vendor that is switched on; one that does not answer changes nothing. Says in the log
 * which models in use end within sixty days.
 */
export async function refreshVendorLists(): Promise<void> {
  await Promise.all(VENDORS.filter(isOn).map((vendor) => askVendor(vendor)));
  await warnOfEnds(new Date()).catch((error: unknown) =>
    log.warn({ err: error }, "looking for models that end failed"),
  );
}

/**
 * Whether a vendor no longer has a model, by its list as it is now; where it does not answer, by
 * what it listed last. Asked after a call was answered with the word that there is no such model.
 * @param id `provider/name`
 */
export async function isGone(id: string): Promise<boolean> {
  const vendor = vendorNamed(id.slice(0, Math.max(0, id.indexOf("/"))));
  if (vendor === null || !isOn(vendor)) return false;
  await askVendor(vendor, FRESH_MS);
  const model = models().find(id);
  if (model === null) return true;
  if (model.gone) return true;
  // A vendor that gave no list, and a day that has passed.
  const days = daysUntilRetired(model, new Date());
  return days !== null && days <= 0;
}

/**
 * The id that stands in for a model that has ended: what its vendor names, else the newest of its
 * family, else the provider's default.
 */
export function successorOf(id: string): string | null {
  const available = models();
  const model = available.known.find((each) => each.id === id) ?? null;
  const named = model?.successor ? available.find(model.successor) : null;
  if (named && !named.gone) return named.id;
  const provider = id.slice(0, Math.max(0, id.indexOf("/")));
  const served = available.known.filter(
    (each) => each.provider === provider && !each.gone && each.id !== id,
  );
  return (
    (served.find((each) => each.family !== null && each.family === model?.family) ?? served[0])
      ?.id ?? null
  );
}

function isOn({ isOn: isSwitchedOn }: VendorAdapter): boolean {
  return isSwitchedOn(env());
}

function askVendor(vendor: VendorAdapter, maxAgeMs = 0): Promise<boolean> {
  const last = asked().get(vendor.id);
  const age = last ? Date.now() - last.at : Number.POSITIVE_INFINITY;
  if (last && age >= 0 && age < maxAgeMs) return last.reading;
  const reading = readAndKeep(vendor);
  asked().set(vendor.id, { at: Date.now(), reading });
  return reading;
}

async function readAndKeep(adapter: VendorAdapter): Promise<boolean> {
  const vendor = adapter.id;
  let listed: ListedModel[];
  try {
    listed = await readVendorList(adapter, env());
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "no answer";
    log.info(
      { vendor, reason },
      "the vendor's list of models could not be read; the last one stands",
    );
    return false;
  }
  // A stand-in that lists nothing has said nothing.
  if (listed.length === 0) return false;
  models().learn(vendor, listed);
  await postgres()
    .query(
      `INSERT INTO vendor_models (vendor, models, read_at) VALUES ($1, $2, now())
       ON CONFLICT (vendor) DO UPDATE SET models = EXCLUDED.models, read_at = EXCLUDED.read_at`,
      [vendor, JSON.stringify(listed)],
    )
    .catch((error: unknown) =>
      log.warn({ err: error, vendor }, "the vendor's list of models could not be kept"),
    );
  return true;
}

/**
 * One line a model that is somebody's and ends within sixty days: the roles' own, and those that
 * agents' configs name.
 */
async function warnOfEnds(now: Date): Promise<void> {
  const available = models();
  const roles = new Map<string, string[]>();
  for (const role of MODEL_ROLES) {
    const id = available.roleModel(role);
    roles.set(id, [...(roles.get(id) ?? []), role]);
  }
  const { rows } = await postgres().query<{ model: string; agents: number }>(
    `SELECT config->>'model' AS model, count(*)::int AS agents FROM agents
      WHERE status = 'active' AND config->>'model' IS NOT NULL GROUP BY 1`,
  );
  const agents = new Map(rows.map((row) => [row.model, row.agents]));
  for (const id of new Set([...roles.keys(), ...agents.keys()])) {
    const model = available.find(id);
    if (!model?.switched_on) continue;
    const days = daysUntilRetired(model, now);
    if (!model.gone && (days === null || days > RETIREMENT_NOTICE_DAYS)) continue;
    const facts = {
      model: model.id,
      retires: model.retires,
      successor: successorOf(model.id),
      roles: roles.get(id) ?? [],
    };
    log.warn(
      { ...facts, agents: agents.get(id) ?? 0 },
      model.gone ? "its vendor no longer has this model" : "this model ends soon",
    );
  }
}
