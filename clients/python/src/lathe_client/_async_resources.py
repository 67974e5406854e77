# Generated from the document of the API. Never edit it; after a change of an operation run:
#   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
from __future__ import annotations

from typing import Any, AsyncIterator, Mapping, Optional, cast

from . import types
from . import types as all_types
from ._core import AsyncCore, call, rows


class Account:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def get(self) -> types.Account:
        """The calling account."""
        return cast("types.Account", await self._core.run(call("GET", "/v1/account")))

    async def usage(self, *, group_by: Optional[str] = None, from: Optional[str] = None, to: Optional[str] = None, end_user: Optional[str] = None) -> types.AccountUsage:
        """Wallet and spend."""
        return cast("types.AccountUsage", await self._core.run(call("GET", "/v1/account/usage", query={"group_by": group_by, "from": from, "to": to, "end_user": end_user})))

    async def webhook_secret(self) -> types.WebhookSecret:
        """The signing secret."""
        return cast("types.WebhookSecret", await self._core.run(call("GET", "/v1/account/webhook-secret")))

    async def rotate_webhook_secret(self, body: Optional[Mapping[str, Any]] = None) -> types.WebhookSecret:
        """Rotate the signing secret."""
        return cast("types.WebhookSecret", await self._core.run(call("POST", "/v1/account/webhook-secret/rotate", body=body)))


