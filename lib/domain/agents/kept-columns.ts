import "server-only";
import { KEPT_AGENT_KEYS } from "@/lib/model/agent/agent-fields";
import { toSnakeCase } from "@/lib/model/fields/field-table";

/** The columns that agents and their versions have in common. */
export const KEPT_COLUMNS = KEPT_AGENT_KEYS.map(toSnakeCase).join(", ");
/** The same of an agent `a`, and of a version `v`. */
export const KEPT_OF_AGENT = keptColumnsOf("a");
export const KEPT_OF_VERSION = keptColumnsOf("v");
/** The same of a row `s`, as the arguments of `jsonb_build_object`. */
export const KEPT_AS_JSON = KEPT_AGENT_KEYS.map((key) => `'${key}', s.${toSnakeCase(key)}`).join(
  ", ",
);

function keptColumnsOf(alias: string): string {
  return KEPT_AGENT_KEYS.map((key) => `${alias}.${toSnakeCase(key)}`).join(", ");
}
