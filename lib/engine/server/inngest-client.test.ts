import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { inngest } from "@/lib/engine/server/inngest-client";
import { withService } from "@/lib/platform/test/test-service";

test("an event goes without a time of this machine's, by which the server would wait", async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    if (request.url?.startsWith("/e/")) bodies.push(text);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ids: ["1"], status: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // it listens
  const variables = {
    LOG_LEVEL: "silent",
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: "signkey-test-00",
  };
  const event = { id: "one", name: "run/accepted", data: { run_id: "r" } };
  await withService(variables, () => inngest().send(event));
  expect(bodies.map((body) => JSON.parse(body))).toEqual([[expect.objectContaining(event)]]);
  expect(bodies[0]).not.toContain('"ts"');
});