class AgentCases:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, agent_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.AgentCase]:
        """List an agent's cases."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/cases", ids={"agent_id": agent_id}, query={"limit": limit, "cursor": cursor}))

    async def create(self, agent_id: str, body: types.CreateAgentCaseRequest) -> types.AgentCase:
        """Add a case to an agent."""
        return cast("types.AgentCase", await self._core.run(call("POST", "/v1/agents/{agent_id}/cases", ids={"agent_id": agent_id}, body=body)))

    async def delete(self, agent_id: str, case_id: str) -> None:
        """Delete a case of an agent."""
        await self._core.run(call("DELETE", "/v1/agents/{agent_id}/cases/{case_id}", ids={"agent_id": agent_id, "case_id": case_id}))


class Agents:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[str] = None, q: Optional[str] = None) -> AsyncIterator[types.AgentMetadata]:
        """List agents."""
        return self._core.iterate(rows("/v1/agents", query={"limit": limit, "cursor": cursor, "status": status, "q": q}))

    async def get(self, agent_id: str) -> types.Agent:
        """Fetch an agent."""
        return cast("types.Agent", await self._core.run(call("GET", "/v1/agents/{agent_id}", ids={"agent_id": agent_id})))

    async def update(self, agent_id: str, body: types.UpdateAgentRequest, *, headers: Optional[Mapping[str, str]] = None) -> types.Agent:
        """Change an agent."""
        return cast("types.Agent", await self._core.run(call("PATCH", "/v1/agents/{agent_id}", ids={"agent_id": agent_id}, body=body, headers=headers)))

    async def archive(self, agent_id: str) -> None:
        """Archive an agent."""
        await self._core.run(call("DELETE", "/v1/agents/{agent_id}", ids={"agent_id": agent_id}))

    async def duplicate(self, agent_id: str, body: Optional[types.DuplicateAgentRequest] = None) -> types.Agent:
        """Copy an agent."""
        return cast("types.Agent", await self._core.run(call("POST", "/v1/agents/{agent_id}/duplicate", ids={"agent_id": agent_id}, body=body)))

    def list_versions(self, agent_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.AgentVersionMetadata]:
        """List an agent's versions."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/versions", ids={"agent_id": agent_id}, query={"limit": limit, "cursor": cursor}))

    async def get_version(self, agent_id: str, version_id: str) -> types.AgentVersion:
        """Fetch a version."""
        return cast("types.AgentVersion", await self._core.run(call("GET", "/v1/agents/{agent_id}/versions/{version_id}", ids={"agent_id": agent_id, "version_id": version_id})))

    async def restore_version(self, agent_id: str, version_id: str, body: Optional[types.RestoreAgentVersionRequest] = None) -> types.Agent:
        """Restore a version."""
        return cast("types.Agent", await self._core.run(call("POST", "/v1/agents/{agent_id}/versions/{version_id}/restore", ids={"agent_id": agent_id, "version_id": version_id}, body=body)))

    def list_edits(self, agent_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.EditRun]:
        """List an agent's edits."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/edits", ids={"agent_id": agent_id}, query={"limit": limit, "cursor": cursor}))

    async def get_edit(self, agent_id: str, run_id: str) -> types.EditRun:
        """Fetch an edit."""
        return cast("types.EditRun", await self._core.run(call("GET", "/v1/agents/{agent_id}/edits/{run_id}", ids={"agent_id": agent_id, "run_id": run_id})))


class Apps:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def create_run(self, app_id: str, body: types.CreateAppRunRequest, *, headers: Optional[Mapping[str, str]] = None) -> types.AppRun:
        """Start a run of the key's agent."""
        return cast("types.AppRun", await self._core.run(call("POST", "/api/v1/apps/{appId}/runs", ids={"appId": app_id}, body=body, headers=headers)))

    async def get_run(self, app_id: str, run_id: str) -> types.AppRun:
        """Fetch a run."""
        return cast("types.AppRun", await self._core.run(call("GET", "/api/v1/apps/{appId}/runs/{runId}", ids={"appId": app_id, "runId": run_id})))

    async def list_runs(self, app_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[str] = None, conversation_id: Optional[str] = None, end_user: Optional[str] = None, created_after: Optional[str] = None, created_before: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None) -> types.AppRunPage:
        """List runs."""
        return cast("types.AppRunPage", await self._core.run(call("GET", "/api/v1/apps/{appId}/runs", ids={"appId": app_id}, query={"limit": limit, "cursor": cursor, "status": status, "conversationId": conversation_id, "endUser": end_user, "createdAfter": created_after, "createdBefore": created_before, "metadata": metadata})))

    async def update_run(self, app_id: str, run_id: str, body: types.UpdateAppRunRequest) -> types.AppRun:
        """Raise a run's limit."""
        return cast("types.AppRun", await self._core.run(call("PATCH", "/api/v1/apps/{appId}/runs/{runId}", ids={"appId": app_id, "runId": run_id}, body=body)))

    async def cancel_run(self, app_id: str, run_id: str) -> types.AppRun:
        """Cancel a run."""
        return cast("types.AppRun", await self._core.run(call("POST", "/api/v1/apps/{appId}/runs/{runId}/cancel", ids={"appId": app_id, "runId": run_id})))

    async def submit_tool_results(self, app_id: str, run_id: str, body: types.AppToolResultsRequest) -> types.AppRun:
        """Post results of client tools."""
        return cast("types.AppRun", await self._core.run(call("POST", "/api/v1/apps/{appId}/runs/{runId}/tool-results", ids={"appId": app_id, "runId": run_id}, body=body)))

    async def send_message(self, app_id: str, run_id: str, body: types.AppSendMessageRequest, *, headers: Optional[Mapping[str, str]] = None) -> types.AppAcceptedMessage:
        """Say something to a run."""
        return cast("types.AppAcceptedMessage", await self._core.run(call("POST", "/api/v1/apps/{appId}/runs/{runId}/messages", ids={"appId": app_id, "runId": run_id}, body=body, headers=headers)))

    async def list_approvals(self, app_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[str] = None, run_id: Optional[str] = None) -> types.AppApprovalPage:
        """List approvals."""
        return cast("types.AppApprovalPage", await self._core.run(call("GET", "/api/v1/apps/{appId}/approvals", ids={"appId": app_id}, query={"limit": limit, "cursor": cursor, "status": status, "runId": run_id})))

    async def get_approval(self, app_id: str, approval_id: str) -> types.AppApproval:
        """Fetch an approval."""
        return cast("types.AppApproval", await self._core.run(call("GET", "/api/v1/apps/{appId}/approvals/{approvalId}", ids={"appId": app_id, "approvalId": approval_id})))

    async def resolve_approval(self, app_id: str, approval_id: str, body: types.ResolveAppApprovalRequest) -> types.AppApproval:
        """Decide an approval."""
        return cast("types.AppApproval", await self._core.run(call("POST", "/api/v1/apps/{appId}/approvals/{approvalId}/resolve", ids={"appId": app_id, "approvalId": approval_id}, body=body)))


