"use client";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import type { Agent } from "@/lib/client/schemas";
import type { CreatedApiKey } from "@/lib/console/console-schemas";
import { exampleInput } from "@/lib/console/inputs";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { CreateKeyDialog } from "../../_keys/create-key-dialog";
import { KeyRow } from "../../_keys/key-list";
import { CallSamples } from "../../_shared/code-samples";
import { QueryProblem } from "../../_shared/query-problem";
import { useBaseUrl } from "../../_shell/console-providers";

/** How a backend runs this very agent, by either kind of key. */
export function ApiTab({ agent }: { agent: Agent }) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const { data: keys } = useConsolePages(reads.agentKeys(agent.agent_id));
  const revoked = keys?.pages.some((page) =>
    page.data.some((key) => key.key_id === created?.key_id && key.revoked_at !== null),
  );
  // Code to copy must not carry a key that no longer works.
  const appKey = revoked ? null : (created?.api_key ?? null);
  const input = exampleInput(agent.inputs_schema);
  const body = { agent_id: agent.agent_id, input };
  const baseUrl = useBaseUrl("app");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Call
        title="Run and stream"
        text={
          "One JSON object a line, until run.completed or run.failed. The run goes on when the " +
          "connection breaks."
        }
      >
        <CallSamples
          what="Run and stream"
          call={{
            operationId: "createRealtimeRun",
            method: "POST",
            path: "/v1/realtime/runs",
            body,
            answer: "lines",
          }}
        />
      </Call>
      <Call
        title="Run in the background"
        text="Answers at once with a run_id to poll. Add webhook_url to be told instead."
      >
        <CallSamples
          what="Run in the background"
          call={{ operationId: "createRun", method: "POST", path: "/v1/runs", body }}
        />
      </Call>
      <Call title="Fetch a run" text="Status, result, usage and, when it failed, why.">
        <CallSamples
          what="Fetch a run"
          call={{
            operationId: "getRun",
            method: "GET",
            path: "/v1/runs/{run_id}",
            places: { run_id: "RUN_ID" },
          }}
        />
      </Call>
      <h2 className="mt-3 font-semibold text-lg">App path</h2>
      <AppKeys agent={agent} onCreated={setCreated} />
      <Call
        title="Run by an app key"
        text={
          "For a program that may run this agent and nothing else. Bodies are camelCase here, " +
          "and the named inputs stand in inputs."
        }
      >
        <CallSamples
          what="Run by an app key"
          app={{ apiKey: appKey }}
          call={{
            operationId: "createAppRun",
            method: "POST",
            path: "/api/v1/apps/{appId}/runs",
            places: { appId: agent.agent_id },
            body: { inputs: input },
          }}
        />
      </Call>
      <Call
        title="Fetch an app run"
        text="Only runs that this agent's app keys started are found here."
      >
        <CallSamples
          what="Fetch an app run"
          app={{ apiKey: appKey }}
          call={{
            operationId: "getAppRun",
            method: "GET",
            path: "/api/v1/apps/{appId}/runs/{runId}",
            places: { appId: agent.agent_id, runId: "RUN_ID" },
          }}
        />
      </Call>
      <h2 className="mt-3 font-semibold text-lg">In the browser</h2>
      <Call
        title="Make a client token"
        text={
          "Your backend makes one for whoever is signed in there: it runs this agent alone, " +
          "shows that person's runs alone, works from pages of these origins, and ends by itself."
        }
      >
        <CallSamples
          what="Make a client token"
          call={{
            operationId: "createClientToken",
            method: "POST",
            path: "/v1/client-tokens",
            body: {
              agent_id: agent.agent_id,
              end_user: "u_42",
              can: ["run", "read", "cancel", "approve"],
              origins: ["https://app.example.com"],
            },
          }}
        />
      </Call>
      <Call
        title="Ask from a page"
        text={
          "The page holds no key. Tokens are renewed, and events read on over broken connections."
        }
      >
        <CodeBlock
          code={pageCode(agent.agent_id, baseUrl, input)}
          label="Ask from a page in TypeScript"
        />
      </Call>
    </div>
  );
}

/** The page's side of a client token; `/lathe-token` is its own backend's. */
function pageCode(agentId: string, baseUrl: string, inputs: unknown): string {
  return `import { createBrowserClient, newReading, readEvent } from "@lathe/client/browser";

const lathe = createBrowserClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  agentId: ${JSON.stringify(agentId)},
  getToken: async () => (await fetch("/lathe-token", { method: "POST" })).json(),
});

const { runId } = await lathe.runs.start(${JSON.stringify(inputs, null, 2)});
let reading = newReading();
for await (const event of lathe.runs.events(runId)) {
  reading = readEvent(reading, event);
  console.log(reading.text);
}`;
}

function Call({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <p className="text-muted text-sm">{text}</p>
        {children}
      </div>
    </Card>
  );
}

interface AppKeysProps {
  agent: Agent;
  /** Given the key with its text, which is not to be had again. */
  onCreated: (key: CreatedApiKey) => void;
}

/** The keys that run this agent alone. */
function AppKeys({ agent, onCreated }: AppKeysProps) {
  const [creating, setCreating] = useState(false);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.agentKeys(agent.agent_id),
  );
  const keys = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="App keys">
      <CardHeader title="App keys" note="each runs this agent, on the app path alone">
        {agent.status !== "archived" && (
          <Button size="small" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            Create app key
          </Button>
        )}
      </CardHeader>
      {error && !keys && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !keys && <Skeleton className="h-16 rounded-none" />}
      {keys?.length === 0 && (
        <p className="px-4 py-5 text-faint text-sm">
          No app key yet. An account key does not work on the app path.
        </p>
      )}
      {keys && keys.length > 0 && (
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <KeyRow key={key.key_id} apiKey={key} agentName={agent.name} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
      <CreateKeyDialog
        open={creating}
        onOpenChange={setCreating}
        agentId={agent.agent_id}
        onCreated={onCreated}
      />
    </Card>
  );
}
