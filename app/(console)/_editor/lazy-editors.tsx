"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

const loading = () => <Skeleton className="m-4 h-64" />;

/** The editors are a quarter of a megabyte: they come when one is shown. */
export const LazyCodeEditor = dynamic(
  () => import("./code-editor").then((module) => module.CodeEditor),
  { ssr: false, loading },
);
export const LazyTextDiff = dynamic(
  () => import("./compare-editors").then((module) => module.TextDiff),
  { ssr: false, loading },
);
export const LazyMergeEditor = dynamic(
  () => import("./compare-editors").then((module) => module.MergeEditor),
  { ssr: false, loading },
);
