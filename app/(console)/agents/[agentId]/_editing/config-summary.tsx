import type { ReactNode } from "react";
import { formatCredits, formatDuration, shortenId } from "@/components/format/format";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import type { ModelInfo } from "@/lib/console/console-schemas";
import { toFormFields } from "@/lib/console/inputs";
import { endOfModel } from "@/lib/console/model-life";
import { useAgentNames } from "@/lib/console/queries";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { builtInToolsOf } from "@/lib/model/agent-config/built-in-tools";
import { type EffectiveConfig, effectiveConfig } from "@/lib/model/agent-config/effective-config";

interface ConfigSummaryProps {
  /** Null before the text has ever fitted. */
  config: AgentConfig | null;
  /** The text does not fit just now: this is what it said before. */
  stale: boolean;
  /** Null: the list is not here yet. */
  models: ModelList | null;
}

interface ModelList {
  data: ModelInfo[];
  default_model: string;
}

/** What a config comes to, defaults filled in. */
export function ConfigSummary({ config, stale, models }: ConfigSummaryProps) {
  return (
    <aside
      aria-label="Summary of the config"
      className="rounded-lg border border-line bg-surface lg:sticky lg:top-6"
    >
      <h2 className="border-line border-b px-4 py-3 font-medium text-sm">What this means</h2>
      {stale && (
        <p className="border-line border-b bg-warning-soft px-4 py-2 text-xs">
          {config
            ? "As the text stood before the errors."
            : "The text has errors; correct them to see what it means."}
        </p>
      )}
      {config && (
        <dl className="divide-y divide-line">
          <Facts config={effectiveConfig(config)} models={models} />
        </dl>
      )}
    </aside>
  );
}

function Facts({ config, models }: { config: EffectiveConfig; models: ModelList | null }) {
  const { tools, permissions, limits } = config;
  return (
    <>
      <ModelFact config={config} models={models} />
      <Fact label="Built-in tools">
        {builtInToolsOf().every((name) => tools.builtin.includes(name)) ? (
          "All of them"
        ) : (
          <Names names={tools.builtin} none="None" />
        )}
        {tools.python === "provider" && tools.builtin.includes("run_python") && (
          <Line name="run_python" note="on servers of the model's provider" />
        )}
      </Fact>
      {tools.mcp.length > 0 && (
        <Fact label="MCP servers">
          {tools.mcp.map((server) => (
            <Line
              key={server.name}
              name={server.name}
              note={
                `${hostOf(server.url)}, ` +
                `${server.tools ? `${server.tools.length} tools` : "all tools"}` +
                `${server.auth === "oauth" ? ", signed in" : ""}`
              }
            />
          ))}
        </Fact>
      )}
      {tools.http.length > 0 && (
        <Fact label="HTTP tools">
          {tools.http.map((tool) => (
            <Line key={tool.name} name={tool.name} note={`${tool.method} ${hostOf(tool.url)}`} />
          ))}
        </Fact>
      )}
      {tools.client.length > 0 && (
        <Fact label="Tools of your program">
          {tools.client.map(({ name }) => (
            <Line key={name} name={name} note="" />
          ))}
        </Fact>
      )}
      {tools.agents.length > 0 && <AgentsFact agents={tools.agents} />}
      {tools.memory && <Fact label="Memory">Keeps notes about each end user</Fact>}
      <Fact label="Permissions">
        <Permission label="Never" names={permissions.deny} tone="danger" />
        <Permission label="Asks" names={permissions.ask} tone="warning" />
        <Permission label="Allowed" names={permissions.allow} tone="success" />
        {permissions.deny.length + permissions.ask.length + permissions.allow.length === 0 &&
          "As write autonomy says"}
      </Fact>
      <Fact label="Limits">
        <Line
          name={`${limits.max_steps} steps`}
          note={`${formatDuration(limits.timeout_seconds * 1000)} a run`}
        />
        <Line
          name={
            limits.max_credits === null
              ? "No credit limit"
              : `${formatCredits(limits.max_credits)} credits`
          }
          note={
            `${limits.on_budget === "wait" ? "waits to be raised, " : ""}approvals wait ` +
            `${formatDuration(limits.approval_timeout_seconds * 1000)}`
          }
        />
      </Fact>
      <InputsFact config={config} />
      <Fact label="Answer">{config.output_schema ? "Text and structured data" : "Text"}</Fact>
      {config.starters.length > 0 && <Fact label="Starters">{config.starters.length}</Fact>}
    </>
  );
}

/** The agents that it may call, by their names, each with what a call may cost. */
function AgentsFact({ agents }: { agents: EffectiveConfig["tools"]["agents"] }) {
  const names = useAgentNames();
  return (
    <Fact label="Agents">
      {agents.map(({ name, agent_id: id, max_credits: most }) => (
        <span key={name}>
          {name}{" "}
          <span className="text-faint text-xs">
            <Link href={`/agents/${id}`} className="text-accent underline-offset-4 hover:underline">
              {names.get(id) ?? `agent ${shortenId(id)}`}
            </Link>
            {most !== null && `, at most ${formatCredits(most)} credits a call`}
          </span>
        </span>
      ))}
    </Fact>
  );
}

function ModelFact({ config, models }: { config: EffectiveConfig; models: ModelList | null }) {
  const { temperature, max_output_tokens: tokens, reasoning, cache } = config.model_settings;
  const named = config.model ?? models?.default_model;
  const ending = models?.data.find(
    ({ model, aliases, life }) =>
      life !== "active" && (model === named || aliases.includes(named ?? "")),
  );
  return (
    <Fact label="Model">
      <Line
        name={config.model ?? models?.default_model ?? "The default model"}
        note={config.model ? "" : "the default"}
      />
      {ending && (
        <p className="mt-1 rounded-sm bg-warning-soft px-2 py-1 text-xs">{endOfModel(ending)}</p>
      )}
      {config.fallback_models.map((model) => (
        <Line key={model} name={model} note="when that is unavailable" />
      ))}
      {temperature !== null && <Line name={`Temperature ${temperature}`} note="" />}
      {reasoning !== null && <Line name={`Reasoning ${reasoning}`} note="where the model can" />}
      {cache === "1h" && <Line name="Cache kept for an hour" note="models of Anthropic" />}
      {tokens !== null && (
        <Line name={`At most ${tokens.toLocaleString("en")} tokens`} note="an answer" />
      )}
    </Fact>
  );
}

function InputsFact({ config }: { config: EffectiveConfig }) {
  const fields = toFormFields(config.inputs);
  return (
    <Fact label="Inputs">
      {fields
        ? fields.map((field) => (
            <Line
              key={field.name}
              name={field.name}
              note={field.required ? "required" : "optional"}
            />
          ))
        : config.inputs
          ? "As its schema says"
          : "Anything"}
    </Fact>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="px-4 py-2.5">
      <dt className="caption">{label}</dt>
      <dd className="mt-1 grid gap-0.5 text-sm [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Line({ name, note }: { name: string; note: string }) {
  return (
    <span>
      {name} {note && <span className="text-faint text-xs">{note}</span>}
    </span>
  );
}

function Names({ names, none }: { names: readonly string[]; none: string }) {
  return names.length === 0 ? none : <span className="font-mono text-xs">{names.join(", ")}</span>;
}

function Permission({ label, names, tone }: { label: string; names: string[]; tone: BadgeTone }) {
  if (names.length === 0) return null;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{label}</Badge>
      <Names names={names} none="" />
    </span>
  );
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? url;
}