class Approvals:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[str] = None, run_id: Optional[str] = None) -> AsyncIterator[types.Approval]:
        """List approvals."""
        return self._core.iterate(rows("/v1/approvals", query={"limit": limit, "cursor": cursor, "status": status, "run_id": run_id}))

    async def get(self, approval_id: str) -> types.Approval:
        """Fetch an approval."""
        return cast("types.Approval", await self._core.run(call("GET", "/v1/approvals/{approval_id}", ids={"approval_id": approval_id})))

    async def resolve(self, approval_id: str, body: types.ResolveApprovalRequest) -> types.Approval:
        """Decide an approval."""
        return cast("types.Approval", await self._core.run(call("POST", "/v1/approvals/{approval_id}/resolve", ids={"approval_id": approval_id}, body=body)))

    def list_remembered(self, agent_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.RememberedApproval]:
        """List what an agent asks no more about."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/remembered-approvals", ids={"agent_id": agent_id}, query={"limit": limit, "cursor": cursor}))

    async def delete_remembered(self, agent_id: str, remembered_id: str) -> None:
        """Have an agent ask again."""
        await self._core.run(call("DELETE", "/v1/agents/{agent_id}/remembered-approvals/{remembered_id}", ids={"agent_id": agent_id, "remembered_id": remembered_id}))


class Artifacts:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def delete(self, artifact_id: str) -> None:
        """Delete an artifact."""
        await self._core.run(call("DELETE", "/v1/artifacts/{artifact_id}", ids={"artifact_id": artifact_id}))


class ClientTokens:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def create(self, body: types.CreateClientTokenRequest) -> types.ClientToken:
        """Make a token for a browser."""
        return cast("types.ClientToken", await self._core.run(call("POST", "/v1/client-tokens", body=body)))


class Connectors:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def convert_openapi(self, body: types.ConvertOpenapiRequest) -> types.OpenapiTools:
        """Make http tools of an OpenAPI document."""
        return cast("types.OpenapiTools", await self._core.run(call("POST", "/v1/connectors/openapi", body=body)))


class Conversations:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, family: Optional[str] = None, end_user: Optional[str] = None) -> AsyncIterator[types.Conversation]:
        """List conversations."""
        return self._core.iterate(rows("/v1/conversations", query={"limit": limit, "cursor": cursor, "family": family, "end_user": end_user}))

    async def get(self, conversation_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> types.ConversationWithMessages:
        """Fetch a conversation."""
        return cast("types.ConversationWithMessages", await self._core.run(call("GET", "/v1/conversations/{conversation_id}", ids={"conversation_id": conversation_id}, query={"limit": limit, "cursor": cursor})))

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation."""
        await self._core.run(call("DELETE", "/v1/conversations/{conversation_id}", ids={"conversation_id": conversation_id}))


class Documents:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def openapi(self) -> Any:
        """This document."""
        return cast("Any", await self._core.run(call("GET", "/v1/openapi.json")))

    async def agent_config_schema(self) -> Any:
        """The JSON Schema of the agent config."""
        return cast("Any", await self._core.run(call("GET", "/v1/schemas/agent-config.json")))

    async def dashboard_template_schema(self) -> Any:
        """The JSON Schema of the dashboard template."""
        return cast("Any", await self._core.run(call("GET", "/v1/schemas/dashboard-template.json")))


class Files:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, workspace_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, prefix: Optional[str] = None) -> AsyncIterator[types.WorkspaceFile]:
        """List files."""
        return self._core.iterate(rows("/v1/workspaces/{workspace_id}/files", ids={"workspace_id": workspace_id}, query={"limit": limit, "cursor": cursor, "prefix": prefix}))

    async def get(self, workspace_id: str, file_id: str) -> types.WorkspaceFile:
        """Fetch a file's record."""
        return cast("types.WorkspaceFile", await self._core.run(call("GET", "/v1/workspaces/{workspace_id}/files/{file_id}", ids={"workspace_id": workspace_id, "file_id": file_id})))

    async def delete(self, workspace_id: str, file_id: str) -> None:
        """Delete a file."""
        await self._core.run(call("DELETE", "/v1/workspaces/{workspace_id}/files/{file_id}", ids={"workspace_id": workspace_id, "file_id": file_id}))


