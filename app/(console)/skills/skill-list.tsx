"use client";
import { BookOpen } from "lucide-react";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Skill } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";
import { EXAMPLE_SKILL } from "./example-skill";
import { SkillSwitch } from "./skill-switch";
import { useInstallSkill, ZipDrop } from "./skill-upload";

/**
 * The account's own skills, and below them those that every account has. A zip may be dropped on
 * the first.
 */
export function SkillList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.skills,
  );
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
          {hasNextPage && (
            <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
          )}
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
          <Button asChild variant="primary">
            <Link href="/skills/new?example=true">Start from this one</Link>
          </Button>
        }
      >
        A skill is one Markdown file, SKILL.md, and if it needs them more files beside it in a zip.
        This is a whole one:
      </EmptyState>
      <div className="mx-auto max-w-2xl px-4 pb-8">
        <CodeBlock code={EXAMPLE_SKILL} label="example SKILL.md" />
      </div>
    </>
  );
}

function SkillRows({ skills }: { skills: Skill[] }) {
  return (
    <ul className="divide-y divide-line">
      {skills.map((skill) => (
        <li
          key={skill.skill_id}
          className="relative flex min-h-16 items-center gap-3.5 px-4 py-3 text-sm transition-colors hover:bg-hover/60"
        >
          <BookOpen
            aria-hidden="true"
            className={mergeClasses(
              "size-5 shrink-0",
              skill.enabled ? "text-accent" : "text-line-strong",
            )}
          />
          <div className="min-w-0 flex-1">
            {/* Its area is the whole row; the switch lies above it. */}
            <Link
              href={`/skills/${skill.skill_id}`}
              className={mergeClasses(
                "block truncate font-medium after:absolute after:inset-0",
                !skill.enabled && "text-muted",
              )}
            >
              {skill.name}
            </Link>
            <p className="line-clamp-2 text-muted">{skill.description}</p>
          </div>
          {skill.source === "custom" && (
            <span className="hidden shrink-0 text-right text-faint text-xs sm:block">
              v{skill.version} · <RelativeTime time={skill.updated_at} />
            </span>
          )}
          <span className="relative z-10 flex w-14 shrink-0 justify-end">
            {skill.source === "custom" ? (
              <SkillSwitch skill={skill} />
            ) : (
              <span className="text-faint text-xs">On</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
