import { expect, test } from "vitest";
import { toOriginForm } from "@/lib/server/listener";

function brought(url: string, host = "own.test") {
  const request = { url, headers: { host } };
  toOriginForm(request);
  return [request.url, request.headers.host];
}

test("a path is left as it is", () => {
  for (const url of ["/", "/v1/runs?limit=1", "//v1/runs", "/http://x/y"])
    expect(brought(url)).toEqual([url, "own.test"]);
});

test("of a whole address the path counts, and its host instead of the header's", () => {
  expect(brought("http://api.test:81/v1/runs?a=/b")).toEqual(["/v1/runs?a=/b", "api.test:81"]);
  expect(brought("HTTPS://user:pw@api.test")).toEqual(["/", "api.test"]);
  expect(brought("http://api.test?x=1")).toEqual(["/?x=1", "api.test"]);
});

test("any other target becomes a path that no route has", () => {
  expect(brought("*")).toEqual(["/*", "own.test"]);
  expect(brought("")).toEqual(["/", "own.test"]);
});