class EndUsers:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, prefix: Optional[str] = None) -> AsyncIterator[types.EndUser]:
        """List end users."""
        return self._core.iterate(rows("/v1/end-users", query={"limit": limit, "cursor": cursor, "prefix": prefix}))

    async def get(self, end_user: str) -> types.EndUserDetails:
        """Fetch an end user."""
        return cast("types.EndUserDetails", await self._core.run(call("GET", "/v1/end-users/{end_user}", ids={"end_user": end_user})))

    async def erase(self, end_user: str) -> types.EndUserErasure:
        """Erase an end user."""
        return cast("types.EndUserErasure", await self._core.run(call("DELETE", "/v1/end-users/{end_user}", ids={"end_user": end_user})))

    async def set_limits(self, end_user: str, body: types.SetEndUserLimitsRequest) -> types.EndUserDetails:
        """Limit an end user."""
        return cast("types.EndUserDetails", await self._core.run(call("PUT", "/v1/end-users/{end_user}/limits", ids={"end_user": end_user}, body=body)))


class Memories:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, agent_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None, end_user: Optional[str] = None) -> AsyncIterator[types.Memory]:
        """List an agent's memories."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/memories", ids={"agent_id": agent_id}, query={"limit": limit, "cursor": cursor, "end_user": end_user}))

    async def get(self, agent_id: str, memory_id: str) -> types.Memory:
        """Fetch a memory."""
        return cast("types.Memory", await self._core.run(call("GET", "/v1/agents/{agent_id}/memories/{memory_id}", ids={"agent_id": agent_id, "memory_id": memory_id})))

    async def update(self, agent_id: str, memory_id: str, body: types.UpdateMemoryRequest) -> types.Memory:
        """Change a memory."""
        return cast("types.Memory", await self._core.run(call("PATCH", "/v1/agents/{agent_id}/memories/{memory_id}", ids={"agent_id": agent_id, "memory_id": memory_id}, body=body)))

    async def delete(self, agent_id: str, memory_id: str) -> None:
        """Delete a memory."""
        await self._core.run(call("DELETE", "/v1/agents/{agent_id}/memories/{memory_id}", ids={"agent_id": agent_id, "memory_id": memory_id}))


class ProductProfile:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def get(self) -> types.ProductProfileOutput:
        """Fetch the product profile."""
        return cast("types.ProductProfileOutput", await self._core.run(call("GET", "/v1/product-profile")))

    async def replace(self, body: types.ProductProfile) -> types.ProductProfileOutput:
        """Replace the product profile."""
        return cast("types.ProductProfileOutput", await self._core.run(call("PUT", "/v1/product-profile", body=body)))


class Runs:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[str] = None, agent_id: Optional[str] = None, conversation_id: Optional[str] = None, end_user: Optional[str] = None, created_after: Optional[str] = None, created_before: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None, parent_run_id: Optional[str] = None) -> AsyncIterator[types.Run]:
        """List runs."""
        return self._core.iterate(rows("/v1/runs", query={"limit": limit, "cursor": cursor, "status": status, "agent_id": agent_id, "conversation_id": conversation_id, "end_user": end_user, "created_after": created_after, "created_before": created_before, "metadata": metadata, "parent_run_id": parent_run_id}))

    async def update(self, run_id: str, body: types.UpdateRunRequest) -> types.Run:
        """Raise a run's limit."""
        return cast("types.Run", await self._core.run(call("PATCH", "/v1/runs/{run_id}", ids={"run_id": run_id}, body=body)))

    async def delete(self, run_id: str) -> None:
        """Delete a run."""
        await self._core.run(call("DELETE", "/v1/runs/{run_id}", ids={"run_id": run_id}))

    async def replay(self, run_id: str, body: Optional[types.ReplayRunRequest] = None, *, headers: Optional[Mapping[str, str]] = None) -> types.Run:
        """Replay a run."""
        return cast("types.Run", await self._core.run(call("POST", "/v1/runs/{run_id}/replay", ids={"run_id": run_id}, body=body, headers=headers)))

    async def trace(self, run_id: str) -> types.RunTrace:
        """See what a run did."""
        return cast("types.RunTrace", await self._core.run(call("GET", "/v1/runs/{run_id}/trace", ids={"run_id": run_id})))

    def list_files(self, run_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.RunFile]:
        """List a run's files."""
        return self._core.iterate(rows("/v1/runs/{run_id}/files", ids={"run_id": run_id}, query={"limit": limit, "cursor": cursor}))

    async def submit_tool_results(self, run_id: str, body: types.ToolResultsRequest) -> types.Run:
        """Post results of client tools."""
        return cast("types.Run", await self._core.run(call("POST", "/v1/runs/{run_id}/tool-results", ids={"run_id": run_id}, body=body)))

    async def send_message(self, run_id: str, body: types.SendMessageRequest, *, headers: Optional[Mapping[str, str]] = None) -> types.AcceptedMessage:
        """Say something to a run."""
        return cast("types.AcceptedMessage", await self._core.run(call("POST", "/v1/runs/{run_id}/messages", ids={"run_id": run_id}, body=body, headers=headers)))

    def list_messages(self, run_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.RunMessage]:
        """List what was said to a run."""
        return self._core.iterate(rows("/v1/runs/{run_id}/messages", ids={"run_id": run_id}, query={"limit": limit, "cursor": cursor}))


