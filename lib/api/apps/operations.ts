import "server-only";
import { createAppRunOperation } from "@/lib/api/apps/create-app-run-operation";
import { getAppRunOperation } from "@/lib/api/apps/get-app-run-operation";
import { listAppRunsOperation } from "@/lib/api/apps/list-app-runs-operation";
import type { Operation } from "@/lib/api/http/operation";

/** Every operation of the app-scoped path. */
export const APP_OPERATIONS: Operation[] = [createAppRunOperation, listAppRunsOperation, getAppRunOperation];
