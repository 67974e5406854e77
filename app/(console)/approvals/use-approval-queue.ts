"use client";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Approval } from "@/lib/console/shapes/approval";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { PENDING_APPROVALS } from "./approval-filters";

const REFRESH_MILLISECONDS = 4_000;
type Pages = ReturnType<typeof useConsolePages<Approval>>;

interface ApprovalQueue {
  /** Oldest first; undefined until the first answer. */
  approvals: Approval[] | undefined;
  /** Ids of those that still wait. */
  waiting: ReadonlySet<string>;
  query: UseInfiniteQueryResult<Pages["data"], Error>;
}

/**
 * The approvals that wait, oldest first, kept up to date. What is settled meanwhile keeps its place and new ones come at the end:
 * nothing moves under the hand of somebody who is about to press a button.
 */
export function useApprovalQueue(): ApprovalQueue {
  const query = useConsolePages<Approval>(PENDING_APPROVALS, { refreshEvery: () => REFRESH_MILLISECONDS });
  const listed = useMemo(() => query.data?.pages.flatMap((page) => page.data), [query.data]);
  const [seen, setSeen] = useState<ReadonlyMap<string, Approval>>(new Map());
  useEffect(() => {
    if (listed) setSeen((before) => withRows(before, listed));
  }, [listed]);
  const approvals = listed && [...withRows(seen, listed).values()].sort(byAge);
  return { approvals, waiting: new Set(listed?.map((row) => row.approval_id)), query };
}

function withRows(before: ReadonlyMap<string, Approval>, rows: Approval[]): ReadonlyMap<string, Approval> {
  return new Map([...before, ...rows.map((row) => [row.approval_id, row] as const)]);
}

/** Ids begin with their time. */
function byAge(a: Approval, b: Approval): number {
  return a.approval_id < b.approval_id ? -1 : 1;
}
