import { routesOf } from "@/lib/api/v1/account-surface";

/** What no other route file below `/v1` answers: there is no such route. */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routesOf([]);
