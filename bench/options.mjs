import { parseArgs } from "node:util";
import { SetupError } from "../scripts/setup/setup-error.mjs";
import { CASES } from "./cases.mjs";

const USAGE = `npm run bench -- [--rounds N] [--only CASE,…] [--sides SIDE,…] [--quick] [--short] [--statements] [--keep]
Cases: ${CASES.map(({ name }) => name).join(", ")}. Sides: service, reference, langgraph.`;

/**
 * What the command line asks for.
 * @param {string[]} args
 * @throws SetupError
 */
export function readOptions(args) {
  const { values } = parse(args);
  if (values.help) throw new SetupError(USAGE);
  const names = values.only?.split(",") ?? (values.short ? ["accept16", "read64", "streams50"] : null);
  const cases = names ? CASES.filter(({ name }) => names.includes(name)) : CASES;
  if (names && cases.length !== names.length) throw new SetupError(`There is no such case.\n${USAGE}`);
  const rounds = Number(values.rounds ?? (values.short ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new SetupError("--rounds takes a whole number from 1.");
  const sides = values.sides?.split(",") ?? (values.short ? ["service", "reference"] : ["service", "reference", "langgraph"]);
  return {
    cases,
    rounds,
    sides,
    quick: Boolean(values.quick || values.short),
    short: Boolean(values.short),
    statements: Boolean(values.statements),
    // A whole run is worth keeping; others only when somebody says so.
    keep: values.keep || (!values.short && !values.only && rounds >= 3),
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: "string" },
        only: { type: "string" },
        sides: { type: "string" },
        quick: { type: "boolean" },
        short: { type: "boolean" },
        statements: { type: "boolean" },
        keep: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
