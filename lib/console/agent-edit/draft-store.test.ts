import { expect, test } from "vitest";
import { DraftStore } from "@/lib/console/agent-edit/use-agent-draft";

const DRAFT = { base: "a", text: "b", note: "" };

test("a draft stays the same until put again, and listeners hear of changes", () => {
  const store = new DraftStore();
  let heard = 0;
  const leave = store.subscribe(() => {
    heard += 1;
  });
  store.put("one/skill_content", DRAFT);
  expect(store.find("one/skill_content")).toBe(DRAFT);
  store.drop("one/skill_content");
  store.drop("one/skill_content");
  expect(store.find("one/skill_content")).toBeNull();
  expect(heard).toBe(2);
  leave();
  store.put("one/skill_content", DRAFT);
  expect(heard).toBe(2);
});

test("the drafts of one agent are told apart from those of another", () => {
  const store = new DraftStore();
  for (const name of ["one/skill_content", "two/config_content", "one/config_content"])
    store.put(name, DRAFT);
  expect(store.names("one/")).toBe("one/skill_content\none/config_content");
  expect(store.names("three/")).toBe("");
});
