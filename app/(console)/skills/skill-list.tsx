"use client";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { Skill } from "@/lib/console/shapes/skill";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { QueryProblem } from "../_shared/query-problem";
import { EXAMPLE_SKILL } from "./example-skill";
import { SkillRows } from "./skill-rows";
import { useInstallSkill } from "./use-install-skill";
import { ZipDrop } from "./zip-drop";

/** The account's own skills, and below them those that every account has. A zip may be dropped on the first. */
export function SkillList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<Skill>(consolePaths.skills);
  const install = useInstallSkill();
  const skills = data?.pages.flatMap((page) => page.data);
  const own = skills?.filter((skill) => skill.source === "custom");
  const builtIn = skills?.filter((skill) => skill.source === "built_in");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ZipDrop install={install}>
        <Card aria-label="Your skills" aria-busy={!skills}>
          <CardHeader title="Yours" note="drop a .zip here to install it" />
          {error && !skills && <QueryProblem error={error} retry={() => void refetch()} />}
          {!error && !skills && <Skeleton className="h-40 rounded-none" />}
          {own?.length === 0 && !hasNextPage && <NoSkills />}
          {own && <SkillRows skills={own} />}
          {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
        </Card>
      </ZipDrop>
      {builtIn && builtIn.length > 0 && (
        <Card aria-label="Built-in skills">
          <CardHeader title="Built in" note="always on" />
          <SkillRows skills={builtIn} />
        </Card>
      )}
    </div>
  );
}

function NoSkills() {
  return (
    <>
      <EmptyState
        title="No skills of your own yet"
        seed="skill-7"
        action={
          <Button asChild look="primary">
            <Link href="/skills/new?example=true">Start from this one</Link>
          </Button>
        }
      >
        A skill is one Markdown file, SKILL.md, and if it needs them more files beside it in a zip. This is a whole one:
      </EmptyState>
      <div className="mx-auto max-w-2xl px-4 pb-8">
        <CodeBlock code={EXAMPLE_SKILL} label="example SKILL.md" />
      </div>
    </>
  );
}
