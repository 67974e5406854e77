import type { Metadata } from "next";
import { shortenId } from "@/components/format/format";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { ServiceError } from "@/lib/model/errors";
import { runTitle } from "../../_run/run-title";
import { Hydrate, readConsole, readOrNotFound } from "../../_shared/first-paint";
import { RunSubtitle } from "./run-facts";
import { RunActions, RunView } from "./run-view";

interface RunPageProps {
  params: Promise<{ runId: string }>;
}

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  return { title: `Run ${shortenId((await params).runId)}` };
}

export default async function RunPage({ params }: RunPageProps) {
  const { runId } = await params;
  const path = reads.run(runId);
  const run = await readOrNotFound(path);
  const agentName = run.agent_id ? await findAgentName(run.agent_id) : null;
  const names = new Map(run.agent_id && agentName ? [[run.agent_id, agentName]] : []);
  return (
    <Hydrate reads={[path]}>
      <PageHeader
        back={{ href: "/runs", label: "Runs" }}
        title={runTitle(run, names)}
        description={<RunSubtitle runId={run.run_id} />}
      >
        <RunActions runId={run.run_id} />
      </PageHeader>
      <RunView runId={run.run_id} agentName={agentName} />
    </Hydrate>
  );
}

/** The agent's name, or null when it cannot be read: a run is worth showing without it. */
async function findAgentName(agentId: string): Promise<string | null> {
  try {
    return (await readConsole(reads.agent(agentId))).name;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
