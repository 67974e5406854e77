import { BookOpen } from "lucide-react";
import Link from "next/link";
import { mergeClasses } from "@/components/merge-classes";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Skill } from "@/lib/console/shapes/skill";
import { SkillSwitch } from "./skill-switch";

export function SkillRows({ skills }: { skills: Skill[] }) {
  return (
    <ul className="divide-y divide-line">
      {skills.map((skill) => (
        <li
          key={skill.skill_id}
          className="relative flex min-h-16 items-center gap-3.5 px-4 py-3 text-sm transition-colors hover:bg-hover/60"
        >
          <BookOpen aria-hidden="true" className={mergeClasses("size-5 shrink-0", skill.enabled ? "text-accent" : "text-line-strong")} />
          <div className="min-w-0 flex-1">
            {/* Its area is the whole row; the switch lies above it. */}
            <Link
              href={`/skills/${skill.skill_id}`}
              className={mergeClasses("block truncate font-medium after:absolute after:inset-0", !skill.enabled && "text-muted")}
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
            {skill.source === "custom" ? <SkillSwitch skill={skill} /> : <span className="text-faint text-xs">On</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
