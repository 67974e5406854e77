import { describe, expect, test } from "vitest";
import { z } from "zod";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/console-surface";
import { parseWith } from "@/lib/api/http/parse-with";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import type { ServiceError } from "@/lib/model/errors";

const WITH_BODIES = [...V1_OPERATIONS, ...APP_OPERATIONS, ...CONSOLE_OPERATIONS].flatMap(
  ({ operationId, body, examples }) =>
    body === undefined ? [] : [{ operationId, body, examples: Object.values(examples ?? {}) }],
);

function refusal(operationId: string, value: unknown): string {
  const found = WITH_BODIES.find((each) => each.operationId === operationId);
  if (!found) throw new Error(`There is no operation ${operationId} with a body.`);
  return messageOf(() => parseWith(found.body, value, { examples: found.examples }));
}

function messageOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    return (error as ServiceError).message; // nothing else is thrown
  }
  return "(taken)";
}

test.each(["toString", "constructor", "hasOwnProperty", "surprise"])(
  "a property that is not taken is named with a text of ours: %s",
  (key) => {
    try {
      parseWith(z.strictObject({}), { [key]: 1 });
      expect.unreachable();
    } catch (error) {
      expect((error as ServiceError).extras.details).toEqual([
        { path: key, message: "is not a property of this request" },
      ]);
    }
  },
);

test.each<[string, z.ZodType, unknown, string]>([
  ["a single choice", z.enum(["only"]), "x", "must be only"],
  ["a choice", z.enum(["a", "b"]), "x", "must be one of a, b"],
  ["a text of one character at least", z.string().min(1), "", "must have at least 1 character"],
  ["a text of two characters at least", z.string().min(2), "", "must have at least 2 characters"],
  [
    "a list of one item at most",
    z.array(z.string()).max(1),
    ["a", "b"],
    "must have at most 1 item",
  ],
  ["a number with a least", z.number().min(5), 4, "must be at least 5"],
  ["a number above another", z.number().gt(5), 5, "must be more than 5"],
  ["a number below another", z.number().lt(5), 5, "must be less than 5"],
])("%s says in its sentence what it takes", (_, schema, value, sentence) => {
  const message = messageOf(() => parseWith(z.object({ it: schema }), { it: value }));
  expect(message.split(", such as")[0]).toMatch(new RegExp(`^it: ${sentence}$`));
});

test.each([
  ["titel", "title"],
  ["titl", "title"],
  ["titles", "title"],
  ["tytle", "title"],
  ["subtitle", "title"],
  ["ti", null],
  ["tletie", null],
  ["tytlo", null],
])("of a property %s is said that %s was meant", (given, meant) => {
  const message = messageOf(() =>
    parseWith(z.strictObject({ title: z.string().optional() }), { [given]: "x" }),
  );
  if (meant === null) expect(message).not.toContain("did you mean");
  else expect(message).toContain(`did you mean ${meant}?`);
});

// What strangers send first.
const QUESTION = '{"question":"What were the best three months?"}';
test.each<[string, unknown, string]>([
  [
    "createRun",
    { input: "solar" },
    `input: must be an object of named inputs, such as ${QUESTION}`,
  ],
  ["createRun", {}, `input: is missing: it must be an object of named inputs, such as ${QUESTION}`],
  ["createRun", [], 'The body must be an object, such as {"input":{"request":"Add 17.5 and 4."}}'],
  [
    "createRun",
    { input: {}, agentId: "x" },
    "agentId: is not a property of this request: did you mean agent_id?",
  ],
  [
    "createRun",
    { input: {}, webhookUrl: "x" },
    "webhookUrl: is not a property of this request: did you mean webhook_url?",
  ],
  [
    "createRun",
    { input: {}, conversationId: "x" },
    "conversationId: is not a property of this request: did you mean conversation_id?",
  ],
  [
    "createRun",
    { input: {}, agnet_id: "x" },
    "agnet_id: is not a property of this request: did you mean agent_id?",
  ],
  [
    "createRun",
    { input: {}, thread_id: "x" },
    "thread_id: is not a property of this request: did you mean conversation_id?",
  ],
  [
    "createRun",
    { input: {}, inputs: {} },
    "inputs: is not a property of this request: put the named inputs into input",
  ],
  [
    "createRun",
    { input: {}, appId: "x" },
    "appId: is not a property of this request: name the agent in agent_id",
  ],
  [
    "createRun",
    { input: {}, mood: 1 },
    "mood: is not a property of this request, which takes agent_id, input, conversation_id, ",
  ],
  ["createRun", { input: {}, max_credits: "5" }, "max_credits: must be a number, such as 25"],
  ["createRun", { input: {}, max_credits: -1 }, "max_credits: must be more than 0"],
  ["createRun", { input: {}, metadata: { a: 1 } }, "metadata.a: must be a text"],
  ["createRun", { input: {}, agent_id: 5 }, 'agent_id: must be a uuid, such as "0'],
  ["createRun", { input: {}, should_notify: "yes" }, "should_notify: must be true or false"],
  [
    "createAgent",
    { prompt: "An agent" },
    "prompt: is not a property of this request: did you mean input?",
  ],
  ["createAgent", { input: { text: "x" } }, 'input: must be a text, such as "An agent that'],
  ["createWorkspace", {}, 'name: is missing: it must be a text, such as "Sales"'],
  [
    "updateAgent",
    { write_autonomy: "full" },
    "write_autonomy: must be one of full_auto, approval_required, blocked",
  ],
  ["putProductProfile", { brand: { colors: "red" } }, "brand.colors: must be a list, such as ["],
  [
    "createAppRun",
    { inputs: {}, webhook_url: "x" },
    "webhook_url: is not a property of this request: did you mean webhookUrl?",
  ],
  ["createAppRun", { input: {} }, "input: is not a property of this request: did you mean inputs?"],
])("%s of %j is answered with what to send instead", (operationId, body, message) => {
  expect(refusal(operationId, body)).toContain(message);
});

describe.each(WITH_BODIES)("the body of $operationId", ({ body, examples }) => {
  const names = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
  const parse = (value: unknown) => messageOf(() => parseWith(body, value, { examples }));

  test("names the property that was meant, however its words are joined", () => {
    for (const name of names) {
      const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split("_");
      const camel = words
        .map((word, index) =>
          index === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
        )
        .join("");
      for (const spelling of [camel, words.join("_"), words.join("-")])
        if (!names.includes(spelling))
          expect(parse({ [spelling]: null })).toContain(
            `${spelling}: is not a property of this request: did you mean ${name}?`,
          );
    }
  });

  test("says in plain words what each property must be, and repeats no value", () => {
    for (const name of names)
      for (const value of [
        "hush-86420",
        86_420,
        true,
        [["hush-86420"]],
        { hush: "hush-86420" },
        null,
        undefined,
      ]) {
        const message = parse({ [name]: value });
        expect(message, `${name}: ${JSON.stringify(value)}`).not.toMatch(
          /86420|expected|received|invalid input|too (small|big)|undefined|NaN/i,
        );
      }
  });
});
