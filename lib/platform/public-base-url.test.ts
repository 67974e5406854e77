import { expect, test } from "vitest";
import { configuredBaseUrl, publicBaseUrl } from "@/lib/platform/public-base-url";
import { withService } from "@/lib/platform/test/test-service";

test("the operator's word precedes the called host, PUBLIC_URL first, slashless", async () => {
  const NEXTAUTH_URL = "https://console.example/";
  await withService({ NEXTAUTH_URL }, () =>
    expect(publicBaseUrl("called.example")).toBe("https://console.example"),
  );
  await withService({ NEXTAUTH_URL, PUBLIC_URL: "https://lathe.example//" }, () => {
    expect(publicBaseUrl("called.example")).toBe("https://lathe.example");
    expect(configuredBaseUrl()).toBe("https://lathe.example");
  });
});

test("where nothing is set the called host counts, and without a call this machine", () =>
  withService({ PORT: "4321" }, () => {
    expect(configuredBaseUrl()).toBe(null);
    expect(publicBaseUrl("called.example:81")).toBe("http://called.example:81");
    expect(publicBaseUrl()).toBe("http://localhost:4321");
  }));
