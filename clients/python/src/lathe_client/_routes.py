# Generated from the document of the API. Never edit it; after a change of an operation run:
#   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
from __future__ import annotations

IDEMPOTENT_ROUTES = {
    "/v1/agents",
    "/v1/agents/{agent_id}/edits",
    "/v1/agents/{agent_id}/schedules/{schedule_id}/run",
    "/v1/runs",
    "/v1/runs/{run_id}/replay",
    "/v1/runs/{run_id}/messages",
    "/v1/super-agent/runs",
    "/v1/super-agent/runs/{run_id}/messages",
    "/api/v1/apps/{appId}/runs",
    "/api/v1/apps/{appId}/runs/{runId}/messages",
}
