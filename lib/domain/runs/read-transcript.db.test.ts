import { afterAll, beforeAll, expect, test } from "vitest";
import { readTranscript } from "@/lib/domain/runs/read-transcript";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("a transcript is each turn's words and tools' names, in order, no data", async () => {
  const runId = newId();
  await database.pool.query(
    `INSERT INTO runs (id, account_id, kind, status, input, model)
     VALUES ($1, $2, 'agent', 'completed', '{}', 'm')`,
    [runId, (await database.account()).accountId],
  );
  const turns: [number, object[]][] = [
    [1, [{ type: "text", text: "second" }]],
    [
      0,
      [
        { type: "reasoning", text: "hidden" },
        { type: "text", text: "first" },
        { type: "tool-call", toolCallId: "c", toolName: "look", input: { secret: 1 } },
      ],
    ],
  ];
  for (const [turn, content] of turns)
    await database.pool.query(
      `INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason)
       VALUES ($1, $2, $3, 'm', $4, 'stop')`,
      [runId, turn, newId(), JSON.stringify(content)],
    );
  expect(await readTranscript(runId)).toBe("first\n\n[tool: look]\n\nsecond");
});
