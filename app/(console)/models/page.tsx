import type { Metadata } from "next";
import { formatCount } from "@/components/format/format-count";
import { formatCredits } from "@/components/format/format-credits";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import { consolePaths } from "@/lib/console/console-paths";
import type { ModelInfo, ModelList } from "@/lib/console/shapes/model-info";
import { SwitchOnNotice } from "./switch-on-notice";

export const metadata: Metadata = { title: "Models" };

export default async function ModelsPage() {
  const { data } = await prefetchConsole<ModelList>(consolePaths.models);
  const sorted = data.toSorted(
    (left, right) => Number(right.default) - Number(left.default) || Number(right.available) - Number(left.available),
  );
  const onlyBuiltIn = data.every((model) => !model.available || model.provider === "builtin");
  return (
    <>
      <PageHeader title="Models" description="What a run may name in its model field. Prices are in credits." />
      {onlyBuiltIn && <SwitchOnNotice />}
      <Card aria-label="Models">
        <ul className="divide-y divide-line">
          {sorted.map((model) => (
            <ModelRow key={model.model} model={model} />
          ))}
        </ul>
      </Card>
    </>
  );
}

function ModelRow({ model }: { model: ModelInfo }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 px-4 py-3.5 sm:grid-cols-[minmax(0,1fr)_11rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className={model.available ? "font-medium" : "font-medium text-muted"}>{model.name}</span>
          {model.default && <Badge tone="accent">Default</Badge>}
          <Badge tone={model.available ? "success" : "neutral"}>{model.available ? "Available" : "Not switched on"}</Badge>
        </p>
        <p className="mt-0.5 flex items-center font-mono text-faint text-xs">
          <span className="truncate">{model.model}</span>
          <CopyButton text={model.model} what={`model id ${model.model}`} className="size-6" />
        </p>
        <p className="mt-1 max-w-2xl text-muted text-sm">{model.description}</p>
      </div>
      <dl className="grid content-start gap-1 text-sm max-sm:grid-cols-2">
        <Price name="In" value={model.price.input} unit={model.price.unit} />
        <Price name="Out" value={model.price.output} unit={model.price.unit} />
        <div className="text-faint text-xs sm:text-right">
          <dt className="sr-only">Capabilities</dt>
          <dd>
            {model.capabilities.join(", ")}
            {model.context_window ? ` · ${formatCount(model.context_window)} tokens` : ""}
          </dd>
        </div>
      </dl>
    </li>
  );
}

function Price({ name, value, unit }: { name: string; value: number; unit: string }) {
  return (
    <div className="flex gap-2 sm:justify-end">
      <dt className="text-faint">{name}</dt>
      <dd className="tabular">
        {formatCredits(value)} <span className="text-faint text-xs">{unit}</span>
      </dd>
    </div>
  );
}
