import { expect, it, vi } from "vitest";
import { requireWebhookUrl } from "@/lib/domain/runs/request-run";
import { log } from "@/lib/platform/log";

const ending = (addresses: string[] | Promise<never>) =>
  requireWebhookUrl({ accountId: "a1" }, "https://hooks.example.com/run", "webhook_url", {
    allow: [],
    lookup: async () => addresses,
  }).then(
    () => "taken",
    (error: { code: string }) => error.code,
  );

it("resolves a webhook's name when it is given: one that leads inside is refused", async () => {
  expect(await ending(["93.184.216.34"])).toBe("taken");
  expect(await ending(["10.0.0.7"])).toBe("INVALID_INPUT");
  expect(await ending(["93.184.216.34", "fd00::1"])).toBe("INVALID_INPUT");
});

it("takes a name that does not resolve: its delivery looks again", async () => {
  expect(await ending([])).toBe("taken");
});

const refusal = (url: string) =>
  requireWebhookUrl({ accountId: "a1" }, url, "webhook_url", {
    allow: ["127.0.0.1:4711"],
    lookup: async () => [],
  }).then(
    () => null,
    (error: Error) => error.message,
  );

it("a webhook that leads inside is refused without the settings, which the log names", async () => {
  const said = vi.spyOn(log, "info");
  const inside = "webhook_url: The URL must lead to a public http or https address.";
  for (const [url, target] of [
    ["http://localhost:4000/hook?key=mine", "localhost:4000"],
    ["https://127.0.0.1/hook", "127.0.0.1:443"],
    ["http://[::1]/", "[::1]:80"],
  ] as const) {
    expect(await refusal(url)).toBe(inside);
    expect(said.mock.lastCall?.[0]).toEqual({
      account_id: "a1",
      target,
      way_out: `EGRESS_ALLOW=${target}@a1`,
    });
  }
});

it("other faults of a webhook's URL do not speak of it, and an allowed target passes", async () => {
  expect(await refusal("ftp://localhost/")).toBe(
    "webhook_url: The URL must begin with http:// or https://.",
  );
  expect(await refusal("http://127.0.0.1:4711/hook")).toBeNull();
});