class Schedules:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, agent_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.Schedule]:
        """List an agent's schedules."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/schedules", ids={"agent_id": agent_id}, query={"limit": limit, "cursor": cursor}))

    async def create(self, agent_id: str, body: types.CreateScheduleRequest) -> types.Schedule:
        """Create a schedule."""
        return cast("types.Schedule", await self._core.run(call("POST", "/v1/agents/{agent_id}/schedules", ids={"agent_id": agent_id}, body=body)))

    async def update(self, agent_id: str, schedule_id: str, body: types.UpdateScheduleRequest) -> types.Schedule:
        """Change a schedule."""
        return cast("types.Schedule", await self._core.run(call("PATCH", "/v1/agents/{agent_id}/schedules/{schedule_id}", ids={"agent_id": agent_id, "schedule_id": schedule_id}, body=body)))

    async def delete(self, agent_id: str, schedule_id: str) -> None:
        """Delete a schedule."""
        await self._core.run(call("DELETE", "/v1/agents/{agent_id}/schedules/{schedule_id}", ids={"agent_id": agent_id, "schedule_id": schedule_id}))

    async def run(self, agent_id: str, schedule_id: str, *, headers: Optional[Mapping[str, str]] = None) -> types.Run:
        """Fire a schedule now."""
        return cast("types.Run", await self._core.run(call("POST", "/v1/agents/{agent_id}/schedules/{schedule_id}/run", ids={"agent_id": agent_id, "schedule_id": schedule_id}, headers=headers)))

    def firings(self, agent_id: str, schedule_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.ScheduleFiring]:
        """List a schedule's firings."""
        return self._core.iterate(rows("/v1/agents/{agent_id}/schedules/{schedule_id}/firings", ids={"agent_id": agent_id, "schedule_id": schedule_id}, query={"limit": limit, "cursor": cursor}))


class Connections:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, end_user: Optional[str] = None) -> AsyncIterator[types.Connection]:
        """List connections."""
        return self._core.iterate(rows("/v1/connections", query={"limit": limit, "cursor": cursor, "end_user": end_user}))

    async def get(self, connection_id: str) -> types.Connection:
        """Fetch a connection."""
        return cast("types.Connection", await self._core.run(call("GET", "/v1/connections/{connection_id}", ids={"connection_id": connection_id})))

    async def create(self, body: types.ConnectServerRequest) -> types.ConnectionSignIn:
        """Sign in to an MCP server."""
        return cast("types.ConnectionSignIn", await self._core.run(call("POST", "/v1/connections", body=body)))

    async def delete(self, connection_id: str) -> None:
        """Disconnect."""
        await self._core.run(call("DELETE", "/v1/connections/{connection_id}", ids={"connection_id": connection_id}))


class Secrets:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, end_user: Optional[str] = None) -> AsyncIterator[types.Secret]:
        """List secrets."""
        return self._core.iterate(rows("/v1/secrets", query={"limit": limit, "cursor": cursor, "end_user": end_user}))

    async def get(self, name: str, *, end_user: Optional[str] = None) -> types.Secret:
        """Fetch a secret's record."""
        return cast("types.Secret", await self._core.run(call("GET", "/v1/secrets/{name}", ids={"name": name}, query={"end_user": end_user})))

    async def create(self, body: types.CreateSecretRequest) -> types.Secret:
        """Add a secret."""
        return cast("types.Secret", await self._core.run(call("POST", "/v1/secrets", body=body)))

    async def replace(self, name: str, body: types.UpdateSecretRequest, *, end_user: Optional[str] = None) -> types.Secret:
        """Change a secret."""
        return cast("types.Secret", await self._core.run(call("PUT", "/v1/secrets/{name}", ids={"name": name}, body=body, query={"end_user": end_user})))

    async def delete(self, name: str, *, end_user: Optional[str] = None) -> None:
        """Delete a secret."""
        await self._core.run(call("DELETE", "/v1/secrets/{name}", ids={"name": name}, query={"end_user": end_user}))


