"use client";
import { useEffect } from "react";
import { type RunStream, useRunStream } from "@/lib/console/transcript/use-run-stream";

/** Follows the run of this id from mount on. */
export function useFollowRun(runId: string): RunStream {
  const stream = useRunStream();
  const { follow } = stream;
  useEffect(() => follow(runId), [follow, runId]);
  return stream;
}
