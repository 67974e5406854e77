"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";
import type { AgentRecord } from "@/lib/console/shapes/agent";

/** With the config's schema and YAML's parser, which no other tab needs. */
const ConfigEditor = dynamic(() => import("./_editing/config-editor").then((module) => module.ConfigEditor), {
  ssr: false,
  loading: () => <Skeleton className="h-96 rounded-lg" />,
});

export function ConfigTab({ agent }: { agent: AgentRecord }) {
  return <ConfigEditor agent={agent} />;
}
