import "server-only";
import type { Env } from "@/lib/env";

/**
 * Runs of one account that may work at once, unless the operator says otherwise for that account.
 */
export function runsAtWorkPerAccount({
  RUNS_AT_WORK_PER_ACCOUNT,
  WORKER_CONCURRENCY,
}: Env): number {
  return RUNS_AT_WORK_PER_ACCOUNT || share(WORKER_CONCURRENCY);
}

/**
 * Deliveries that a process makes at once: a receiver that hangs holds a place for ten seconds, and
 * never one of a run.
 */
export function deliveryPlaces({ WORKER_CONCURRENCY }: Env): number {
  return Math.max(8, share(WORKER_CONCURRENCY));
}

/** Deliveries at once of one account, and to one host. */
export function deliveriesAtOnce(env: Env): number {
  return share(deliveryPlaces(env));
}

/** A quarter, so that no one account takes what all share. */
function share(places: number): number {
  return Math.max(1, Math.floor(places / 4));
}
