import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import { consolePaths } from "@/lib/console/console-paths";
import type { ModelList } from "@/lib/console/shapes/model-info";
import { ModelGroup } from "./model-group";
import { SwitchOnNotice } from "./switch-on-notice";

export const metadata: Metadata = { title: "Models" };

export default async function ModelsPage() {
  const { data } = await prefetchConsole<ModelList>(consolePaths.models);
  const on = data.filter((model) => model.available).toSorted((left, right) => Number(right.default) - Number(left.default));
  const off = data.filter((model) => !model.available);
  return (
    <>
      <PageHeader title="Models" description="What a run may name in its model field, and what it costs." />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {on.every((model) => model.provider === "builtin") && <SwitchOnNotice />}
        <ModelGroup title="Available" models={on} />
        {off.length > 0 && <ModelGroup title="Not switched on" models={off} />}
      </div>
    </>
  );
}
