import { expect, test } from "vitest";
import { envSchema, variablesOfProviders } from "@/lib/env";
import { createOperatorRedactor } from "@/lib/platform/redact-operator";
import { builtin } from "@/lib/runtime/models/providers/builtin";
import { defineProvider } from "@/lib/runtime/models/providers/provider-adapter";
import { PROVIDERS, providerOf, VENDORS } from "@/lib/runtime/models/providers/providers";

const variables = PROVIDERS.flatMap((provider) => Object.keys(provider.variables));

test("no two providers share an id or a variable, nor one with the service", () => {
  expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
  expect(new Set(variables).size).toBe(variables.length);
  const given = envSchema.parse(Object.fromEntries(variables.map((name) => [name, "set"])));
  expect(Object.keys(variablesOfProviders(given)).sort()).toEqual(variables.toSorted());
});

test("each provider is switched on by what it says, and by nothing of another one", () => {
  const rest = PROVIDERS.filter((provider) => provider !== builtin);
  for (const { setUp } of rest) {
    const env = envSchema.parse(Object.fromEntries(setUp.map((name) => [name, "http://h/v1"])));
    expect(rest.filter((each) => each.isOn(env)).map((each) => each.setUp)).toEqual([setUp]);
  }
  expect(rest.filter(({ isOn }) => isOn(envSchema.parse({})))).toEqual([]);
});

test("keys and addresses of every provider are kept out of what others read", () => {
  const secret = variables.filter((name) => /_(API_KEY|BASE_URL)$/.test(name));
  expect(secret.length).toBeGreaterThanOrEqual(2 * VENDORS.length);
  for (const name of secret) {
    const operator = createOperatorRedactor(envSchema.parse({ [name]: "kept-to-the-operator" }));
    expect(operator.redact("it said kept-to-the-operator here"), name).not.toContain("operator");
  }
});

test("a provider is found by the whole of an id before its first slash", () => {
  expect(providerOf("openai/gpt-5.1")?.id).toBe("openai");
  expect(providerOf("compatible/a/b")?.id).toBe("compatible");
  for (const id of ["openai", "open/ai", "/x", "", "constructor/x"])
    expect(providerOf(id)).toBeNull();
});

test("what ends in _MODELS is read as a comma list, and each environment by itself", () => {
  const { create: _create, windows: _windows, ...shape } = builtin;
  const acme = defineProvider({
    ...shape,
    id: "acme",
    variables: { ACME_API_KEY: "", ACME_MODELS: "" },
    isOn: ({ ACME_API_KEY }) => ACME_API_KEY === "a, b",
    create: () => {
      throw new Error("no model is asked for");
    },
    vendor: { namedBy: "ACME_MODELS", list: async () => ({ models: [], next: null }) },
    models: () => [],
    media: () => [],
  });
  const on = envSchema.parse({ ACME_API_KEY: "a, b", ACME_MODELS: " one, ,two " });
  expect([acme.isOn(on), acme.vendor?.named(on)]).toEqual([true, ["one", "two"]]);
  expect(acme.isOn(envSchema.parse({}))).toBe(false);
});
