import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openAdminSession } from "./admin";
import { startOauthMcpServer } from "./oauth-mcp-server";
import { freePort, startHelperServer } from "./servers";
import { startService } from "./start-service";

/** The service under test refuses larger uploads: small enough to be crossed in a test. */
const FILE_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Starts the model server, the webhook receiver, an MCP server that signs people in, and the built
 * service, one of each for the whole suite, and returns what stops them.
 * `E2E_SERVER=none` starts nothing (for the tests of the support code); `E2E_BASE_URL` uses a
 * service that runs already, which then needs `E2E_ADMIN`, `E2E_MODEL_URL`, `E2E_WEBHOOK_URL` and
 * `E2E_OAUTH_MCP_URL`.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_SERVER === "none" || process.env.E2E_BASE_URL) return undefined;
  const dataDir = await mkdtemp(path.join(tmpdir(), "lathe-e2e-"));
  const logFolder = path.join(process.cwd(), "test-results");
  await mkdir(logFolder, { recursive: true });
  const model = await startHelperServer("model", Number(process.env.E2E_MODEL_PORT ?? 0));
  const webhook = await startHelperServer("webhook", Number(process.env.E2E_WEBHOOK_PORT ?? 0));
  const tickets = await startOauthMcpServer();
  const stopHelpers = () => Promise.all([model.stop(), webhook.stop(), tickets.stop()]);
  try {
    const service = await startService({
      port: process.env.E2E_PORT ? Number(process.env.E2E_PORT) : await freePort(),
      dataDir: path.join(dataDir, "data"),
      modelUrl: model.url,
      logFile: path.join(tmpdir(), `${path.basename(dataDir)}.log`),
      environment: {
        EGRESS_ALLOW: `${new URL(webhook.url).host},${tickets.host}`,
        FILE_MAX_BYTES: String(FILE_MAX_BYTES),
      },
    });
    const session = await openAdminSession(path.join(dataDir, "data"));
    process.env.E2E_ADMIN_SESSION = session.url;
    process.env.E2E_BASE_URL = service.baseUrl;
    process.env.E2E_DATA_DIR = path.join(dataDir, "data");
    process.env.E2E_MODEL_URL = model.url;
    process.env.E2E_WEBHOOK_URL = webhook.url;
    process.env.E2E_OAUTH_MCP_URL = tickets.serverUrl;
    process.env.E2E_FILE_MAX_BYTES = String(FILE_MAX_BYTES);
    return async () => {
      await session.stop();
      await service.stop();
      await stopHelpers();
      await rm(dataDir, { recursive: true, force: true });
    };
  } catch (error) {
    await stopHelpers();
    throw error;
  }
}
