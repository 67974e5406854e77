import { expect, it } from "vitest";
import { requireWebhookUrl } from "@/lib/domain/runs/request-run";

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

const refusal = (url: string) =>
  requireWebhookUrl(url, "webhook_url", { allow: ["127.0.0.1:4711"], lookup: async () => [] }).then(
    () => null,
    (error: Error) => error.message,
  );

it("a webhook that leads inside is refused with the setting that would allow that very target", async () => {
  const inside = "must lead to a public http or https address. For development the operator of this service can allow a single target:";
  expect(await refusal("http://localhost:4000/hook?key=mine")).toBe(`webhook_url: The URL ${inside} EGRESS_ALLOW=localhost:4000`);
  expect(await refusal("https://127.0.0.1/hook")).toBe(`webhook_url: The URL ${inside} EGRESS_ALLOW=127.0.0.1:443`);
  expect(await refusal("http://[::1]/")).toBe(`webhook_url: The URL ${inside} EGRESS_ALLOW=[::1]:80`);
});

it("other faults of a webhook's URL do not speak of it, and a target that is allowed passes", async () => {
  expect(await refusal("ftp://localhost/")).toBe("webhook_url: The URL must begin with http:// or https://.");
  expect(await refusal("http://127.0.0.1:4711/hook")).toBeNull();
});
