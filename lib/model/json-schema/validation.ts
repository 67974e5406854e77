import type { JsonPath } from "./json-path";
import type { JsonObject, JsonValue } from "./json-value";
import type { WorkBudget } from "./work-budget";

/** What the checks of the single keywords know about the validation that they are part of. */
export type Validation = {
  budget: WorkBudget;
  /** The names of an object's properties, listed once however often a schema asks. */
  namesOf: (value: JsonObject) => readonly string[];
  /** Notes a violation; those beyond the most that is wanted are dropped. Always false, so that it can be returned. */
  fail: (path: JsonPath, message: string) => false;
  /** Checks a value against a subschema, and notes what is wrong. */
  apply: (schema: JsonValue | undefined, value: JsonValue, path: JsonPath) => boolean;
  /** Checks a value against a subschema without a note. */
  fits: (schema: JsonValue | undefined, value: JsonValue) => boolean;
};

/** The check of one family of keywords: false when the value breaks one of them. Notes in `schema` that are no keywords are ignored. */
export type KeywordCheck<Value extends JsonValue> = (validation: Validation, schema: JsonObject, value: Value, path: JsonPath) => boolean;
