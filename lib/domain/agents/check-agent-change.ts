import "server-only";
import { invalidText } from "@/lib/domain/agents/invalid-text";
import { models } from "@/lib/domain/models/models";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { parseConfigTextInSteps } from "@/lib/model/agent-config/parse-config-text";
import { checkDashboardTemplate } from "@/lib/model/dashboard/check-dashboard-template";
import { ServiceError } from "@/lib/model/errors";
import type { JsonIssue } from "@/lib/model/json-schema/json-issue";
import { toDottedPath } from "@/lib/model/json-schema/json-path";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";
import { inSlices } from "@/lib/platform/in-slices";

/** What a PATCH asks for, its texts within their limits; an absent field stays. */
export interface AgentChangeRequest {
  name?: string;
  description?: string | null;
  version?: string;
  skillContent?: string;
  configContent?: string;
  config?: unknown;
  dashboardTemplate?: unknown;
  writeAutonomy?: WriteAutonomy;
  releaseNote?: string | null;
}

/** The same, with the config read: `config` is what will hold, `configText` the text that came for it, if any. */
export type CheckedAgentChange = Omit<AgentChangeRequest, "config" | "configContent"> & { config?: AgentConfig; configText?: string };

/**
 * Reads what a PATCH says about config and dashboard, before anything is looked up. Where both are given, `config` wins over what `configContent`
 * says; the text must be valid all the same.
 * @throws ServiceError INVALID_INPUT, with line and column for a YAML text
 */
export async function checkAgentChange({ config, configContent, ...rest }: AgentChangeRequest): Promise<CheckedAgentChange> {
  const said = configContent === undefined ? undefined : await readText(configContent);
  const wanted = config === undefined ? said : checkedConfig(config);
  if (rest.dashboardTemplate !== undefined && rest.dashboardTemplate !== null) requireDashboard(rest.dashboardTemplate);
  return { ...rest, ...(wanted && { config: wanted }), ...(configContent !== undefined && { configText: configContent }) };
}

const isKnownModel = (id: string) => models().find(id) !== null;

async function readText(text: string): Promise<AgentConfig> {
  const parsed = await inSlices(parseConfigTextInSteps(text, { isKnownModel }));
  if (!parsed.ok) throw invalidText("config_content", parsed.errors);
  return parsed.config;
}

function checkedConfig(value: unknown): AgentConfig {
  const checked = checkAgentConfig(value, { isKnownModel });
  if (!checked.ok) throw invalidJson("config", checked.issues);
  return checked.config;
}

function requireDashboard(value: unknown): void {
  const checked = checkDashboardTemplate(value);
  if (!checked.ok) throw invalidJson("dashboard_template", checked.issues);
}

function invalidJson(field: string, issues: readonly JsonIssue[]): ServiceError {
  const details = issues.map(({ path, message }) => ({ path: toDottedPath(path, field), message }));
  return new ServiceError("INVALID_INPUT", details.map((detail) => `${detail.path}: ${detail.message}`).join("; "), { details });
}
