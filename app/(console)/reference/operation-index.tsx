"use client";

import { Search } from "lucide-react";
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Card, CardHeader } from "@/components/ui/card";
import { INPUT_CLASSES } from "@/components/ui/input";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import type { ApiMethod } from "@/lib/console/reference/api-document";
import { MethodBadge } from "./_parts/operation-parts";
import { GUIDE_SECTIONS } from "./guide-sections";

interface IndexGroup {
  name: string;
  description: string;
  operations: { id: string; method: ApiMethod; path: string; summary: string }[];
}

/**
 * Everything that the reference tells of, on one page, narrowed by what is typed. `/` begins to
 * type.
 */
export function OperationIndex({ groups }: { groups: IndexGroup[] }) {
  const [text, setText] = useState("");
  const input = useSlashKey();
  const words = useDeferredValue(text).toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...texts: string[]) =>
    words.every((word) => texts.join(" ").toLowerCase().includes(word));
  const sections = GUIDE_SECTIONS.filter((section) => fits(section.title, section.text));
  const found = groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((each) =>
        fits(group.name, each.method, each.path, each.summary, each.id),
      ),
    }))
    .filter((group) => group.operations.length > 0);
  const number = found.reduce((sum, group) => sum + group.operations.length, 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <search className="relative block">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-faint"
        />
        <input
          ref={input}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label="Find an operation"
          aria-keyshortcuts="/"
          placeholder="Find an operation: a word, a path, a method"
          className={mergeClasses(INPUT_CLASSES, "h-9 pr-9 pl-8.5")}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1.5 right-2.5 max-sm:hidden"
        >
          {text === "" && <Kbd>/</Kbd>}
        </span>
      </search>
      <p role="status" className="sr-only">
        {words.length > 0 && `${number} operations found`}
      </p>
      {sections.length > 0 && <GuideLinks sections={sections} />}
      {found.map((group) => (
        <OperationGroup key={group.name} group={group} />
      ))}
      {number === 0 && sections.length === 0 && (
        <p className="py-10 text-center text-muted text-sm">
          Nothing has all of these words. Try a noun, such as <em>schedule</em>, or part of a path.
        </p>
      )}
    </div>
  );
}

function GuideLinks({ sections }: { sections: readonly (typeof GUIDE_SECTIONS)[number][] }) {
  return (
    <nav aria-label="Guide" className="grid gap-2 sm:grid-cols-2 lg:grid-cols-4">
      {sections.map(({ id, title, text }) => (
        <Link
          key={id}
          href={`/reference/guide#${id}`}
          className="rounded-lg border border-line bg-surface px-3.5 py-3 transition-colors hover:border-line-strong"
        >
          <span className="block font-medium text-sm">{title}</span>
          <span className="mt-0.5 block text-muted text-xs">{text}</span>
        </Link>
      ))}
    </nav>
  );
}

function OperationGroup({ group }: { group: IndexGroup }) {
  return (
    <Card
      aria-label={group.name}
      id={group.name.toLowerCase().replaceAll(" ", "-")}
      className="scroll-mt-20"
    >
      <CardHeader title={group.name} />
      <p className="px-4 pt-2.5 text-muted text-sm">{group.description}</p>
      <ul className="p-1.5">
        {group.operations.map(({ id, method, path, summary }) => (
          <li key={id}>
            <Link
              href={`/reference/${id}`}
              prefetch={false}
              className="grid grid-cols-[3.25rem_minmax(0,1fr)] items-baseline gap-x-2 rounded-md px-2.5 py-1.5 transition-colors hover:bg-hover/60 sm:grid-cols-[3.25rem_minmax(0,1fr)_minmax(0,1.25fr)]"
            >
              <MethodBadge method={method} />
              <span className="text-sm">{summary}</span>
              <span className="truncate font-mono text-faint text-xs max-sm:col-start-2">
                {path}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The input that `/` goes to, unless the reader is typing elsewhere. */
function useSlashKey(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (
        event.key !== "/" ||
        event.metaKey ||
        event.ctrlKey ||
        event.altKey ||
        isTyping(event.target)
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, []);
  return input;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
