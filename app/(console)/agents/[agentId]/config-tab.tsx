"use client";
import dynamic from "next/dynamic";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Skeleton } from "@/components/ui/skeleton";

const YamlView = dynamic(() => import("./yaml-view").then((module) => module.YamlView), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-64" />,
});

export function ConfigTab({ config }: { config: string }) {
  return (
    <Card aria-label="Config">
      <CardHeader title="Config" note="model, inputs, tools, permissions, limits">
        <CopyButton text={config} what="config" />
      </CardHeader>
      <YamlView text={config} label="Config YAML" />
    </Card>
  );
}
