import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { exampleCall } from "@/lib/console/reference/example-call";
import { listAnswers } from "@/lib/console/reference/list-answers";
import { toReferenceSnippets } from "@/lib/console/reference/to-reference-snippets";
import { baseUrls } from "../../_shared/base-url";
import { CodeTabs } from "../_parts/code-tabs";
import { MethodBadge } from "../_parts/method-badge";
import { Prose } from "../_parts/prose";
import { readOperations } from "../_parts/read-operations";
import { Answers } from "./answers";
import { ErrorTable } from "./error-table";
import { ExampleAnswer } from "./example-answer";
import { KeyLine } from "./key-line";
import { Neighbours } from "./neighbours";
import { Parameters } from "./parameters";
import { RequestBody } from "./request-body";

interface OperationPageProps {
  params: Promise<{ operationId: string }>;
}

export async function generateMetadata({ params }: OperationPageProps): Promise<Metadata> {
  const { operationId } = await params;
  const operation = readOperations().operations.find(({ id }) => id === operationId);
  return { title: operation ? `${operation.summary}, API reference` : "Not found" };
}

export default async function OperationPage({ params }: OperationPageProps) {
  const { operationId } = await params;
  const { document, operations } = readOperations();
  const index = operations.findIndex(({ id }) => id === operationId);
  const operation = operations[index];
  if (!operation) notFound();
  const bases = await baseUrls();
  const call = exampleCall(document, operation, operation.key === "app" ? bases.app : bases.api);
  const { answers, errors } = listAnswers(document, operation);
  return (
    <>
      <PageHeader back={{ href: "/reference", label: "API reference" }} title={operation.summary} />
      <p className="-mt-4 mb-6 flex items-center gap-2 font-mono text-sm">
        <MethodBadge method={operation.method} className="text-xs" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{operation.path}</span>
        <CopyButton text={operation.path} what="path" className="size-6" />
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <div>
            <Prose text={operation.source.description ?? ""} className="max-w-prose text-base" />
            <KeyLine kind={operation.key} />
          </div>
          <Parameters document={document} operation={operation} />
          <RequestBody document={document} operation={operation} />
        </div>
        <div className="min-w-0 xl:row-span-2">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:sticky xl:top-9">
            <CodeTabs what={operation.summary} snippets={toReferenceSnippets(call)} />
            <ExampleAnswer answers={answers} />
          </div>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <Answers document={document} answers={answers} />
          <ErrorTable errors={errors} />
          <Neighbours before={operations[index - 1]} after={operations[index + 1]} />
        </div>
      </div>
    </>
  );
}
