import { expect, test } from "vitest";
import { answerClientDocument } from "@/lib/api/http/service-routes";
import { withService } from "@/lib/platform/test/test-service";

/** The answer of a service with this address. */
const ask = (PUBLIC_URL: string) =>
  withService({ PUBLIC_URL }, () =>
    answerClientDocument(new Request("https://lathe.example/client-metadata.json")),
  );

test("the document names this service by its address, and where people return", async () => {
  const response = await ask("https://lathe.example/");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    client_id: "https://lathe.example/client-metadata.json",
    redirect_uris: ["https://lathe.example/api/console/connections/callback"],
    token_endpoint_auth_method: "none",
  });
});

test.each(["", "http://lathe.example", "https://localhost:3000"])(
  "under the address %j, which others cannot read it at, there is none",
  async (address) => {
    expect((await ask(address)).status).toBe(404);
  },
);
