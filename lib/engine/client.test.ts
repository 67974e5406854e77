import { expect, test } from "vitest";
import { eventData } from "@/lib/engine/client";
import { NonRetriableError } from "@/lib/engine/functions";

const RUN = "01a20548-0d99-7f64-9921-d7347d961963";

test("what an event carries is read by the schema of its name", () => {
  expect(
    eventData("run/accepted", { data: { run_id: RUN, account_id: RUN, inngest: {} } }),
  ).toEqual({ run_id: RUN, account_id: RUN });
});

test("an event of somebody else's making is told by name and field, and not tried again", () => {
  const read = () => eventData("run/accepted", { data: { run_id: "7", account_id: RUN } });
  expect(read).toThrow(NonRetriableError);
  expect(read).toThrow(/run\/accepted[\s\S]*run_id/);
});
