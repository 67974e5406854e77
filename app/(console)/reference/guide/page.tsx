import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/ui/page-header";
import { errorSnippets } from "@/lib/console/reference/error-snippets";
import { baseUrls } from "../../_shared/base-url";
import { VerificationSnippets } from "../../webhooks/verification-snippets";
import { readOperations } from "../_parts/read-operations";
import { GUIDE_SECTIONS } from "../guide-sections";
import { ClientNote } from "./client-note";
import { ErrorCodes } from "./error-codes";
import { errorMeanings } from "./error-meanings";
import { guideCalls } from "./guide-calls";
import { GuidePart } from "./guide-part";
import { GUIDE_TEXTS } from "./guide-texts";
import { ModelIds } from "./model-ids";

export const metadata: Metadata = { title: "Guide, API reference" };

export default async function GuidePage() {
  const { document, operations } = readOperations();
  const { api } = await baseUrls();
  const calls = guideCalls(document, operations, api);
  return (
    <>
      <PageHeader back={{ href: "/reference", label: "API reference" }} title="Guide" description="What holds for every operation." />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_11rem]">
        <nav aria-label="Sections" className="lg:order-last">
          <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm lg:sticky lg:top-9 lg:grid">
            {GUIDE_SECTIONS.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="rounded-sm text-muted hover:text-foreground">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
          <GuidePart {...part("authentication")} code={{ what: "Who is calling", snippets: calls.authentication }}>
            <ClientNote />
          </GuidePart>
          <GuidePart {...part("errors")} code={{ what: "Reading an error", snippets: errorSnippets(api) }}>
            <ErrorCodes meanings={errorMeanings(document)} />
          </GuidePart>
          <GuidePart {...part("limits")} />
          <GuidePart {...part("idempotency")} code={{ what: "A start that is safe to repeat", snippets: calls.idempotency }} />
          <GuidePart {...part("pagination")} code={{ what: "Reading a list", snippets: calls.pagination }} />
          <GuidePart {...part("streaming")} code={{ what: "Run and read along", snippets: calls.streaming }} />
          <GuidePart {...part("webhooks")}>
            <VerificationSnippets />
            <Link href="/webhooks?tab=signing" className="justify-self-start text-accent text-sm underline underline-offset-4">
              Show the signing secret
            </Link>
          </GuidePart>
          <GuidePart {...part("models")}>
            <ModelIds schema={document.components.schemas.ModelId} />
          </GuidePart>
        </div>
      </div>
    </>
  );
}

function part(id: (typeof GUIDE_SECTIONS)[number]["id"]) {
  return { id, title: GUIDE_SECTIONS.find((section) => section.id === id)?.title ?? id, text: GUIDE_TEXTS[id] };
}
