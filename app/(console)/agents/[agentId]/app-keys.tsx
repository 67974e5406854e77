"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { ApiKey, CreatedApiKey } from "@/lib/console/shapes/api-key";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { CreateKeyDialog } from "../../_keys/create-key-dialog";
import { KeyRow } from "../../_keys/key-row";
import { QueryProblem } from "../../_shared/query-problem";

interface AppKeysProps {
  agent: AgentRecord;
  /** Given the key with its text, which is not to be had again. */
  onCreated: (key: CreatedApiKey) => void;
}

/** The keys that run this agent alone. */
export function AppKeys({ agent, onCreated }: AppKeysProps) {
  const [creating, setCreating] = useState(false);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<ApiKey>(
    consolePaths.agentKeys(agent.agent_id),
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
      {keys?.length === 0 && <p className="px-4 py-5 text-faint text-sm">No app key yet. An account key does not work on the app path.</p>}
      {keys && keys.length > 0 && (
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <KeyRow key={key.key_id} apiKey={key} agentName={agent.name} />
          ))}
        </ul>
      )}
      {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      <CreateKeyDialog open={creating} onOpenChange={setCreating} agentId={agent.agent_id} onCreated={onCreated} />
    </Card>
  );
}