class Skills:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.Skill]:
        """List skills."""
        return self._core.iterate(rows("/v1/skills", query={"limit": limit, "cursor": cursor}))

    async def get(self, skill_id: str) -> types.SkillDetail:
        """Fetch a skill."""
        return cast("types.SkillDetail", await self._core.run(call("GET", "/v1/skills/{skill_id}", ids={"skill_id": skill_id})))

    async def install(self, body: types.InstallSkillRequest, *, replace: Optional[bool] = None) -> types.Skill:
        """Install a skill."""
        return cast("types.Skill", await self._core.run(call("POST", "/v1/skills", body=body, query={"replace": replace})))

    async def enable(self, skill_id: str) -> types.Skill:
        """Enable a skill."""
        return cast("types.Skill", await self._core.run(call("POST", "/v1/skills/{skill_id}/enable", ids={"skill_id": skill_id})))

    async def disable(self, skill_id: str) -> types.Skill:
        """Disable a skill."""
        return cast("types.Skill", await self._core.run(call("POST", "/v1/skills/{skill_id}/disable", ids={"skill_id": skill_id})))

    async def delete(self, skill_id: str) -> None:
        """Delete a skill."""
        await self._core.run(call("DELETE", "/v1/skills/{skill_id}", ids={"skill_id": skill_id}))


class SuperAgentRuns:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, status: Optional[str] = None, conversation_id: Optional[str] = None, end_user: Optional[str] = None, created_after: Optional[str] = None, created_before: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None) -> AsyncIterator[types.Run]:
        """List super-agent runs."""
        return self._core.iterate(rows("/v1/super-agent/runs", query={"limit": limit, "cursor": cursor, "status": status, "conversation_id": conversation_id, "end_user": end_user, "created_after": created_after, "created_before": created_before, "metadata": metadata}))

    async def update(self, run_id: str, body: types.UpdateRunRequest) -> types.Run:
        """Raise a run's limit."""
        return cast("types.Run", await self._core.run(call("PATCH", "/v1/super-agent/runs/{run_id}", ids={"run_id": run_id}, body=body)))

    async def send_message(self, run_id: str, body: types.SendMessageRequest, *, headers: Optional[Mapping[str, str]] = None) -> types.AcceptedMessage:
        """Say something to a super-agent run."""
        return cast("types.AcceptedMessage", await self._core.run(call("POST", "/v1/super-agent/runs/{run_id}/messages", ids={"run_id": run_id}, body=body, headers=headers)))

    def list_messages(self, run_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.RunMessage]:
        """List what was said to a super-agent run."""
        return self._core.iterate(rows("/v1/super-agent/runs/{run_id}/messages", ids={"run_id": run_id}, query={"limit": limit, "cursor": cursor}))


class Templates:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, category: Optional[str] = None) -> AsyncIterator[types.Template]:
        """List templates."""
        return self._core.iterate(rows("/v1/templates", query={"limit": limit, "cursor": cursor, "category": category}))

    async def get(self, name: str) -> types.TemplateDetail:
        """Fetch a template."""
        return cast("types.TemplateDetail", await self._core.run(call("GET", "/v1/templates/{name}", ids={"name": name})))


class WebhookEndpoints:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.WebhookEndpoint]:
        """List webhook endpoints."""
        return self._core.iterate(rows("/v1/webhook-endpoints", query={"limit": limit, "cursor": cursor}))

    async def get(self, endpoint_id: str) -> types.WebhookEndpoint:
        """Fetch a webhook endpoint."""
        return cast("types.WebhookEndpoint", await self._core.run(call("GET", "/v1/webhook-endpoints/{endpoint_id}", ids={"endpoint_id": endpoint_id})))

    async def create(self, body: types.CreateWebhookEndpointRequest) -> types.WebhookEndpointWithSecret:
        """Create a webhook endpoint."""
        return cast("types.WebhookEndpointWithSecret", await self._core.run(call("POST", "/v1/webhook-endpoints", body=body)))

    async def update(self, endpoint_id: str, body: types.UpdateWebhookEndpointRequest) -> types.WebhookEndpoint:
        """Change a webhook endpoint."""
        return cast("types.WebhookEndpoint", await self._core.run(call("PATCH", "/v1/webhook-endpoints/{endpoint_id}", ids={"endpoint_id": endpoint_id}, body=body)))

    async def delete(self, endpoint_id: str) -> None:
        """Delete a webhook endpoint."""
        await self._core.run(call("DELETE", "/v1/webhook-endpoints/{endpoint_id}", ids={"endpoint_id": endpoint_id}))

    async def rotate_secret(self, endpoint_id: str, body: Optional[types.RotateWebhookEndpointSecretRequest] = None) -> types.WebhookEndpointWithSecret:
        """Rotate a webhook endpoint's secret."""
        return cast("types.WebhookEndpointWithSecret", await self._core.run(call("POST", "/v1/webhook-endpoints/{endpoint_id}/rotate-secret", ids={"endpoint_id": endpoint_id}, body=body)))

    async def test(self, endpoint_id: str) -> types.WebhookDelivery:
        """Send a test event."""
        return cast("types.WebhookDelivery", await self._core.run(call("POST", "/v1/webhook-endpoints/{endpoint_id}/test", ids={"endpoint_id": endpoint_id})))


