import type { Artifact } from "@/lib/client/schemas";

/** One piece of a run's timeline. A block is never changed in place: a new object means that it has to be drawn again. */
export type Block =
  | { kind: "message"; id: string; text: string; done: boolean }
  | { kind: "thinking"; id: string; title: string; text: string; done: boolean }
  | { kind: "todo"; id: string; title: string; items: { id: string; text: string; done: boolean }[]; done: boolean }
  | { kind: "search"; id: string; title: string; items: { title: string; url: string }[]; done: boolean }
  | {
      kind: "tool";
      id: string;
      name: string;
      status: "running" | "succeeded" | "failed" | "stopped";
      startedAt: string;
      endedAt: string | null;
    }
  | { kind: "artifact"; id: string; artifact: Artifact }
  | {
      kind: "approval";
      id: string;
      toolName: string;
      summary: string;
      reason: string | null;
      decision: "approve" | "reject" | "expired" | null;
    };
