import { Skeleton } from "@/components/ui/skeleton";

export function RunRowsSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading runs" className="divide-y divide-line">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places never change
        <div key={index} className="flex h-[3.375rem] items-center gap-4 px-4">
          <Skeleton className="size-6 max-sm:hidden" />
          <Skeleton className="h-4 w-48 max-w-[50%]" />
          <Skeleton className="ml-auto h-5 w-20" />
        </div>
      ))}
    </div>
  );
}
