"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** Comparing texts brings the whole editor with it, and few people ever meet a conflict. */
export const LazyConflictView = dynamic(() => import("./conflict-view").then((module) => module.ConflictView), {
  ssr: false,
  loading: () => <Skeleton className="h-96 rounded-lg" />,
});
