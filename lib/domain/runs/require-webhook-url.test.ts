import { expect, it } from "vitest";
import { requireWebhookUrl } from "./require-webhook-url";

const ending = (addresses: string[] | Promise<never>) =>
  requireWebhookUrl("https://hooks.example.com/run", "webhook_url", { allow: [], lookup: async () => addresses }).then(
    () => "taken",
    (error: { code: string }) => error.code,
  );

it("resolves a webhook's name when it is given: one that leads inside is refused, and so is one that leads inside too", async () => {
  expect(await ending(["93.184.216.34"])).toBe("taken");
  expect(await ending(["10.0.0.7"])).toBe("INVALID_INPUT");
  expect(await ending(["93.184.216.34", "fd00::1"])).toBe("INVALID_INPUT");
});

it("takes a name that does not resolve: its delivery looks again", async () => {
  expect(await ending([])).toBe("taken");
});
