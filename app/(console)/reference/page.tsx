import { Download } from "lucide-react";
import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { readOperations } from "./_parts/read-operations";
import { OperationIndex } from "./operation-index";

export const metadata: Metadata = { title: "API reference" };

export default function ReferencePage() {
  const { document, operations } = readOperations();
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations
      .filter(({ tag }) => tag === name)
      .map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return (
    <>
      <PageHeader
        title="API reference"
        description={
          "Every operation of this deployment, with code to copy in curl, TypeScript and Python. " +
          `Version ${document.info.version}.`
        }
      >
        <Button asChild>
          <a href="/v1/openapi.json" download="lathe-openapi.json">
            <Download aria-hidden="true" />
            OpenAPI document
          </a>
        </Button>
      </PageHeader>
      <OperationIndex groups={groups} />
    </>
  );
}
