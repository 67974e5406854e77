"use client";
import { Button } from "@/components/ui/button";

/** The end of a list that goes on. */
export function LoadMore({ loading, onClick }: { loading: boolean; onClick: () => void }) {
  return (
    <div className="flex justify-center border-line border-t p-2.5">
      <Button variant="ghost" size="small" loading={loading} onClick={onClick}>
        Load more
      </Button>
    </div>
  );
}
