import "server-only";
import { appDoor } from "@/lib/api/apps/app-door";
import { dispatch } from "@/lib/api/http/dispatch";

const answer = (request: Request): Promise<Response> => dispatch(appDoor, request);

/** The methods of the app-scoped path's one route file. */
export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as PATCH, answer as POST, answer as PUT };
