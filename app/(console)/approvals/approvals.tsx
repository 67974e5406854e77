"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Segmented } from "@/components/ui/segmented";
import { APPROVAL_FILTERS } from "./approval-filters";
import { ApprovalQueue } from "./approval-queue";
import { DecidedApprovals } from "./decided-approvals";

const FILTER_VALUES = APPROVAL_FILTERS.map(({ value }) => value);

/** What waits, or what was decided, by the status in the address. */
export function Approvals() {
  const [status, setStatus] = useQueryState("status", parseAsStringLiteral(FILTER_VALUES).withDefault("pending"));
  return (
    <>
      <div className="mb-4">
        <Segmented label="Status" value={status} options={APPROVAL_FILTERS} onChange={(next) => void setStatus(next)} />
      </div>
      {status === "pending" ? <ApprovalQueue /> : <DecidedApprovals status={status} />}
    </>
  );
}
