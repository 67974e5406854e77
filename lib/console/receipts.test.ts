import { expect, test } from "vitest";
import { outsideSentence, type RunAction, toReceipts } from "@/lib/console/receipts";

function action(
  tool: string,
  kind: RunAction["kind"],
  status: RunAction["status"] = "succeeded",
): RunAction {
  const rest = { approval_id: null, artifact_ids: [], at: "2026-01-31T09:30:01.904Z" };
  return { action_id: `${tool}-${status}`, tool, kind, target: tool, status, ...rest };
}

function sentence(actions: RunAction[], isTruncated = false): string {
  return outsideSentence(toReceipts(actions), isTruncated);
}

test("what is kept within the service is no write outside, an agent's run is one", () => {
  const { outside, inside, read } = toReceipts([
    action("files_write", "write"),
    action("create_ticket", "write"),
    action("web_fetch", "read"),
    action("run_agent", "write"),
  ]);
  expect(inside.map(({ tool }) => tool)).toEqual(["files_write"]);
  expect(outside.map(({ tool }) => tool)).toEqual(["create_ticket", "run_agent"]);
  expect(read.map(({ tool }) => tool)).toEqual(["web_fetch"]);
});

test("that a run wrote nothing outside is said only where no write took effect", () => {
  expect(sentence([])).toBe("It wrote nothing outside.");
  expect(sentence([action("artifacts", "write"), action("web_fetch", "read")])).toBe(
    "It wrote nothing outside.",
  );
  expect(sentence([action("pay", "write", "refused"), action("pay", "write", "failed")])).toBe(
    "It wrote nothing outside: no write that it tried succeeded.",
  );
  expect(sentence([action("pay", "write")])).toBe("It wrote outside once.");
  expect(sentence([action("pay", "write"), action("pay", "write")])).toBe(
    "It wrote outside 2 times.",
  );
});

test("a write without an answer is told before all else", () => {
  expect(sentence([action("pay", "write"), action("pay", "write", "unknown")])).toBe(
    "One write outside got no answer: it may have taken effect or not.",
  );
});

test("calls that are not shown are not answered for", () => {
  expect(sentence([action("web_fetch", "read")], true)).toBe(
    "It wrote nothing outside in the calls that are shown.",
  );
});
