import type { KeywordCheck } from "./validation";

const ROUNDING = 1e-9;

/** `minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf`. */
export const checkNumber: KeywordCheck<number> = (validation, schema, value, path) => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  let fits = true;
  if (typeof minimum === "number" && value < minimum) fits = validation.fail(path, `Must be at least ${minimum}.`);
  if (typeof maximum === "number" && value > maximum) fits = validation.fail(path, `Must be at most ${maximum}.`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    fits = validation.fail(path, `Must be more than ${exclusiveMinimum}.`);
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    fits = validation.fail(path, `Must be less than ${exclusiveMaximum}.`);
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf))
    fits = validation.fail(path, `Must be a multiple of ${multipleOf}.`);
  return fits;
};

/** Binary fractions miss decimal ones by a hair: 0.3 counts as a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  if (!Number.isFinite(times)) return value % of === 0;
  return Math.abs(times - Math.round(times)) <= ROUNDING * Math.max(1, Math.min(Math.abs(times), 1e3));
}
