import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { processHooks } from "../platform/process-hooks.mjs";
import { behindListener, close } from "./serve.mjs";

afterEach(() => {
  processHooks().listener = undefined;
  for (const hook of /** @type {const} */ (["shutdown", "flushTelemetry", "closeService"]))
    delete processHooks()[hook];
});

test("a process ends its service last, unanswered, or when another end fails", async () => {
  /** @type {string[]} */
  const ended = [];
  /** @param {string} what */
  const note = (what) => async () => {
    ended.push(what);
  };
  const hooks = processHooks();
  hooks.shutdown = note("work");
  hooks.flushTelemetry = () => Promise.reject(new Error("no collector"));
  hooks.closeService = note("service");
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const server = {
    /** @param {() => void} drained */
    close(drained) {
      ended.push("requests");
      drained();
    },
    closeAllConnections: () => void ended.push("connections"),
  };
  // What a server gives back nobody reads.
  await close(/** @type {import("node:http").Server} */ (/** @type {unknown} */ (server)), {
    close: note("next"),
  });
  expect(ended).toEqual(["requests", "work", "connections", "next", "service"]);
  expect(told).toHaveBeenCalledOnce();
  told.mockRestore();
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
