import "server-only";
import { accountDoor } from "@/lib/api/http/account-door";
import { dispatch } from "@/lib/api/http/dispatch";

const answer = (request: Request): Promise<Response> => dispatch(accountDoor, request);

/** The methods of a `/v1` route file: one dispatcher finds the operation, so that every answer, 404 and 405 too, is the contract's. */
export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as PATCH, answer as POST, answer as PUT };
