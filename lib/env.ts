import "server-only";
import { z } from "zod";
import { isLoopbackHost } from "@/lib/model/loopback-host";
import { REASONING_EFFORTS } from "@/lib/model/models/model-facts";
import { definePart, type Variables } from "@/lib/service";

const flag = z.stringbool().default(false);
const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback);
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** A number that has no default of its own; an empty value counts as none. */
const optionalCount = z.preprocess(
  (value) => (value === "" ? undefined : value),
  z.coerce.number().int().min(0).optional(),
);

const optionalAmount = z.preprocess(
  (value) => (value === "" ? undefined : value),
  z.coerce.number().min(0).optional(),
);

/** What a process can be there for. */
const ROLES = ["web", "worker"] as const;
const roles = list
  .transform((names) => (names.length > 0 ? names : [...ROLES]))
  .pipe(z.array(z.enum(ROLES, 'it must be "web", "worker" or "web,worker"')));

/** The search providers whose interface the service speaks. */
const SEARCH_PROVIDERS = ["searxng", "brave", "tavily", "exa", "serper"] as const;
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

/**
 * Every variable that the service reads, but those of the providers of models, which stand with
 * each of them (`lib/runtime/models/providers`). `.env.example` is tested against both.
 */
const ownSchema = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  DATABASE_URL: z.string().default(""),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).default(10),
  LATHE_ROLES: roles,
  DATA_DIR: z.string().default(".data"),
  PORT: z.coerce.number().int().default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: z.string().default(""),
  NEXTAUTH_URL: z.string().default(""),
  NEXTAUTH_SECRET: z.string().default(""),
  ENCRYPTION_KEYS: z.string().default(""),
  ENCRYPTION_KEYS_FILE: z.string().default(""),
  SIGNING_SECRET: z.string().default(""),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  AUDIT_LOG: z.enum(["stdout", "stderr", "off"]).default("stdout"),
  ACCESS_LOG: z.stringbool().default(true),
  METRICS_TOKEN: z.string().default(""),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https?$/, error: "it must be an http or https address" }),
    ])
    .default(""),
  OTEL_SERVICE_NAME: z.string().default("lathe"),
  CHECK_RESPONSES: flag,
  API_BASE_HOST: z.string().default(""),
  APP_BASE_HOST: z.string().default(""),
  TRUSTED_PROXIES: list,
  EGRESS_ALLOW: list,
  EGRESS_DENY: list.pipe(
    z.array(z.union([z.cidrv4(), z.cidrv6()], "each entry must be a range such as 203.0.113.0/24")),
  ),
  IP_LIMIT_PER_MINUTE: count(600),
  CONNECTIONS_PER_ADDRESS: optionalCount,
  RATE_LIMIT_PER_MINUTE: count(30),
  WRITE_LIMIT_PER_HOUR: count(30),
  SESSION_LIMIT_PER_MINUTE: count(300),
  MAX_AGENTS_PER_ACCOUNT: count(1000),
  MAX_VERSIONS_PER_AGENT: z.coerce.number().int().min(1).default(500),
  MAX_WORKSPACES_PER_ACCOUNT: count(1000),
  MAX_FILES_PER_ACCOUNT: count(50_000),
  MAX_SCHEDULES_PER_ACCOUNT: count(100),
  MAX_CONVERSATIONS_PER_ACCOUNT: count(100_000),
  MAX_SECRETS_PER_ACCOUNT: count(1000),
  MAX_CONNECTIONS_PER_ACCOUNT: count(100),
  MAX_END_USER_SECRETS_PER_ACCOUNT: count(100_000),
  MAX_END_USER_CONNECTIONS_PER_ACCOUNT: count(100_000),
  RETURN_ORIGINS: list.pipe(
    z.array(
      z
        .string()
        .refine(
          (text) => URL.canParse(text) && new URL(text).origin === text,
          "each entry must be an origin such as https://app.example.com",
        ),
    ),
  ),
  MAX_SKILLS_PER_ACCOUNT: count(500),
  MAX_KEYS_PER_ACCOUNT: count(100),
  MAX_APP_KEYS_PER_AGENT: count(20),
  MAX_UPLOADS_PER_ACCOUNT: count(4),
  SCHEDULE_LEAST_MINUTES: count(5),
  SIGN_UP: z.enum(["", "open", "invite", "closed"]).default(""),
  SIGN_UPS_PER_HOUR: count(30),
  REQUIRE_SECOND_FACTOR: z.enum(["off", "admins", "owners"]).default("off"),
  AUDIT_DAYS: z.coerce.number().int().min(1).default(400),
  RETENTION_RUNS_DAYS: count(0),
  RETENTION_CONVERSATIONS_DAYS: count(0),
  RETENTION_ARTIFACTS_DAYS: count(0),
  RETENTION_DELIVERIES_DAYS: count(30),
  STARTING_CREDITS: optionalAmount,
  FILE_MAX_BYTES: count(100 * 1024 * 1024),
  ACCOUNT_FILES_MAX_BYTES: count(5 * 1024 * 1024 * 1024),
  OFFLINE_MODEL: z.enum(["on", "off"]).default("on"),
  DEFAULT_MODEL: z.string().default(""),
  BUILDER_MODEL: z.string().default(""),
  JUDGE_MODEL: z.string().default(""),
  BUILDER_REASONING: z.enum(REASONING_EFFORTS).default("medium"),
  DEFAULT_REASONING: z.enum(REASONING_EFFORTS).default("medium"),
  MODELS_FILE: z.string().default(""),
  UNKNOWN_MODEL_PRICE: z.string().default(""),
  SEARCH_URL: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https?$/, error: "it must be an http or https address" }),
    ])
    .default(""),
  SEARCH_PROVIDER: z.enum(["", ...SEARCH_PROVIDERS]).default(""),
  SEARCH_API_KEY: z.string().default(""),
  INNGEST_EVENT_KEY: z.string().default(""),
  INNGEST_SIGNING_KEY: z.string().default(""),
  INNGEST_BASE_URL: z.string().default(""),
  INNGEST_DEV: z.string().default(""),
  WORKER_CONCURRENCY: count(100),
  RUNS_AT_WORK_PER_ACCOUNT: count(0),
  PYTHON_CONTAINER_RUNTIME: z.string().default(""),
  PYTHON_CONTAINER_IMAGE: z.string().default(""),
  PYTHON_CONTAINER_HOST: z.string().default(""),
  CODE_SECONDS_MAX: z.coerce.number().int().min(1).max(600).default(600),
  GITHUB_CLIENT_ID: z.string().default(""),
  GITHUB_CLIENT_SECRET: z.string().default(""),
  GOOGLE_CLIENT_ID: z.string().default(""),
  GOOGLE_CLIENT_SECRET: z.string().default(""),
  // Identities are kept by it: with and without its last slash it is the same issuer.
  OIDC_ISSUER: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https?$/, error: "it must be an http or https address" }),
    ])
    .default("")
    // Whoever is on the way to it would say who signs in.
    .refine(
      (issuer) => !/^http:/i.test(issuer) || isLoopbackHost(new URL(issuer).hostname),
      "it must be an https address, but on this machine",
    )
    .transform((issuer) => issuer.replace(/\/$/, "")),
  OIDC_CLIENT_ID: z.string().default(""),
  OIDC_CLIENT_SECRET: z.string().default(""),
  OIDC_NAME: z.string().default("single sign-on"),
  S3_BUCKET: z.string().default(""),
  S3_ENDPOINT: z.string().default(""),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().default(""),
  S3_SECRET_ACCESS_KEY: z.string().default(""),
  S3_FORCE_PATH_STYLE: flag,
  SMTP_URL: z.string().default(""),
  SMTP_TLS: z.enum(["", "off", "starttls", "tls"]).default(""),
  MAIL_FROM: z.string().default(""),
  BACKUP_RECIPIENT: list,
  BACKUP_PASSPHRASE: z.string().default(""),
  BACKUP_PASSPHRASE_FILE: z.string().default(""),
  BACKUP_IDENTITY_FILE: z.string().default(""),
  FAILPOINT: z
    .string()
    .regex(/^$|^[a-z.-]+(:[1-9]\d*)?$/, "it must be name or name:n")
    .default(""),
});

/** The environment as it is parsed. What is not the service's own is kept as it was given. */
export const envSchema = ownSchema.loose();

/**
 * A setting with which the service does not start; the message is one sentence for the operator.
 */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export type Env = z.infer<typeof ownSchema>;

/**
 * What an environment holds beside the service's own variables: each provider of models finds its
 * settings there.
 */
export function variablesOfProviders(env: Env): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        !(entry[0] in ownSchema.shape) && typeof entry[1] === "string",
    ),
  );
}

/** Whether this process answers requests, beside those for its health and its metrics. */
export function isWeb(): boolean {
  return env().LATHE_ROLES.includes("web");
}

/** Whether this process works on runs, deliveries, schedules and sweeps. */
export function isWorker(): boolean {
  return env().LATHE_ROLES.includes("worker") && env().WORKER_CONCURRENCY > 0;
}

/**
 * The settings of the current service, parsed once.
 * @throws SettingsError that names the variable with a bad value
 */
export const env = definePart("env", ({ variables }) => parse(variables ?? process.env));

function parse(variables: Variables): Env {
  const result = envSchema.safeParse(variables);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new SettingsError(
    `The environment variable ${String(issue?.path[0])} cannot be used: ${issue?.message}`,
  );
}
