import type { Metadata } from "next";
import { Alert } from "@/components/ui/alert";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate } from "../_shared/first-paint";
import { AddConnectionButton, ConnectionList } from "./connection-list";

export const metadata: Metadata = { title: "Connections" };

interface ConnectionsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConnectionsPage({ searchParams }: ConnectionsPageProps) {
  const outcome = (await searchParams)["sign-in"];
  return (
    <Hydrate reads={[reads.connectionUses]} pages={[reads.connections]}>
      <PageHeader
        title="Connections"
        description={
          "Sign-ins at MCP servers, for the agents whose config names them with auth: oauth. " +
          "Tokens are stored encrypted, renewed by themselves, and shown to nobody and no model."
        }
      >
        <AddConnectionButton />
      </PageHeader>
      <SignInOutcome outcome={typeof outcome === "string" ? outcome : null} />
      <ConnectionList />
    </Hydrate>
  );
}

/**
 * What became of the sign-in that led here. Anybody can make a link with any word in it: only these
 * are answered, in words of ours.
 */
function SignInOutcome({ outcome }: { outcome: string | null }) {
  switch (outcome) {
    case "connected":
      return (
        <Alert tone="info" title="Connected" className="mb-4" alert>
          Agents that name this server use it from their next turn on.
        </Alert>
      );
    case "refused":
      return (
        <Alert tone="danger" title="The sign-in came to nothing" className="mb-4" alert>
          The connection below says why. An earlier sign-in still holds. Sign in again once that is
          corrected.
        </Alert>
      );
    case "unknown":
      return (
        <Alert tone="danger" title="This sign-in does not count any more" className="mb-4" alert>
          It was finished already, took longer than ten minutes, or was begun in another session.
          Nothing was changed. Sign in again from here.
        </Alert>
      );
    case "signed-out":
      return (
        <Alert tone="danger" title="You were not signed in to the console" className="mb-4" alert>
          So nobody could tell whose connection this is, and nothing was changed. Sign in again from
          here.
        </Alert>
      );
    default:
      return null;
  }
}
