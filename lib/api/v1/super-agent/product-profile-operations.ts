import "server-only";
import { type Operation, operation } from "@/lib/api/http/operation";
import { productProfileSchema } from "@/lib/api/v1/super-agent/product-profile-schema";
import { findProductProfile, replaceProductProfile } from "@/lib/domain/super-agent/product-profile";

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
  responses: [{ status: 200, description: "The profile.", schema: productProfileSchema, examples: { profile: EXAMPLE_PROFILE } }],
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
  responses: [{ status: 200, description: "The profile.", schema: productProfileSchema, examples: { profile: EXAMPLE_PROFILE } }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await replaceProductProfile(principal, body);
    return { status: 200, body };
  },
});

export const PRODUCT_PROFILE_OPERATIONS: Operation[] = [getProductProfileOperation, putProductProfileOperation];
