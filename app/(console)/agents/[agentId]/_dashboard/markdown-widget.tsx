"use client";
import { Markdown } from "@/components/markdown/markdown";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { andThen, type Finding } from "@/lib/console/dashboard/finding";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { Found } from "./found";

/** Markdown out of the source, bounded, with nothing that loads from elsewhere. */
export function MarkdownWidget({ source, title }: { source: Finding<JsonValue>; title: string }) {
  const finding = andThen<JsonValue, string>(source, (value) => {
    if (typeof value !== "string") return { state: "unfit", why: "This is not a text." };
    return value.trim() === "" ? { state: "missing", why: "The text is empty." } : { state: "there", value };
  });
  return (
    <Found finding={finding}>
      {(text) => (
        <ScrollRegion label={`Content of ${title}`} className="px-4 py-3 text-sm max-md:max-h-[32rem] md:absolute md:inset-0">
          <Markdown text={text} />
        </ScrollRegion>
      )}
    </Found>
  );
}
