import "server-only";
import { type Env, env, variablesOfProviders } from "@/lib/env";
import { createRedactor, REDACTED, type Redactor } from "@/lib/platform/crypto/redact";
import { definePart } from "@/lib/service";

/**
 * What keys of vendors look like, also with their middle starred out as some vendors quote them,
 * and what follows a word that announces one.
 */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|hf|AIza)[-_]?[\w*-]{6,}|\b(?:bearer|x-api-key:?|api[-_]?key[=:]) *[\w*.~+/=-]{6,}/gi;
/** Machines by number, which are the operator's own or behind a gateway of his. */
const ADDRESSES =
  /(?:\bhttps?:\/\/)?(?:\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f:.]{2,45}\])(?::\d+)?(?:\/[^\s"']*)?/gi;

/** A text for others than the operator: without his keys and the addresses of his servers. */
export function redactOperator(text: string, operator: Redactor = operatorRedactor()): string {
  return operator.redact(text).replace(KEYS, REDACTED).replace(ADDRESSES, REDACTED);
}

/** Takes the operator's provider keys, and the addresses of servers of his own, out of texts. */
const operatorRedactor = definePart("operator-redactor", () => createOperatorRedactor(env()));

export function createOperatorRedactor(settings: Env): Redactor {
  const given = Object.entries(variablesOfProviders(settings));
  const ending = (end: string) =>
    given.filter(([name]) => name.endsWith(end)).map(([, set]) => set);
  const keys = ending("_API_KEY");
  const addresses = ending("_BASE_URL");
  return createRedactor(
    [...keys, ...addresses, ...addresses.map(hostOf)].filter((secret) => secret.length >= 4),
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}
