import { expect, test } from "vitest";
import type { ProductProfile } from "@/lib/client/schemas";
import {
  profileValuesSchema,
  toProductProfile,
  toProfileValues,
} from "@/lib/console/profile-values";

const FULL: ProductProfile = {
  name: "Harbour Coffee",
  tagline: null,
  description: "Coffee.\nBy subscription.",
  audience: null,
  tone: "Warm",
  instructions: null,
  brand: { colors: ["#0b3d4f", "teal"], logo_url: null },
  links: [
    "https://example.com",
    { url: "https://example.com/help", title: "Help desk", note: "for customers" },
    { url: "https://example.com/x" },
  ],
};

test("an untouched profile is saved as it was, with its links' hidden texts", () => {
  const saved = toProductProfile(toProfileValues(FULL), FULL);
  expect(saved).toEqual({ ...FULL, links: [...FULL.links.slice(0, 2), "https://example.com/x"] });
});

test("what is emptied becomes null, and lines without words are no entries", () => {
  const values = { ...toProfileValues(FULL), name: "  ", colors: "\n red \n\n", links: " \n" };
  expect(toProductProfile(values, FULL)).toMatchObject({
    name: null,
    brand: { colors: ["red"] },
    links: [],
  });
});

test("a link that is no web address is refused at its field, and so is a logo's", () => {
  const values = {
    ...toProfileValues(FULL),
    links: "https://example.com Home\njavascript:alert(1)",
    logo_url: "logo.png",
  };
  const problems = profileValuesSchema
    .safeParse(values)
    .error?.issues.map(({ path, message }) => [path[0], message]);
  expect(problems).toEqual([
    ["logo_url", expect.stringContaining("https://")],
    ["links", expect.stringContaining("javascript:alert(1)")],
  ]);
});
