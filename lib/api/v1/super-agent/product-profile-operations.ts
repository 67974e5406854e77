import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import {
  findProductProfile,
  replaceProductProfile,
} from "@/lib/domain/super-agent/product-profile";
import { NAME_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

const SENTENCE_MAX_CHARACTERS = 1000;
const TEXT_MAX_CHARACTERS = 20_000;
const URL_MAX_CHARACTERS = 2048;
const ENTRIES_MAX = 50;

const text = (max: number) => textOf(max).nullable().default(null);
const url = textOf(URL_MAX_CHARACTERS)
  .refine(
    (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
    "must be an http or https URL",
  )
  .meta({ format: "uri" });

const link = z.union(
  [
    url,
    z
      .object({ url })
      .catchall(textOf(SENTENCE_MAX_CHARACTERS).nullable())
      .refine((value) => Object.keys(value).length <= 8, "may have at most 8 properties"),
  ],
  "must be an http or https URL, or an object with such a url",
);

const brand = z.strictObject({
  colors: z
    .array(textOf(64, { min: 1, message: "must have 1 to 64 characters" }))
    .max(ENTRIES_MAX, `may have at most ${ENTRIES_MAX} entries`)
    .default([]),
  logo_url: url.nullable().default(null),
});

/** The whole profile: what a PUT leaves out becomes null, `colors` and `links` empty. */
const productProfileSchema = z
  .strictObject({
    name: text(NAME_MAX_CHARACTERS),
    tagline: text(SENTENCE_MAX_CHARACTERS),
    description: text(TEXT_MAX_CHARACTERS),
    audience: text(TEXT_MAX_CHARACTERS),
    tone: text(TEXT_MAX_CHARACTERS),
    instructions: text(TEXT_MAX_CHARACTERS),
    brand: brand.default({ colors: [], logo_url: null }),
    links: z
      .array(link)
      .max(ENTRIES_MAX, `may have at most ${ENTRIES_MAX} entries`)
      .default([])
      .meta({
        description: "Each a URL, or an object with `url` and texts of your own, such as `title`.",
      }),
  })
  .meta({
    id: "ProductProfile",
    description: "Persona and brand of the account's product; the super-agent knows it.",
  });

const EXAMPLE_PROFILE = {
  name: "Harbour Coffee",
  tagline: "Beans by the tide",
  description: "Coffee by subscription, roasted on the quay.",
  audience: "People who drink coffee at home",
  tone: "Warm and short",
  instructions: "Never promise a delivery date.",
  brand: { colors: ["#0b3d4f", "#f2a541"], logo_url: "https://example.com/logo.svg" },
  links: ["https://example.com", { url: "https://example.com/help", title: "Help" }],
};

const getProductProfileOperation = operation({
  method: "GET",
  path: "/v1/product-profile",
  operationId: "getProductProfile",
  tag: "Super-agent",
  summary: "Fetch the product profile",
  description: "Everything is null, and the lists empty, before the first PUT.",
  superAgent: true,
  responses: [
    {
      status: 200,
      description: "The profile.",
      schema: productProfileSchema,
      examples: { profile: EXAMPLE_PROFILE },
    },
  ],
  errors: [],
  async handle({ principal }) {
    const profile = await findProductProfile(principal.accountId);
    return { status: 200, body: profile ?? productProfileSchema.parse({}) };
  },
});

const putProductProfileOperation = operation({
  method: "PUT",
  path: "/v1/product-profile",
  operationId: "putProductProfile",
  tag: "Super-agent",
  summary: "Replace the product profile",
  description: "Replaces the whole: what is left out becomes null, `links` and `colors` empty.",
  superAgent: true,
  hourlyWrite: true,
  body: productProfileSchema,
  examples: { profile: EXAMPLE_PROFILE },
  responses: [
    {
      status: 200,
      description: "The profile.",
      schema: productProfileSchema,
      examples: { profile: EXAMPLE_PROFILE },
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await replaceProductProfile(principal, body);
    return { status: 200, body };
  },
});

export const PRODUCT_PROFILE_OPERATIONS: Operation[] = [
  getProductProfileOperation,
  putProductProfileOperation,
];
