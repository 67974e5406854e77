import { expect, test } from "vitest";
import { requireSameOrigin } from "@/lib/api/console/require-same-origin";
import { withService } from "@/lib/platform/test/test-service";

const MESSAGE = /did not come from the console's own pages/;

/** What becomes of a request with these headers where the service is set up under `addresses`. */
function answerTo(
  headers: Record<string, string>,
  addresses: { PUBLIC_URL?: string; NEXTAUTH_URL?: string },
): Promise<string> {
  return withService(addresses, () => {
    try {
      requireSameOrigin(
        new Request("http://console.internal/api/console/profile", { method: "PATCH", headers }),
      );
      return "accepted";
    } catch (error) {
      expect(error).toMatchObject({
        code: "AUTHENTICATION_REQUIRED",
        message: expect.stringMatching(MESSAGE),
      });
      return "refused";
    }
  });
}

const PUBLIC = { PUBLIC_URL: "https://lathe.example/", NEXTAUTH_URL: "https://lathe.example" };

test.each([
  ["https://lathe.example", "accepted"],
  ["http://lathe.example", "refused"],
  ["https://lathe.example:444", "refused"],
  ["https://evil.example", "refused"],
  ["https://lathe.example.evil.example", "refused"],
  ["https://lathe.example/", "refused"],
  ["null", "refused"],
  ["", "refused"],
])(
  "with a public address the Origin %j is %s, whatever the request's own host is",
  async (origin, outcome) => {
    expect(await answerTo({ origin, host: "lathe.example" }, PUBLIC)).toBe(outcome);
    expect(await answerTo({ origin, host: "evil.example" }, PUBLIC)).toBe(outcome);
  },
);

test("a request without an Origin is refused", async () => {
  expect(await answerTo({ host: "lathe.example" }, PUBLIC)).toBe("refused");
  expect(
    await answerTo({ host: "localhost:3000" }, { NEXTAUTH_URL: "http://localhost:3000" }),
  ).toBe("refused");
});

test("a public address and an address for signing in are both the console's own", async () => {
  const two = { PUBLIC_URL: "https://api.example", NEXTAUTH_URL: "https://console.example" };
  expect(await answerTo({ origin: "https://console.example", host: "console.example" }, two)).toBe(
    "accepted",
  );
  expect(await answerTo({ origin: "https://api.example", host: "api.example" }, two)).toBe(
    "accepted",
  );
});

// Nobody has set an address: `npm start` says http://localhost:PORT for itself, and the port may be
// mapped to another one.
const LOCAL = { NEXTAUTH_URL: "http://localhost:3000" };

test.each([
  ["http://localhost:3000", "localhost:3000", "accepted"],
  ["http://127.0.0.1:3000", "127.0.0.1:3000", "accepted"],
  ["http://[::1]:3000", "[::1]:3000", "accepted"],
  ["http://localhost:8080", "localhost:8080", "accepted"],
  ["http://192.168.1.5:3000", "192.168.1.5:3000", "accepted"],
  ["https://localhost:3000", "localhost:3000", "refused"],
  ["http://localhost:4000", "localhost:3001", "refused"],
  ["http://127.0.0.1:3000", "127.0.0.1:3001", "refused"],
  // A name that its owner points at 127.0.0.1 after the page was loaded: Origin and Host agree, and
  // both are his.
  ["http://rebound.example:3000", "rebound.example:3000", "refused"],
  ["http://127.0.0.1.example:3000", "127.0.0.1.example:3000", "refused"],
  ["http://localhost.example", "localhost.example", "refused"],
])("without a public address the Origin %s at the host %s is %s", async (origin, host, outcome) => {
  expect(await answerTo({ origin, host }, LOCAL)).toBe(outcome);
  expect(await answerTo({ origin, host }, {})).toBe(outcome);
});

test("behind a proxy that ends TLS the scheme is the one that the browser used", async () => {
  const proxied = { host: "192.168.1.5", "x-forwarded-proto": "https" };
  expect(await answerTo({ ...proxied, origin: "https://192.168.1.5" }, LOCAL)).toBe("accepted");
  expect(await answerTo({ ...proxied, origin: "http://192.168.1.5" }, LOCAL)).toBe("refused");
});
