import {
  type ApiDocument,
  type ApiResponse,
  type ApiSchema,
  followReference,
  type ReferenceOperation,
} from "@/lib/console/reference/api-document";
import type { ErrorCode } from "@/lib/model/errors";

/** One line of a schema that is shown as a tree. */
export interface SchemaField {
  name: string;
  /** In words: `string (uuid)`, `array of objects`, `number or null`. */
  type: string;
  required: boolean;
  description: string;
  /** In words: `1–255 characters`, `default 20`. */
  limits: string[];
  /** The only values that it may have, as JSON. */
  values: string[];
  children: SchemaField[];
}

/** Deeper levels are named by their type alone. */
const MAX_LEVELS = 6;

/**
 * The fields of a schema as a tree. References are followed; one that leads back into itself, and
 * what lies too deep, has no children.
 */
export function toFields(document: ApiDocument, schema: ApiSchema): SchemaField[] {
  return childrenOf(document, schema, []);
}

function childrenOf(
  document: ApiDocument,
  schema: ApiSchema,
  seen: readonly string[],
): SchemaField[] {
  const within = schema.$ref ? [...seen, schema.$ref] : [...seen, ""];
  if (within.length > MAX_LEVELS || (schema.$ref && seen.includes(schema.$ref))) return [];
  const {
    properties,
    required = [],
    items,
    additionalProperties,
    anyOf,
    oneOf,
    allOf,
  } = followReference(document, schema);
  const alternatives = (oneOf ?? anyOf ?? []).filter((each) => each.type !== "null");
  if (alternatives.length > 1) return variantsOf(document, alternatives, within);
  const parts = [...alternatives, ...(allOf ?? []), ...(items ? [items] : [])].flatMap((part) =>
    childrenOf(document, part, within),
  );
  const own = Object.entries(properties ?? {}).map(([name, child]) =>
    fieldOf(document, name, child, required.includes(name), within),
  );
  const values =
    typeof additionalProperties === "object" && !properties
      ? childrenOf(document, additionalProperties, within)
      : [];
  return [...own, ...parts, ...values];
}

function fieldOf(
  document: ApiDocument,
  name: string,
  schema: ApiSchema,
  required: boolean,
  seen: readonly string[],
): SchemaField {
  const whole = followReference(document, schema);
  const only = onlyAlternative(document, whole);
  return {
    name,
    type: describeType(document, schema),
    required,
    description: schema.description ?? whole.description ?? only.description ?? "",
    limits: describeLimits({ ...only, ...whole }),
    values: [...(whole.enum ?? only.enum ?? itemsEnum(document, whole) ?? [])]
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value)),
    children: childrenOf(document, schema, seen),
  };
}

/**
 * Each alternative under the value that tells it apart, its title or name, or a number. Those
 * without fields are told by the type alone.
 */
function variantsOf(
  document: ApiDocument,
  alternatives: ApiSchema[],
  seen: readonly string[],
): SchemaField[] {
  return alternatives.flatMap((part, index) => {
    const whole = followReference(document, part);
    const children = childrenOf(document, part, seen);
    if (children.length === 0) return [];
    const name = String(
      whole.properties?.type?.const ??
        whole.title ??
        part.$ref?.split("/").at(-1) ??
        `kind ${index + 1}`,
    );
    return [
      {
        name,
        type: "object",
        required: false,
        description: whole.description ?? "",
        limits: [],
        values: [],
        children,
      },
    ];
  });
}

/** Of a value that may be null, the other thing that it may be. */
function onlyAlternative(document: ApiDocument, { anyOf, oneOf }: ApiSchema): ApiSchema {
  const [only, ...more] = (anyOf ?? oneOf ?? []).filter((each) => each.type !== "null");
  return only && more.length === 0 ? followReference(document, only) : {};
}

function itemsEnum(document: ApiDocument, { items }: ApiSchema): unknown[] | undefined {
  return items && followReference(document, items).enum;
}

