import { routesOf } from "@/lib/api/v1/account-surface";
import { V1_OPERATIONS_BY_NOUN } from "@/lib/api/v1/operations";

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routesOf(
  V1_OPERATIONS_BY_NOUN["end-users"],
);
