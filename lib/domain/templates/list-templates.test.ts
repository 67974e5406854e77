import { expect, test } from "vitest";
import { getTemplate, listTemplates } from "@/lib/domain/templates/list-templates";
import { templates } from "@/lib/templates/templates";

const names = (page: { data: { name: string }[] }) => page.data.map(({ name }) => name);

test("pages of templates are in the order of their offer, each once, the last one whole", () => {
  const all = names({ data: [...templates()] });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = listTemplates({ limit: 10, cursor });
    seen.push(...names(page));
    cursor = page.nextCursor;
  } while (cursor !== null && seen.length <= all.length);
  expect(seen).toEqual(all);
  expect(listTemplates({ limit: all.length, cursor: null }).nextCursor).toBeNull();
});

test("a category leaves the others out, also after a cursor", () => {
  const first = listTemplates({ limit: 1, cursor: null, category: "data" });
  const rest = listTemplates({ limit: 100, cursor: first.nextCursor, category: "data" });
  const wanted = templates().filter(({ category }) => category === "data");
  expect([...names(first), ...names(rest)]).toEqual(wanted.map(({ name }) => name));
});

test("an unknown cursor and an unknown name are refused", () => {
  expect(() => listTemplates({ limit: 10, cursor: "bm9uZQ" })).toThrow(
    expect.objectContaining({ code: "INVALID_INPUT" }),
  );
  expect(() => getTemplate("none")).toThrow(
    expect.objectContaining({ code: "TEMPLATE_NOT_FOUND" }),
  );
  expect(getTemplate("support-triage").title).toBe("Support triage");
});
