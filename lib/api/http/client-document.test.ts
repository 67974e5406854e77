import { expect, test, vi } from "vitest";
import { answerClientDocument } from "@/lib/api/http/service-routes";

// Read when the environment is, so before any module of ours is loaded.
const set = await vi.hoisted(async () => {
  const { env } = await import("@/lib/env");
  return (PUBLIC_URL: string) => Object.assign(env(), { PUBLIC_URL, NEXTAUTH_URL: "" });
});

const ask = () => answerClientDocument(new Request("https://lathe.example/client-metadata.json"));

test("the document names this service by its own address, and where people are sent back to", async () => {
  set("https://lathe.example/");
  const response = ask();
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    client_id: "https://lathe.example/client-metadata.json",
    redirect_uris: ["https://lathe.example/api/console/connections/callback"],
    token_endpoint_auth_method: "none",
  });
});

test.each(["", "http://lathe.example", "https://localhost:3000"])(
  "under the address %j, which others cannot read it at, there is none",
  (address) => {
    set(address);
    expect(ask().status).toBe(404);
  },
);
