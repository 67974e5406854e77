import "server-only";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentDocument, parseAgentDocument } from "@/lib/model/agent-document/agent-document";

/** What a person has to bring along before an agent of the template can work. */
export interface TemplateNeed {
  kind: "secret" | "file" | "schedule" | "connector" | "other";
  text: string;
}

export const TEMPLATE_CATEGORIES = [
  "data",
  "research",
  "documents",
  "extraction",
  "reporting",
  "monitoring",
  "writing",
  "connectors",
] as const;

interface TemplateEntry {
  /** Its file's name, without `.yaml`. */
  name: string;
  title: string;
  category: (typeof TEMPLATE_CATEGORIES)[number];
  needs: readonly TemplateNeed[];
  /** Whether `builtin/offline` does what the agent is for. */
  isForRules: boolean;
}

/**
 * A complete agent to begin with: the document that `POST /v1/agents/import` takes, and what stands
 * around it.
 */
export interface Template extends TemplateEntry {
  /** The document as it was written, with its comments. */
  content: string;
  document: AgentDocument;
}

const model: TemplateNeed = {
  kind: "other",
  text: "A language model; the built-in one of rules cannot do this.",
};
const search: TemplateNeed = {
  kind: "other",
  text: "Web search switched on by the operator of this deployment.",
};
const file = (text: string): TemplateNeed => ({ kind: "file", text });
const secret = (name: string, host: string, what: string): TemplateNeed => ({
  kind: "secret",
  text: `${name}: ${what}, allowed for ${host}.`,
});
const schedule = (text: string): TemplateNeed => ({ kind: "schedule", text });

function entry(
  name: string,
  title: string,
  category: TemplateEntry["category"],
  ...needs: TemplateNeed[]
): TemplateEntry {
  return { name, title, category, needs, isForRules: !needs.includes(model) };
}

/** In the order in which they are offered: first what works as soon as the service does. */
const ENTRIES: readonly TemplateEntry[] = [
  entry(
    "table-questions",
    "Questions about tables",
    "data",
    file("A CSV, TSV or JSON table in the run's workspace."),
  ),
  entry(
    "table-profile",
    "Profile of a table",
    "data",
    file("A CSV, TSV or JSON table in the run's workspace."),
  ),
  entry(
    "document-answers",
    "Answers from documents",
    "documents",
    file("Text or Markdown files in the run's workspace."),
  ),
  entry(
    "sales-report",
    "Sales report with dashboard",
    "reporting",
    model,
    file("A table with an amount, a date and a group."),
  ),
  entry(
    "survey-summary",
    "Survey summary",
    "data",
    model,
    file("The survey's export, one row for each respondent."),
  ),
  entry("data-cleaning", "Data cleaning", "data", model, file("The table to clean.")),
  entry("log-analysis", "Log investigation", "data", model, file("The log files.")),
  entry("web-research", "Research brief", "research", model, search),
  entry("vendor-comparison", "Vendor comparison", "research", model, search),
  entry("fact-checker", "Fact check of a draft", "research", model, search),
  entry("meeting-notes", "Meeting minutes", "documents", model),
  entry(
    "contract-review",
    "Contract review",
    "documents",
    model,
    file("The contract as text, with its annexes."),
  ),
  entry("support-triage", "Support triage", "extraction", model),
  entry("invoice-extraction", "Invoice as JSON", "extraction", model),
  entry(
    "contact-extraction",
    "Contacts from notes",
    "extraction",
    model,
    file("Mails or notes as text files."),
  ),
  entry(
    "kpi-monitor",
    "Key figures with dashboard",
    "reporting",
    model,
    file("`kpis.md` with the definitions, and the tables."),
    schedule("Weekly, on the first working day."),
  ),
  entry(
    "incident-review",
    "Incident review",
    "reporting",
    model,
    file("Chat, alerts and notes of the incident."),
  ),
  entry("release-notes", "Release notes", "writing", model),
  entry(
    "page-monitor",
    "Watch web pages",
    "monitoring",
    model,
    file("A workspace that keeps what was seen."),
    schedule("Daily, or as often as the pages matter."),
  ),
  entry(
    "news-digest",
    "News digest",
    "monitoring",
    model,
    search,
    file("A workspace that keeps what was reported."),
    schedule("Each morning or once a week."),
  ),
  entry("style-editor", "Editing in house style", "writing", model),
  entry(
    "translation",
    "Translation with glossary",
    "writing",
    model,
    file("`glossary.csv`, if there is one."),
  ),
  entry(
    "ticket-writer",
    "Bug report to GitHub issue",
    "connectors",
    model,
    secret("GITHUB_TOKEN", "api.github.com", "a GitHub token that may write issues"),
  ),
  entry(
    "pull-request-reviewer",
    "Pull request review",
    "connectors",
    model,
    secret(
      "GITHUB_TOKEN",
      "api.githubcopilot.com",
      "a GitHub token that may read the repository and comment",
    ),
    { kind: "connector", text: "GitHub's MCP server, which the template configures." },
  ),
  entry(
    "standup-poster",
    "Standup to Slack",
    "connectors",
    model,
    secret("SLACK_BOT_TOKEN", "slack.com", "a Slack bot token with chat:write"),
    file("One note for each person below `standup/`."),
    schedule("On working days."),
  ),
  entry(
    "mail-sender",
    "Mail to a customer",
    "connectors",
    model,
    secret("RESEND_KEY", "api.resend.com", "a Resend key that may send"),
  ),
  entry(
    "crm-notes",
    "Call notes to HubSpot",
    "connectors",
    model,
    secret("HUBSPOT_TOKEN", "api.hubapi.com", "a HubSpot token for contacts and notes"),
  ),
];

let loaded: readonly Template[] | null = null;

/**
 * The templates, read once. @throws Error when a document is missing or does not fit, which a test
 * rules out
 */
export function templates(): readonly Template[] {
  loaded ??= ENTRIES.map(load);
  return loaded;
}

export function findTemplate(name: string): Template | null {
  return templates().find((template) => template.name === name) ?? null;
}

function load(entry: TemplateEntry): Template {
  const path = join(
    /* turbopackIgnore: true */ process.cwd(),
    "lib",
    "templates",
    `${entry.name}.yaml`,
  );
  const content = readFileSync(path, "utf8");
  const parsed = parseAgentDocument(content);
  if (!parsed.ok)
    throw new Error(
      `${path}: ` +
        parsed.errors
          .map(({ path, message, line }) => `line ${line} ${path}: ${message}`)
          .join("; "),
    );
  return { ...entry, content, document: parsed.document };
}
