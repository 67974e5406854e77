import { V1_OPERATIONS_BY_NOUN } from "@/lib/api/v1/operations";
import { routesOf } from "@/lib/api/v1/route";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routesOf(V1_OPERATIONS_BY_NOUN["webhook-deliveries"]);
