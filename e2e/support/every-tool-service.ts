import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "./accounts";
import { openAdminSession } from "./admin";
import { type MailServer, startMailServer } from "./mail-server";
import { type OauthMcpServer, startOauthMcpServer } from "./oauth-mcp-server";
import { type S3Server, startS3Server } from "./s3/s3-server";
import { freePort } from "./servers";
import { startService } from "./start-service";
import { test as base } from "./test";

export const PAGE_TEXT = "The tide is high at noon.";

/**
 * One service with everything that a tool, a connector or a notification reaches: an S3, a mail
 * server, a search, a page, an MCP server, an authorization server.
 */
export interface World {
  s3: S3Server;
  mail: MailServer;
  tickets: OauthMcpServer;
  /** A page to read; beside it lies the search. */
  pageUrl: string;
  baseUrl: string;
  dataDir: string;
  newAccount(options?: Parameters<typeof createAccount>[1]): Promise<TestAccount>;
}

export const test = base.extend<object, { world: World }>({
  world: [
    async ({ modelUrl, webhookUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-tools-"));
      const [s3, mail, tickets, web] = [
        await startS3Server(),
        await startMailServer(),
        await startOauthMcpServer(),
        await startWeb(),
      ];
      const dataDir = path.join(folder, "data");
      const port = await freePort();
      const service = await startService({
        port,
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment: {
          ...s3.environment,
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          SMTP_URL: mail.url,
          MAIL_FROM: "Lathe <no-reply@example.test>",
          OPENAI_COMPATIBLE_IMAGE_MODELS: "painter",
          OPENAI_COMPATIBLE_SPEECH_MODELS: "speaker",
          OPENAI_COMPATIBLE_VIDEO_MODELS: "filmer",
          SEARCH_PROVIDER: "searxng",
          SEARCH_URL: `${web.url}/search`,
          EGRESS_ALLOW: [web.url, webhookUrl, tickets.serverUrl]
            .map((url) => new URL(url).host)
            .join(","),
        },
      });
      const session = await openAdminSession(dataDir);
      const newAccount: World["newAccount"] = (options) =>
        createAccount(service.baseUrl, options, { DATA_DIR: dataDir });
      await use({
        s3,
        mail,
        tickets,
        pageUrl: `${web.url}/tides`,
        baseUrl: service.baseUrl,
        dataDir,
        newAccount,
      });
      await session.stop();
      await service.stop();
      await Promise.all([s3.stop(), mail.stop(), tickets.stop(), web.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
  account: [
    async ({ world }, use) => use(await world.newAccount({ credits: 1_000_000, superAgent: true })),
    { scope: "worker", timeout: 600_000 },
  ],
});

/** A page of text, and a search in the words of SearXNG that finds it. */
async function startWeb(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/search"))
      return void response.writeHead(200, { "content-type": "text/plain" }).end(PAGE_TEXT);
    const results = [
      { title: "Tides", url: `http://${request.headers.host}/tides`, content: "High at noon." },
    ];
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
