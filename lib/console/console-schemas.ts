import type { components, operations } from "@/lib/console/console-api-types";

type Schemas = components["schemas"];

/** The objects that only the console's own operations know. */
export type AdminAccount = Schemas["AdminAccount"];
export type ApiKey = Schemas["ApiKey"];
export type Attention = operations["getAttention"]["responses"][200]["content"]["application/json"];
export type AuditEvent = Schemas["AuditEvent"] & Partial<Schemas["AdminAuditEvent"]>;
export type ConsoleNotification = Schemas["ConsoleNotification"];
export type CreatedApiKey = Schemas["CreatedApiKey"];
export type Invitation = Schemas["Invitation"];
export type ModelInfo = Schemas["ModelInfo"];
export type ConnectionUse = Schemas["ConnectionUse"];
export type SecretUse = Schemas["SecretUse"];
export type Session = Schemas["Session"];

/** What an admin may change of an account. */
export type AccountChanges =
  operations["administerAccount"]["requestBody"]["content"]["application/json"];
