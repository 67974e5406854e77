import { describe, expect, it } from "vitest";
import { ConsoleError } from "@/lib/console/console-error";
import { type FollowState, followRun } from "@/lib/console/follow-run";
import type { RunEvent } from "@/lib/model/run/run-event";

const RUN = "01936b2e-7c4a-7d3e-9f10-2a5c8e4b1f77";

function line(sequence: number, type = "output_text.delta"): string {
  return `${JSON.stringify({ type, sequence_number: sequence, run_id: RUN, created_at: "2026-01-01T00:00:00.000Z", message_id: "m", delta: String(sequence) })}\n`;
}

interface Scene {
  /** What each connection says before it ends; an error is thrown instead. */
  connections: (string[] | Error)[];
  over?: boolean;
  open?: () => Promise<Response>;
}

async function play({ connections, over = false, open }: Scene) {
  const seen: number[] = [];
  const asked: string[] = [];
  const states: FollowState[] = [];
  const waits: number[] = [];
  const following = followRun({
    runId: open ? null : RUN,
    open,
    signal: new AbortController().signal,
    onEvent: (event: RunEvent) => seen.push(event.sequence_number),
    onState: (state) => states.push(state),
    request: async (path) => {
      asked.push(path);
      const next = connections.shift();
      if (next === undefined) throw new Error("no connection is left in this scene");
      if (next instanceof Error) throw next;
      return new Response(next.join(""));
    },
    isOver: async () => over,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      if (waits.length > 50) throw new Error("it would try for ever");
    },
  });
  const error: unknown = await following.then(
    () => null,
    (failure: unknown) => failure,
  );
  return { seen, asked, states, waits, error };
}

describe("following a run", () => {
  it("delivers each event once and in order across broken connections, taking up after the last number seen", async () => {
    const { seen, asked, states, error } = await play({
      connections: [
        [line(0, "run.created"), line(1), '{"type":"pi'],
        new ConsoleError("OFFLINE", "gone", 0),
        [line(1), line(2)],
        [line(3, "run.completed"), line(4)],
      ],
    });
    expect(error).toBeNull();
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(asked.map((path) => path.split("starting_after=")[1])).toEqual(["-1", "1", "1", "2"]);
    expect(states.at(-1)).toBe("ended");
    expect(states).toContain("reconnecting");
  });

  it("passes over pings and takes an error line for the end of the connection, not of the run", async () => {
    const ping = `${JSON.stringify({ type: "ping", run_id: RUN })}\n`;
    const broken = `${JSON.stringify({ type: "error", sequence_number: 1, run_id: RUN, code: "INTERNAL_ERROR", message: "x" })}\n`;
    const { seen } = await play({ connections: [[ping, line(0), broken, line(1)], [line(1, "run.failed")]] });
    expect(seen).toEqual([0, 1]);
  });

  it("waits longer after each failure, up to ten seconds, and tries again on 429 and 503", async () => {
    const refusal = (status: number) => new ConsoleError("X", "no", status);
    const { waits, error } = await play({
      connections: [...Array.from({ length: 8 }, (_, index) => refusal(index % 2 ? 429 : 503)), [line(0, "run.completed")]],
    });
    expect(error).toBeNull();
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  });

  it("stops at a final refusal", async () => {
    const { error, asked } = await play({ connections: [new ConsoleError("RUN_NOT_FOUND", "no such run", 404)] });
    expect(error).toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(asked).toHaveLength(1);
  });

  it("ends when the log is gone and the run is over, and goes on when it is not", async () => {
    expect((await play({ connections: [[]], over: true })).states.at(-1)).toBe("ended");
    expect((await play({ connections: [[], [line(0, "run.completed")]] })).seen).toEqual([0]);
  });

  it("does not start a run twice: a realtime run is resumed by its log, and one that was refused is not tried again", async () => {
    let opened = 0;
    const open = async () => {
      opened += 1;
      return new Response(line(0, "run.created") + line(1));
    };
    const resumed = await play({ open, connections: [[line(2, "run.completed")]] });
    expect(resumed.seen).toEqual([0, 1, 2]);
    expect(resumed.asked[0]).toContain(`${RUN}/events?starting_after=1`);
    expect(opened).toBe(1);
    const refused = await play({ open: () => Promise.reject(new ConsoleError("OFFLINE", "gone", 0)), connections: [] });
    expect(refused.error).toMatchObject({ code: "OFFLINE" });
  });
});
