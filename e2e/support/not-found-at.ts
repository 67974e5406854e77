const CODES: [end: string, code: string][] = [
  ["{agent_id}", "AGENT_NOT_FOUND"],
  ["{version_id}", "VERSION_NOT_FOUND"],
  ["{schedule_id}", "SCHEDULE_NOT_FOUND"],
  ["{run_id}", "RUN_NOT_FOUND"],
  ["{conversation_id}", "CONVERSATION_NOT_FOUND"],
  ["{conversationId}", "CONVERSATION_NOT_FOUND"],
  ["{workspace_id}", "WORKSPACE_NOT_FOUND"],
  ["{workspaceId}", "WORKSPACE_NOT_FOUND"],
  ["{file_id}", "FILE_NOT_FOUND"],
  ["/v1/secrets/{name}", "SECRET_NOT_FOUND"],
  ["{skill_id}", "SKILL_NOT_FOUND"],
  ["{approval_id}", "APPROVAL_NOT_FOUND"],
  ["{artifact_id}", "NOT_FOUND"],
  ["{delivery_id}", "DELIVERY_NOT_FOUND"],
  ["{appId}", "APP_NOT_FOUND"],
  ["{runId}", "RUN_NOT_FOUND"],
];

/** The code by which an operation says that the object at a place of its path, or in a field of its body (`{field}`), is not there. */
export function notFoundAt(place: string): string {
  const code = CODES.find(([end]) => place.endsWith(end))?.[1];
  if (code === undefined) throw new Error(`Add the code of a missing object at ${place} to not-found-at.ts.`);
  return code;
}
