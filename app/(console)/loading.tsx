import { Skeleton } from "@/components/ui/skeleton";

export default function ConsoleLoading() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-7 w-40" />
      <Skeleton className="mt-2.5 h-4 w-72 max-w-full" />
      <Skeleton className="mt-8 h-80 w-full rounded-lg" />
    </div>
  );
}
