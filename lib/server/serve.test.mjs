import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { processHooks } from "../platform/process-hooks.mjs";
import { behindListener } from "./serve.mjs";

afterEach(() => {
  processHooks().listener = undefined;
});

test("without a listener nothing is served, and with one all goes through it", () => {
  const next = vi.fn();
  const serve = behindListener(next);
  const request = new IncomingMessage(new Socket());
  const refused = new ServerResponse(request);
  serve(request, refused);
  expect(refused.statusCode).toBe(503);
  const listener = { answer: vi.fn(), watch: vi.fn() };
  processHooks().listener = listener;
  const response = new ServerResponse(request);
  serve(request, response);
  expect(listener.answer).toHaveBeenCalledWith(request, response, next);
  expect(next).not.toHaveBeenCalled();
});
