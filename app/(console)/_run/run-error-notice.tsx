import { Notice } from "@/components/ui/notice";
import { runErrorAdvice } from "@/lib/console/run-error-advice";

/** Why a run failed, and what to do about it. */
export function RunErrorNotice({ code, message }: { code: string; message: string }) {
  const stopped = code === "RUN_CANCELLED";
  return (
    <Notice tone={stopped ? "warning" : "danger"} title={stopped ? "This run was cancelled" : message || "The run failed"}>
      {runErrorAdvice(code)} <code className="whitespace-nowrap font-mono text-xs">{code}</code>
    </Notice>
  );
}
