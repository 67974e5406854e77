import { afterEach, expect, test, vi } from "vitest";
import { behindListener } from "./serve.mjs";

const LISTENER = Symbol.for("lathe.listener");
afterEach(() => {
  delete globalThis[LISTENER];
});

test("without a listener nothing is served, and with one all goes through it", () => {
  const [next, response] = [vi.fn(), { writeHead: vi.fn(() => response), end: vi.fn() }];
  const serve = behindListener(next);
  serve({ url: "/v1/runs" }, response);
  expect(response.writeHead).toHaveBeenCalledWith(503, expect.anything());
  globalThis[LISTENER] = { answer: vi.fn() };
  const request = { url: "/agents" };
  serve(request, response);
  expect(globalThis[LISTENER].answer).toHaveBeenCalledWith(request, response, next);
  expect(next).not.toHaveBeenCalled();
});