function describeType(document: ApiDocument, schema: ApiSchema): string {
  const { type, format, items, anyOf, oneOf, allOf, properties, additionalProperties, ...rest } =
    followReference(document, schema);
  if ("const" in rest) return JSON.stringify(rest.const);
  const alternatives = anyOf ?? oneOf;
  if (alternatives)
    return [...new Set(alternatives.map((each) => describeType(document, each)))].join(" or ");
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") return items ? `array of ${describeType(document, items)}` : "array";
  if (type === "object" || allOf || properties)
    return typeof additionalProperties === "object" &&
      !properties &&
      Object.keys(additionalProperties).length > 0
      ? `map of ${describeType(document, additionalProperties)}`
      : "object";
  if (!type) return rest.enum ? "string" : "any";
  return format ? `${type} (${format})` : type;
}

/** What a value must keep to besides its type, in words. */
function describeLimits(schema: ApiSchema): string[] {
  const {
    minimum,
    exclusiveMinimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    pattern,
    writeOnly,
  } = schema;
  const limits = [
    range(minLength, maxLength, "characters"),
    range(minItems, maxItems, "items"),
    range(minimum, maximum, ""),
    exclusiveMinimum === undefined ? "" : `more than ${exclusiveMinimum}`,
    // A format's own pattern says nothing that the format does not.
    pattern && !schema.format ? `pattern ${pattern}` : "",
    "default" in schema ? `default ${JSON.stringify(schema.default)}` : "",
    writeOnly ? "never returned" : "",
  ];
  return limits.filter((limit) => limit !== "");
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  // The widest integer of JSON is no limit to speak of.
  const least = from === undefined || from <= Number.MIN_SAFE_INTEGER ? undefined : from;
  const most = to === undefined || to >= Number.MAX_SAFE_INTEGER ? undefined : to;
  if (least === undefined && most === undefined) return "";
  const text = (value: number) => value.toLocaleString("en-US");
  if (least === undefined) return `at most ${text(most ?? 0)} ${unit}`.trim();
  if (most === undefined) return `at least ${text(least)} ${unit}`.trim();
  return `${text(least)}–${text(most)} ${unit}`.trim();
}

/** An error that an operation may answer with. */
export interface OperationError {
  status: string;
  code: string;
  description: string;
}

interface ReferenceHeader {
  name: string;
  description: string;
}

/** A success that an operation may answer with. */
export interface ReferenceAnswer {
  status: string;
  description: string;
  headers: ReferenceHeader[];
  contents: { mediaType: string; schema: ApiSchema; examples: unknown[] }[];
}

/** Headers of every answer; the guide tells of them once. */
const EVERYWHERE = /^(X-Request-Id|RateLimit|RateLimit-Policy|X-RateLimit-.*)$/;

/** What an operation answers: its successes, and each error code under its status. */
export function listAnswers(
  document: ApiDocument,
  { source }: ReferenceOperation,
): { answers: ReferenceAnswer[]; errors: OperationError[] } {
  const responses = Object.entries(source.responses).map(([status, response]) => ({
    status,
    response: followReference(document, response),
  }));
  return {
    answers: responses
      .filter(({ status }) => status.startsWith("2"))
      .map(({ status, response }) => answerOf(document, status, response)),
    errors: responses
      .filter(({ status }) => !status.startsWith("2"))
      .flatMap(({ status, response }) => errorsOf(document, status, response)),
  };
}

function answerOf(
  document: ApiDocument,
  status: string,
  { description = "", headers = {}, content = {} }: ApiResponse,
): ReferenceAnswer {
  return {
    status,
    description,
    headers: Object.entries(headers)
      .filter(([name]) => !EVERYWHERE.test(name))
      .map(([name, header]) => ({
        name,
        description: followReference(document, header).description ?? "",
      })),
    contents: Object.entries(content).map(([mediaType, { schema = {}, examples = {} }]) => ({
      mediaType,
      schema,
      examples: Object.values(examples).map((example) => followReference(document, example).value),
    })),
  };
}

/** The body of an error is that of one code, or one of several. */
function errorsOf(
  document: ApiDocument,
  status: string,
  { content = {} }: ApiResponse,
): OperationError[] {
  const schema = followReference(document, content["application/json"]?.schema ?? {});
  return (schema.oneOf ?? [schema]).flatMap((body) => {
    const { allOf = [], description = "" } = followReference(document, body);
    const code = allOf
      .map((part) => part.properties?.error?.const)
      .find((value) => typeof value === "string");
    return typeof code === "string" ? [{ status, code, description }] : [];
  });
}

