import "server-only";
import { writeSync } from "node:fs";
import { env } from "@/lib/env";
import { definePart } from "@/lib/service";

/**
 * The places between two writes of a run's life where a process may die. Each is passed by the
 * scenario that `e2e/faults/failpoints.spec.ts` has for the part of its name before the dot, and
 * the tests read this list as text: a name without a call fails there.
 */
export const FAILPOINTS = [
  // A run is accepted, and whoever asked for it has no answer.
  "accept.committed",
  // A process has taken a run, and done nothing of it.
  "run.claimed",
  // A model call is paid for and not made; has said words that are stored; has ended, with nothing
  // of it stored as a turn; is stored and charged, with what the engine does next.
  "turn.covered",
  "turn.words-stored",
  "turn.spoken",
  "turn.stored",
  // A tool is about to be called; was called, and its result is nowhere; its result is stored.
  "tool.started",
  "tool.called",
  "tool.stored",
  // The end of a run that others wait for is written and not committed; committed, and nobody was
  // told.
  "end.written",
  "end.committed",
  // A delivery is taken; the receiver has answered, and that is stored nowhere; it is stored, and
  // the engine does not know.
  "delivery.claimed",
  "delivery.sent",
  "delivery.stored",
  // A run is cancelled, and whoever works on it was not told; and was told.
  "cancel.committed",
  "cancel.told",
  // The engine waits, and nobody was asked; a person was asked; has decided, and the engine was not
  // told.
  "approval.waiting",
  "approval.asked",
  "approval.decided",
  // The engine waits, and the caller was not asked; was asked; has posted the results, and the
  // engine was not told.
  "client.waiting",
  "client.asked",
  "client.answered",
  // The engine waits, and the run does not yet say that it lacks credits; says so; its limit was
  // raised, and the engine was not told.
  "budget.waiting",
  "budget.asked",
  "budget.raised",
  // A message is accepted, and whoever sent it has no answer; a turn has read it and not shown it;
  // has shown it, and its model was not called.
  "message.accepted",
  "message.waiting",
  "message.received",
  // A child was accepted, and its parent does not know.
  "child.accepted",
  // A person is to be erased, and whoever asked for it has no answer; rows of their runs are gone,
  // and the bytes that those named are not; bytes are gone, and the row that says so is not.
  "erase.marked",
  "erase.rows-removed",
  "erase.bytes-removed",
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];

interface Armed {
  name: string;
  /** Passings that are still to come, the last one included. */
  left: number;
}

const armedPoint = definePart("failpoint", () => readFailpoint(env().FAILPOINT));

/**
 * Ends this process as kill -9 does, at the nth passing of the place that `FAILPOINT=name[:n]`
 * names; for the tests of faults. Unset, it is one look-up and one comparison.
 */
export function failpoint(name: Failpoint): void {
  const armed = armedPoint();
  if (armed === null || armed.name !== name) return;
  armed.left -= 1;
  if (armed.left > 0) return;
  // Not by the log: nothing of it would be written any more.
  writeSync(process.stderr.fd, `FAILPOINT ${name}: this process ends here.\n`);
  process.kill(process.pid, "SIGKILL");
}

function readFailpoint(text: string): Armed | null {
  if (text === "") return null;
  const [name = "", passing = "1"] = text.split(":");
  return { name, left: Number(passing) };
}
