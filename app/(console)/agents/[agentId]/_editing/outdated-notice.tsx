import { Notice } from "@/components/ui/notice";

/** Told while the person still writes, not only when they save. */
export function OutdatedNotice({ what }: { what: string }) {
  return (
    <Notice tone="warning" title={`This ${what} was changed by somebody else meanwhile`} className="m-4">
      Go on as you like: when you save, you see both changes and decide. Nothing is overwritten.
    </Notice>
  );
}
