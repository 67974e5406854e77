"use client";
import { Button } from "@/components/ui/button";

/** The end of a list that goes on. */
export function LoadMore({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <div className="flex justify-center border-line border-t p-2.5">
      <Button variant="ghost" size="small" busy={busy} onClick={onClick}>
        Load more
      </Button>
    </div>
  );
}