class Events:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def list(self, *, starting_after: Optional[int] = None, types: Optional[str] = None, limit: Optional[int] = None) -> types.AccountEventPage:
        """Page or follow the account's events."""
        return cast("all_types.AccountEventPage", await self._core.run(call("GET", "/v1/events", query={"starting_after": starting_after, "types": types, "limit": limit})))


class WebhookDeliveries:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, run_id: Optional[str] = None, endpoint_id: Optional[str] = None, status: Optional[str] = None) -> AsyncIterator[types.WebhookDelivery]:
        """List webhook deliveries."""
        return self._core.iterate(rows("/v1/webhook-deliveries", query={"limit": limit, "cursor": cursor, "run_id": run_id, "endpoint_id": endpoint_id, "status": status}))

    async def get(self, delivery_id: str) -> types.WebhookDelivery:
        """Fetch a webhook delivery."""
        return cast("types.WebhookDelivery", await self._core.run(call("GET", "/v1/webhook-deliveries/{delivery_id}", ids={"delivery_id": delivery_id})))

    async def redeliver(self, delivery_id: str) -> types.WebhookDelivery:
        """Send a webhook again."""
        return cast("types.WebhookDelivery", await self._core.run(call("POST", "/v1/webhook-deliveries/{delivery_id}/redeliver", ids={"delivery_id": delivery_id})))


class Workspaces:
    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.Workspace]:
        """List workspaces."""
        return self._core.iterate(rows("/v1/workspaces", query={"limit": limit, "cursor": cursor}))

    async def create(self, body: types.CreateWorkspaceRequest) -> types.Workspace:
        """Create a workspace."""
        return cast("types.Workspace", await self._core.run(call("POST", "/v1/workspaces", body=body)))

    async def get(self, workspace_id: str) -> types.Workspace:
        """Fetch a workspace."""
        return cast("types.Workspace", await self._core.run(call("GET", "/v1/workspaces/{workspace_id}", ids={"workspace_id": workspace_id})))

    async def update(self, workspace_id: str, body: types.UpdateWorkspaceRequest) -> types.Workspace:
        """Change a workspace."""
        return cast("types.Workspace", await self._core.run(call("PATCH", "/v1/workspaces/{workspace_id}", ids={"workspace_id": workspace_id}, body=body)))

    async def delete(self, workspace_id: str) -> None:
        """Delete a workspace."""
        await self._core.run(call("DELETE", "/v1/workspaces/{workspace_id}", ids={"workspace_id": workspace_id}))

    def list_agents(self, workspace_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> AsyncIterator[types.AgentMetadata]:
        """List a workspace's agents."""
        return self._core.iterate(rows("/v1/workspaces/{workspace_id}/agents", ids={"workspace_id": workspace_id}, query={"limit": limit, "cursor": cursor}))

    async def assign_agent(self, workspace_id: str, agent_id: str) -> None:
        """Add an agent to a workspace."""
        await self._core.run(call("PUT", "/v1/workspaces/{workspace_id}/agents/{agent_id}", ids={"workspace_id": workspace_id, "agent_id": agent_id}))

    async def unassign_agent(self, workspace_id: str, agent_id: str) -> None:
        """Remove an agent from a workspace."""
        await self._core.run(call("DELETE", "/v1/workspaces/{workspace_id}/agents/{agent_id}", ids={"workspace_id": workspace_id, "agent_id": agent_id}))
