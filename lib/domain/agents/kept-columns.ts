import "server-only";
import { AGENT_FIELDS, KEPT_AGENT_KEYS } from "@/lib/model/agent/agent-fields";
import { storeList, toSnakeCase } from "@/lib/model/fields/field-table";

/** The columns that agents and their versions have in common. */
export const KEPT_COLUMNS = KEPT_AGENT_KEYS.map(toSnakeCase).join(", ");
/** The same of an agent `a`, and of a version `v`. */
export const KEPT_OF_AGENT = keptColumnsOf("a");
export const KEPT_OF_VERSION = keptColumnsOf("v");
/** The same of a row `s`, as the arguments of `jsonb_build_object`. */
export const KEPT_AS_JSON = KEPT_AGENT_KEYS.map((key) => `'${key}', s.${toSnakeCase(key)}`).join(
  ", ",
);

const STATE_KEYS = KEPT_AGENT_KEYS.filter((key) => key !== "keyOrder");
/** An agent's state as an UPDATE stores it, from the fourth place on; its key order is apart. */
export const STORED_STATE = storeList(AGENT_FIELDS, STATE_KEYS, 4);
/** Where the config's text stands among it. */
export const TEXT_PLACE = STORED_STATE.at.configContent;

function keptColumnsOf(alias: string): string {
  return KEPT_AGENT_KEYS.map((key) => `${alias}.${toSnakeCase(key)}`).join(", ");
}
