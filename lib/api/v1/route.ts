import "server-only";
import { accountDoor } from "@/lib/api/http/account-door";
import { dispatch } from "@/lib/api/http/dispatch";
import type { Operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";

type RouteHandler = (request: Request) => Promise<Response>;

/** The methods of a route file of `/v1` that serves these operations: one dispatcher finds the operation, so that every answer, 404 and 405 too, is the contract's. */
export function routesOf(operations: readonly Operation[]) {
  const door = { ...accountDoor, router: new Router(operations) };
  const answer: RouteHandler = (request) => dispatch(door, request);
  return { DELETE: answer, GET: answer, HEAD: answer, OPTIONS: answer, PATCH: answer, POST: answer, PUT: answer };
}
