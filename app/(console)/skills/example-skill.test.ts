import { expect, it } from "vitest";
import { parseSkill } from "@/lib/model/skill/parse-skill";
import { EXAMPLE_SKILL } from "./example-skill";

it("is a skill that the service takes", () => {
  expect(parseSkill(EXAMPLE_SKILL)).toMatchObject({ ok: true, skill: { name: "invoice-check" } });
});