/** What a program, or its author, does about each code. */
export const ERROR_ADVICE: Record<ErrorCode, string> = {
  INVALID_INPUT:
    "Correct the places that `details` names, then send it again. Repeating it as it is " +
    "changes nothing.",
  AUTHENTICATION_REQUIRED:
    "Send `Authorization: Bearer <key>` with a key that works: `svc_sk_…` on `/v1`, " +
    "`appapi_…` on the app path.",
  INSUFFICIENT_CREDITS:
    "Compare `available` with `required`; ask the operator for credits, or lower `max_credits`.",
  FORBIDDEN: "Read the message: it says what is missing. Repeating it as it is changes nothing.",
  ACCOUNT_BLOCKED: "Ask the operator. Reading still works; do not retry.",
  SUPER_AGENT_ACCESS_DENIED: "Ask the operator to put the account on the allowlist.",
  NOT_FOUND: "Check the path against this reference: a typing error, or a route that is not there.",
  AGENT_NOT_FOUND: "Check the id, and that the key is of the account that owns the agent.",
  APP_NOT_FOUND: "Use the id of the agent that the app key was made for.",
  APPROVAL_NOT_FOUND: "List the approvals; the id may be of another account.",
  CONNECTION_NOT_FOUND:
    "List the account's connections: this one was deleted, or is another account's.",
  CONVERSATION_NOT_FOUND:
    "Leave `conversation_id` out to begin one, or continue one that runs of this kind began.",
  DELIVERY_NOT_FOUND: "List the deliveries of the run.",
  ENDPOINT_NOT_FOUND: "List the webhook endpoints.",
  FILE_NOT_FOUND:
    "List the workspace's files; the file may be deleted, or lie in another workspace.",
  RUN_NOT_FOUND:
    "Check the id. Super-agent runs are found under `/v1/super-agent/runs` alone, app runs " +
    "also on the app path.",
  SCHEDULE_NOT_FOUND: "List the agent's schedules.",
  MEMORY_NOT_FOUND: "List the agent's memories.",
  CASE_NOT_FOUND: "List the agent's cases.",
  SECRET_NOT_FOUND: "List the secrets. `PUT` changes one that is there, `POST` makes one.",
  SKILL_NOT_FOUND: "List the skills.",
  TEMPLATE_NOT_FOUND: "List the templates.",
  VERSION_NOT_FOUND: "List the agent's versions.",
  WORKSPACE_NOT_FOUND:
    "Check the id, and assign the agent to the workspace where it has agents of its own.",
  END_USER_NOT_FOUND: "List the end users: nothing was ever started or kept for this one.",
  END_USER_ERASED: "Keep the receipt. A new run under the name begins a new person.",
  METHOD_NOT_ALLOWED: "Use one of the methods in `Allow`.",
  REQUEST_TIMEOUT: "Nothing was done. Send the request again, on a new connection.",
  CONFLICT:
    "Read the message, fetch the thing, and decide anew. Repeating it as it is changes nothing.",
  RUN_NOT_ACTIVE: "One that has ended stays as it is. Start a run with its `conversation_id`.",
  CONVERSATION_BUSY: "Wait for the conversation's run to end, then send it again.",
  IDEMPOTENCY_CONFLICT: "In flight: wait a moment and repeat. Another body: use a key of its own.",
  VERSION_CONFLICT:
    "Fetch the record, apply the change to what it says now, and send it with the new `ETag`.",
  PAYLOAD_TOO_LARGE: "Send less. What runs read belongs into files of a workspace.",
  RANGE_NOT_SATISFIABLE: "Ask for a range within the length that `Content-Range` names.",
  RATE_LIMITED: "Wait for `Retry-After` seconds, then back off with jitter.",
  INTERNAL_ERROR:
    "Repeat what is safe to repeat, with backoff. If it stays, tell the operator the " +
    "`X-Request-Id`.",
  SERVICE_UNAVAILABLE:
    "Nothing was accepted. Repeat it with backoff, a start with the same `Idempotency-Key`.",
};
