import { describe, expect, it } from "vitest";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";
import { TEXT_WORK } from "@/lib/runtime/text-work/text-work";

const ask = (text: string) => ({
  prompt: [{ role: "user" as const, content: [{ type: "text" as const, text }] }],
});

describe("work on texts in threads of its own", () => {
  it("gives what the same work gives here", async () => {
    const question = ask("What is 6 * 7?");
    expect(await inTextWorker("offline-turn", question, { account: "a" })).toEqual(
      TEXT_WORK["offline-turn"](question),
    );
  });

  it("ends a text that takes too long, and goes on with the next", async () => {
    const late = inTextWorker("offline-turn", ask("Say it. ".repeat(900)), {
      account: "a",
      deadlineMs: 0,
    });
    await expect(late).rejects.toMatchObject({ name: TextWorkEnded.name, reason: "late" });
    const next = await inTextWorker("offline-turn", ask("What is 1 + 1?"), { account: "a" });
    expect(next).toBeTruthy();
  });

  it("gives no longer an answer than was asked for", async () => {
    const asked = inTextWorker("offline-turn", ask("Say it"), {
      account: "a",
      answerMaxCharacters: 10,
    });
    await expect(asked).rejects.toMatchObject({ reason: "long" });
  });

  it("keeps the code of a run's failure, and when aborted the signal's reason", async () => {
    const build = {
      ...ask("Do it"),
      prompt: [
        ...ask("Rename it to A").prompt,
        {
          role: "assistant" as const,
          content: [
            { type: "tool-call" as const, toolCallId: "1", toolName: "edit_agent", input: {} },
          ],
        },
      ],
      providerOptions: { lathe: { task: { kind: "edit", agent: "{}", models: [] }, account: "" } },
    };
    await expect(inTextWorker("offline-turn", build, { account: "a" })).rejects.toMatchObject({
      code: "AGENT_BUILD_FAILED",
    });
    const controller = new AbortController();
    const aborted = inTextWorker("offline-turn", ask("Say it. ".repeat(900)), {
      account: "a",
      signal: controller.signal,
    });
    controller.abort(new Error("stop"));
    await expect(aborted).rejects.toThrow("stop");
  });
});
