import type { Metadata } from "next";
import { Fragment } from "react";
import { formatCount, formatCredits } from "@/components/format/format";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import type { ModelInfo } from "@/lib/console/console-schemas";
import { endOfModel } from "@/lib/console/model-life";
import { reads } from "@/lib/console/reads";
import { providersToSetUp } from "@/lib/domain/models/models";
import { readConsole } from "../_shared/first-paint";

export const metadata: Metadata = { title: "Models" };

export default async function ModelsPage() {
  const { data } = await readConsole(reads.models);
  const on = data
    .filter((model) => model.available)
    .toSorted((left, right) => Number(right.default) - Number(left.default));
  const off = data.filter((model) => !model.available);
  return (
    <>
      <PageHeader
        title="Models"
        description="What a run may name in its model field, and what it costs."
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {on.every((model) => model.provider === "builtin") && <SwitchOnNotice />}
        <ModelGroup title="Available" models={on} />
        {off.length > 0 && <ModelGroup title="Not switched on" models={off} />}
      </div>
    </>
  );
}

/** Says plainly what the built-in model is, and how to have a better one. */
function SwitchOnNotice() {
  return (
    <Alert tone="info" title="Only the built-in model is switched on" className="mb-5">
      It is rule-based: it works without a network and follows plain instructions, but it does not
      reason as a language model does. The operator switches one on by setting{" "}
      {providersToSetUp().map(({ variables, what }, index) => (
        <Fragment key={variables.join()}>
          {index > 0 && (what === null ? ", " : ` or, for ${what}, `)}
          {variables.map((name, at) => (
            <Fragment key={name}>
              {at > 0 && " and "}
              <code className="font-mono text-xs">{name}</code>
            </Fragment>
          ))}
        </Fragment>
      ))}
      .
    </Alert>
  );
}

const COLUMNS = "sm:grid-cols-[minmax(0,1fr)_11rem_5.5rem_5rem_5rem]";

/** Models, a line each. A price is for the unit at the top, or says its own. */
function ModelGroup({ title, models }: { title: string; models: ModelInfo[] }) {
  const unit = models[0]?.price.unit ?? "";
  return (
    <Card aria-label={title}>
      <CardHeader title={title} note={unit && `prices in ${unit}`} />
      <div
        aria-hidden="true"
        className={`hidden h-9 items-center gap-x-4 border-line border-b px-4 sm:grid ${COLUMNS}`}
      >
        <span className="caption">Model</span>
        <span className="caption">Can</span>
        <span className="caption text-right">Context</span>
        <span className="caption text-right">In</span>
        <span className="caption text-right">Out</span>
      </div>
      <ul className="divide-y divide-line">
        {models.map((model) => (
          <ModelRow key={model.model} model={model} unit={unit} />
        ))}
      </ul>
    </Card>
  );
}

function ModelRow({ model, unit }: { model: ModelInfo; unit: string }) {
  const ownUnit = model.price.unit === unit ? null : model.price.unit;
  return (
    <li className={`grid grid-cols-3 items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm ${COLUMNS}`}>
      <div className="min-w-0 max-sm:col-span-3">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {model.name}
          {model.default && <Badge tone="accent">Default</Badge>}
          {model.life !== "active" && (
            <Badge tone="warning">{model.life === "gone" ? "Retired" : "Ends soon"}</Badge>
          )}
        </p>
        <p className="flex items-center font-mono text-faint text-xs">
          <span className="truncate">{model.model}</span>
          <CopyButton text={model.model} what={`model id ${model.model}`} className="size-6" />
        </p>
        {model.aliases.length > 0 && (
          <p className="text-faint text-xs">Also as {model.aliases.join(", ")}</p>
        )}
        {model.life !== "active" && (
          <p className="mt-0.5 max-w-prose text-muted">{endOfModel(model)}</p>
        )}
        {model.description && <p className="mt-0.5 max-w-prose text-muted">{model.description}</p>}
      </div>
      <p className="flex flex-wrap gap-1 max-sm:col-span-3">
        {model.capabilities.map((capability) => (
          <Badge key={capability}>{capability}</Badge>
        ))}
      </p>
      <Cell name="Context" value={model.context_window ? formatCount(model.context_window) : "–"} />
      <Cell name="In" value={formatCredits(model.price.input)} note={ownUnit} />
      <Cell name="Out" value={formatCredits(model.price.output)} note={ownUnit} />
    </li>
  );
}

function Cell({ name, value, note }: { name: string; value: string; note?: string | null }) {
  return (
    <p className="tabular sm:text-right">
      <span className="text-faint text-xs max-sm:block sm:sr-only">{name} </span>
      {value}
      {note && <span className="block text-faint text-xs">{note}</span>}
    </p>
  );
}
