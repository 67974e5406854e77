import "server-only";
import { consoleDoor } from "@/lib/api/console/console-door";
import { dispatch } from "@/lib/api/http/dispatch";

const answer = (request: Request): Promise<Response> => dispatch(consoleDoor, request);

/** The methods of the console's one route file. */
export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as PATCH, answer as POST, answer as PUT };
