import { expect, test } from "vitest";
import { checkConfigDraft, insertHttpTools } from "@/lib/console/config/config-draft";

const tool = (name: string, url = `https://shop.example.com/${name}`) => ({
  name,
  method: "GET" as const,
  url,
  input_schema: { type: "object" },
});

const TEXT = `# What it may do.
version: 1
model: builtin/offline   # cheap
tools:
  http:
    # Written by hand.
    - {name: old, method: GET, url: "https://shop.example.com/old", input_schema: {type: object}}
limits:
  max_steps: 4
`;

test("tools are put behind those there, and the rest stays as written", () => {
  const text = insertHttpTools(TEXT, [tool("orders"), tool("stock")]) ?? "";
  for (const line of TEXT.split("\n")) expect(text.split("\n")).toContain(line);
  expect(checkConfigDraft(text).config?.tools?.http?.map(({ name }) => name)).toEqual([
    "old",
    "orders",
    "stock",
  ]);
});

test("a tool of the same name takes the old one's place, a config without tools gets them", () => {
  const text = insertHttpTools(TEXT, [tool("old", "https://shop.example.com/v2/old")]) ?? "";
  expect(checkConfigDraft(text).config?.tools?.http).toMatchObject([
    { name: "old", url: "https://shop.example.com/v2/old" },
  ]);
  const bare = insertHttpTools("version: 1 # the format\n", [tool("orders")]) ?? "";
  expect(bare).toContain("# the format");
  expect(checkConfigDraft(bare).config?.tools?.http).toHaveLength(1);
});

test("into a text with an error nothing is put", () => {
  expect(insertHttpTools("version: 1\nmodel: [", [tool("orders")])).toBeNull();
});
