"use client";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { Secret, SecretUse } from "@/lib/console/shapes/secret";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { QueryProblem } from "../_shared/query-problem";
import { MissingSecrets } from "./missing-secrets";
import { SecretRow } from "./secret-row";

export function SecretList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<Secret>(consolePaths.secrets);
  const { data: uses } = useConsoleQuery<{ data: SecretUse[] }>(consolePaths.secretUses);
  const secrets = data?.pages.flatMap((page) => page.data);
  return (
    <>
      {secrets && uses && !hasNextPage && <MissingSecrets secrets={secrets} uses={uses.data} />}
      <Card aria-label="Secrets" aria-busy={!secrets}>
        {error && !secrets && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !secrets && <Skeleton className="h-48 rounded-none" />}
        {secrets?.length === 0 && (
          <EmptyState title="No secrets yet" seed="secret-5">
            Add the key of a service that an agent calls, then name it in the agent's config:{" "}
            <code className="font-mono text-xs">auth_secret: CRM_KEY</code>. It travels as a bearer token, and nothing of it comes back.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {secrets?.map((secret) => (
            <SecretRow key={secret.name} secret={secret} uses={uses?.data.filter((use) => use.secret_name === secret.name)} />
          ))}
        </ul>
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
    </>
  );
}
