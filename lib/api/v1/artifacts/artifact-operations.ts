import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/schemas/fields";
import { deleteArtifact } from "@/lib/domain/artifacts/delete-artifact";

const deleteArtifactOperation = operation({
  method: "DELETE",
  path: "/v1/artifacts/{artifact_id}",
  operationId: "deleteArtifact",
  tag: "Runs",
  summary: "Delete an artifact",
  description:
    "Deletes a file that a run made: its bytes no longer count against the account's space, " +
    "its links stop working, and the run's result no longer lists it. While the run is at " +
    "work: 409.",
  params: z.object({ artifact_id: idField }),
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }) {
    await deleteArtifact(principal, params.artifact_id);
    return { status: 204 };
  },
});

export const ARTIFACT_OPERATIONS = [deleteArtifactOperation];
