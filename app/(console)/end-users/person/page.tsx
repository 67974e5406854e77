import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { ServiceError } from "@/lib/model/errors";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { EndUserActions } from "./end-user-actions";
import { EndUserConversations } from "./end-user-conversations";
import { EndUserFigures } from "./end-user-figures";
import { EndUserConnections, EndUserSecrets } from "./end-user-keys";
import { EndUserRuns } from "./end-user-runs";
import { Erased } from "./erased";

export const metadata: Metadata = { title: "End user" };

interface EndUserPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function EndUserPage({ searchParams }: EndUserPageProps) {
  const { name } = await searchParams;
  if (typeof name !== "string" || name === "") notFound();
  const person = await readOrNotFound(reads.endUser(name)).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === "END_USER_ERASED") return null;
    throw error;
  });
  const back = { href: "/end-users", label: "End users" };
  if (!person)
    return (
      <>
        <PageHeader back={back} title="Erased" />
        <Erased />
      </>
    );
  return (
    <Hydrate
      reads={[reads.endUser(name), reads.agents({ limit: 100 })]}
      pages={[
        reads.runs({ end_user: name }),
        reads.conversations({ end_user: name }),
        reads.endUserSecrets(name),
        reads.endUserConnections(name),
      ]}
    >
      <PageHeader back={back} title={name}>
        <EndUserActions name={name} />
      </PageHeader>
      <EndUserFigures name={name} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <EndUserRuns name={name} />
          <EndUserConversations name={name} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <EndUserSecrets name={name} />
          <EndUserConnections name={name} />
        </div>
      </div>
    </Hydrate>
  );
}
