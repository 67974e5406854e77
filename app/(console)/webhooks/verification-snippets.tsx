"use client";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { WEBHOOK_SAMPLES, type WebhookSampleLanguage } from "@/lib/console/reference/guide-samples";
import { useSampleLanguage } from "../_shared/code-samples";

const LANGUAGES: { value: WebhookSampleLanguage; label: string }[] = [
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
];

/** How a receiver proves that a webhook came from here. */
export function VerificationSnippets() {
  const [chosen, setLanguage] = useSampleLanguage();
  const language = chosen === "python" ? "python" : "typescript";
  const { install, code } = WEBHOOK_SAMPLES[language];
  return (
    <Card aria-label="Verify a webhook">
      <CardHeader title="Verify a webhook">
        <ToggleGroup label="Language" value={language} options={LANGUAGES} onChange={setLanguage} />
      </CardHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4 text-sm">
        <p className="text-muted">
          Webhooks are signed by{" "}
          <a
            href="https://www.standardwebhooks.com"
            target="_blank"
            rel="noreferrer noopener"
            className="text-accent underline underline-offset-4"
          >
            Standard Webhooks
          </a>
          , for which there are libraries in most languages. Verify the body's very bytes, before
          they are parsed; a call that is older than five minutes is refused too.{" "}
          <code className="font-mono text-xs">webhook-id</code> is the run's id and stays the same
          when a webhook is sent again: use it to do the work once.
        </p>
        <CodeBlock code={install} label="install command" />
        <CodeBlock
          code={code}
          label={`verification in ${LANGUAGES.find(({ value }) => value === language)?.label}`}
        />
      </div>
    </Card>
  );
}
