import { expect, test } from "vitest";
import { configuredBaseUrl, publicBaseUrl } from "@/lib/platform/public-base-url";
import { withService } from "@/lib/platform/test/test-service";

test("what the operator says wins over the host that was called, PUBLIC_URL first, and ends without a slash", async () => {
  const NEXTAUTH_URL = "https://console.example/";
  await withService({ NEXTAUTH_URL }, () =>
    expect(publicBaseUrl("called.example")).toBe("https://console.example"),
  );
  await withService({ NEXTAUTH_URL, PUBLIC_URL: "https://lathe.example//" }, () => {
    expect(publicBaseUrl("called.example")).toBe("https://lathe.example");
    expect(configuredBaseUrl()).toBe("https://lathe.example");
  });
});

test("where nothing is set the host that was called counts, and without a call this machine's own name", () =>
  withService({ PORT: "4321" }, () => {
    expect(configuredBaseUrl()).toBe(null);
    expect(publicBaseUrl("called.example:81")).toBe("http://called.example:81");
    expect(publicBaseUrl()).toBe("http://localhost:4321");
  }));
