# Generated from the document of the API. Never edit it; after a change of an operation run:
#   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

class _ErrorDetailRequired(TypedDict):
    path: str
    message: str


class ErrorDetail(_ErrorDetailRequired, total=False):
    """One broken place of the request."""

    line: int
    column: int


class _ErrorRequired(TypedDict):
    error: ErrorCode
    message: str


class Error(_ErrorRequired, total=False):
    """What happened, what it means and what to do. `error` is stable; `message` is for people and may change."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _InvalidInputErrorRequired(TypedDict):
    error: Literal["INVALID_INPUT"]
    message: str
    details: List[ErrorDetail]


class InvalidInputError(_InvalidInputErrorRequired, total=False):
    """The request's shape, an id or a value is not valid; `details` names the places."""

    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _AuthenticationRequiredErrorRequired(TypedDict):
    error: Literal["AUTHENTICATION_REQUIRED"]
    message: str


class AuthenticationRequiredError(_AuthenticationRequiredErrorRequired, total=False):
    """The key is missing, malformed, revoked, expired or unknown."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _InsufficientCreditsErrorRequired(TypedDict):
    error: Literal["INSUFFICIENT_CREDITS"]
    message: str
    available: float
    required: float


class InsufficientCreditsError(_InsufficientCreditsErrorRequired, total=False):
    """Too few credits to start; the body has `available` and `required`."""

    details: List[ErrorDetail]
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _AccountBlockedErrorRequired(TypedDict):
    error: Literal["ACCOUNT_BLOCKED"]
    message: str


class AccountBlockedError(_AccountBlockedErrorRequired, total=False):
    """The account may not start runs."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ForbiddenErrorRequired(TypedDict):
    error: Literal["FORBIDDEN"]
    message: str


class ForbiddenError(_ForbiddenErrorRequired, total=False):
    """The key or the account may not do this; the message says why."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _SuperAgentAccessDeniedErrorRequired(TypedDict):
    error: Literal["SUPER_AGENT_ACCESS_DENIED"]
    message: str


class SuperAgentAccessDeniedError(_SuperAgentAccessDeniedErrorRequired, total=False):
    """The account is not on the super-agent's allowlist."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _NotFoundErrorRequired(TypedDict):
    error: Literal["NOT_FOUND"]
    message: str


class NotFoundError(_NotFoundErrorRequired, total=False):
    """There is no such route."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _AgentNotFoundErrorRequired(TypedDict):
    error: Literal["AGENT_NOT_FOUND"]
    message: str


class AgentNotFoundError(_AgentNotFoundErrorRequired, total=False):
    """The account has no such agent."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _AppNotFoundErrorRequired(TypedDict):
    error: Literal["APP_NOT_FOUND"]
    message: str


class AppNotFoundError(_AppNotFoundErrorRequired, total=False):
    """The key is not for this agent."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ApprovalNotFoundErrorRequired(TypedDict):
    error: Literal["APPROVAL_NOT_FOUND"]
    message: str


class ApprovalNotFoundError(_ApprovalNotFoundErrorRequired, total=False):
    """The account has no such approval."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ConnectionNotFoundErrorRequired(TypedDict):
    error: Literal["CONNECTION_NOT_FOUND"]
    message: str


class ConnectionNotFoundError(_ConnectionNotFoundErrorRequired, total=False):
    """The account has no such connection."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ConversationNotFoundErrorRequired(TypedDict):
    error: Literal["CONVERSATION_NOT_FOUND"]
    message: str


class ConversationNotFoundError(_ConversationNotFoundErrorRequired, total=False):
    """The account has no such conversation, or it belongs to another family of runs."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _DeliveryNotFoundErrorRequired(TypedDict):
    error: Literal["DELIVERY_NOT_FOUND"]
    message: str


class DeliveryNotFoundError(_DeliveryNotFoundErrorRequired, total=False):
    """The account has no such webhook delivery."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _EndpointNotFoundErrorRequired(TypedDict):
    error: Literal["ENDPOINT_NOT_FOUND"]
    message: str


class EndpointNotFoundError(_EndpointNotFoundErrorRequired, total=False):
    """The account has no such webhook endpoint."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _FileNotFoundErrorRequired(TypedDict):
    error: Literal["FILE_NOT_FOUND"]
    message: str


class FileNotFoundError(_FileNotFoundErrorRequired, total=False):
    """The workspace has no such file."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _MemoryNotFoundErrorRequired(TypedDict):
    error: Literal["MEMORY_NOT_FOUND"]
    message: str


class MemoryNotFoundError(_MemoryNotFoundErrorRequired, total=False):
    """The agent keeps no such note."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _CaseNotFoundErrorRequired(TypedDict):
    error: Literal["CASE_NOT_FOUND"]
    message: str


class CaseNotFoundError(_CaseNotFoundErrorRequired, total=False):
    """The agent has no such case."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _RunNotFoundErrorRequired(TypedDict):
    error: Literal["RUN_NOT_FOUND"]
    message: str


class RunNotFoundError(_RunNotFoundErrorRequired, total=False):
    """There is no such run on this route."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ScheduleNotFoundErrorRequired(TypedDict):
    error: Literal["SCHEDULE_NOT_FOUND"]
    message: str


class ScheduleNotFoundError(_ScheduleNotFoundErrorRequired, total=False):
    """The agent has no such schedule."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _SecretNotFoundErrorRequired(TypedDict):
    error: Literal["SECRET_NOT_FOUND"]
    message: str


class SecretNotFoundError(_SecretNotFoundErrorRequired, total=False):
    """The account has no secret of this name."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _SkillNotFoundErrorRequired(TypedDict):
    error: Literal["SKILL_NOT_FOUND"]
    message: str


class SkillNotFoundError(_SkillNotFoundErrorRequired, total=False):
    """The account has no such skill."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _TemplateNotFoundErrorRequired(TypedDict):
    error: Literal["TEMPLATE_NOT_FOUND"]
    message: str


class TemplateNotFoundError(_TemplateNotFoundErrorRequired, total=False):
    """There is no such template."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _VersionNotFoundErrorRequired(TypedDict):
    error: Literal["VERSION_NOT_FOUND"]
    message: str


class VersionNotFoundError(_VersionNotFoundErrorRequired, total=False):
    """The agent has no such version."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _WorkspaceNotFoundErrorRequired(TypedDict):
    error: Literal["WORKSPACE_NOT_FOUND"]
    message: str


class WorkspaceNotFoundError(_WorkspaceNotFoundErrorRequired, total=False):
    """The account has no such workspace, or the agent may not use it."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _EndUserNotFoundErrorRequired(TypedDict):
    error: Literal["END_USER_NOT_FOUND"]
    message: str


class EndUserNotFoundError(_EndUserNotFoundErrorRequired, total=False):
    """The account has no end user of this name."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _MethodNotAllowedErrorRequired(TypedDict):
    error: Literal["METHOD_NOT_ALLOWED"]
    message: str


class MethodNotAllowedError(_MethodNotAllowedErrorRequired, total=False):
    """The path has no such method; the header `Allow` names those that it has."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _RequestTimeoutErrorRequired(TypedDict):
    error: Literal["REQUEST_TIMEOUT"]
    message: str


class RequestTimeoutError(_RequestTimeoutErrorRequired, total=False):
    """The body did not arrive in time: no byte for 20 seconds, or a JSON body not within a minute."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ConflictErrorRequired(TypedDict):
    error: Literal["CONFLICT"]
    message: str


class ConflictError(_ConflictErrorRequired, total=False):
    """The state of the thing forbids it, or the account has as many as it may have; the message says why."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ConversationBusyErrorRequired(TypedDict):
    error: Literal["CONVERSATION_BUSY"]
    message: str


class ConversationBusyError(_ConversationBusyErrorRequired, total=False):
    """A run of the conversation has not ended yet."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _IdempotencyConflictErrorRequired(TypedDict):
    error: Literal["IDEMPOTENCY_CONFLICT"]
    message: str


class IdempotencyConflictError(_IdempotencyConflictErrorRequired, total=False):
    """The `Idempotency-Key` stands for another body, or its first request is still in flight."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _RunNotActiveErrorRequired(TypedDict):
    error: Literal["RUN_NOT_ACTIVE"]
    message: str


class RunNotActiveError(_RunNotActiveErrorRequired, total=False):
    """The run has ended; what was asked for wants one at work."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _EndUserErasedErrorRequired(TypedDict):
    error: Literal["END_USER_ERASED"]
    message: str
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class EndUserErasedError(_EndUserErasedErrorRequired, total=False):
    """The end user was erased: `deleted` says how much of each kind. A new run under the name begins a new one."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int


class _VersionConflictErrorRequired(TypedDict):
    error: Literal["VERSION_CONFLICT"]
    message: str


class VersionConflictError(_VersionConflictErrorRequired, total=False):
    """The record was changed since the `ETag` in `If-Match`."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _PayloadTooLargeErrorRequired(TypedDict):
    error: Literal["PAYLOAD_TOO_LARGE"]
    message: str


class PayloadTooLargeError(_PayloadTooLargeErrorRequired, total=False):
    """A JSON body of more than 1 MiB, or an upload beyond its limit."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _RangeNotSatisfiableErrorRequired(TypedDict):
    error: Literal["RANGE_NOT_SATISFIABLE"]
    message: str


class RangeNotSatisfiableError(_RangeNotSatisfiableErrorRequired, total=False):
    """The range begins beyond the file's end; `Content-Range` says how long it is."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _RateLimitedErrorRequired(TypedDict):
    error: Literal["RATE_LIMITED"]
    message: str


class RateLimitedError(_RateLimitedErrorRequired, total=False):
    """Too many requests from the address, of the account in a minute, or (with `retryAfterSeconds`) too many writes in an hour. Wait for `Retry-After`."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _InternalErrorErrorRequired(TypedDict):
    error: Literal["INTERNAL_ERROR"]
    message: str


class InternalErrorError(_InternalErrorErrorRequired, total=False):
    """A failure of the service. Quote `X-Request-Id`."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class _ServiceUnavailableErrorRequired(TypedDict):
    error: Literal["SERVICE_UNAVAILABLE"]
    message: str


class ServiceUnavailableError(_ServiceUnavailableErrorRequired, total=False):
    """The execution service or the database cannot be reached; nothing was accepted. Try again."""

    details: List[ErrorDetail]
    available: float
    required: float
    run_id: str
    retryAfterSeconds: int
    deleted: Dict[str, int]
    requested_at: str
    completed_at: str


class AgentConfigModelSettings(TypedDict, total=False):
    temperature: float
    max_output_tokens: int
    reasoning: Literal["off", "low", "medium", "high", "max"]
    cache: Literal["5m", "1h"]


class _AgentConfigToolsMcpItemRequired(TypedDict):
    name: str
    url: str


class AgentConfigToolsMcpItem(_AgentConfigToolsMcpItemRequired, total=False):
    description: str
    auth: Literal["oauth"]
    auth_secret: str
    auth_header: str
    tools: List[str]
    read_only: List[str]


class _AgentConfigToolsHttpItemRequired(TypedDict):
    name: str
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    url: str


class AgentConfigToolsHttpItem(_AgentConfigToolsHttpItemRequired, total=False):
    description: str
    auth_secret: str
    auth_header: str
    input_schema: Dict[str, Any]
    body: Literal["json", "multipart", "raw"]


class AgentConfigToolsClientItem(TypedDict):
    name: str
    description: str
    input_schema: Dict[str, Any]


class _AgentConfigToolsAgentsItemRequired(TypedDict):
    agent_id: str


class AgentConfigToolsAgentsItem(_AgentConfigToolsAgentsItemRequired, total=False):
    name: str
    max_credits: float


class AgentConfigToolsWeb(TypedDict, total=False):
    """What web_fetch may do."""

    allowed_hosts: List[str]


class AgentConfigTools(TypedDict, total=False):
    builtin: List[Literal["workspace_files", "files_read", "files_search", "files_write", "files_edit", "web_fetch", "web_search", "run_javascript", "run_python", "todo", "artifacts", "ask_user", "image", "speech", "video"]]
    mcp: List[AgentConfigToolsMcpItem]
    http: List[AgentConfigToolsHttpItem]
    client: List[AgentConfigToolsClientItem]
    agents: List[AgentConfigToolsAgentsItem]
    python: Literal["sandbox", "provider"]
    memory: bool
    web: AgentConfigToolsWeb


class AgentConfigPermissions(TypedDict, total=False):
    """Names of tools; deny beats ask beats allow, and none of them loosens write_autonomy."""

    allow: List[str]
    ask: List[str]
    deny: List[str]


class AgentConfigLimits(TypedDict, total=False):
    max_steps: int
    timeout_seconds: int
    max_credits: Union[float, None]
    on_budget: Literal["fail", "wait"]
    approval_timeout_seconds: int
    code_seconds: int


class _AgentConfigRequired(TypedDict):
    version: Literal[1]


class AgentConfig(_AgentConfigRequired, total=False):
    """What an agent runs with: model, inputs, tools, permissions and limits. Only version is required. Unknown keys are refused."""

    model: str
    fallback_models: List[str]
    model_settings: AgentConfigModelSettings
    inputs: Union[Dict[str, Any], None]
    output_schema: Union[Dict[str, Any], None]
    tools: AgentConfigTools
    permissions: AgentConfigPermissions
    limits: AgentConfigLimits
    skills: List[str]
    starters: List[str]


class DashboardTemplateLayoutItem(TypedDict):
    i: str
    x: int
    y: int
    w: int
    h: int


DashboardTemplateWidgetsValueSource = TypedDict("DashboardTemplateWidgetsValueSource", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValueRequired(TypedDict):
    type: Literal["metric"]


class DashboardTemplateWidgetsValue(_DashboardTemplateWidgetsValueRequired, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValueSource
    format: Literal["number", "currency", "percent", "date", "duration", "bytes"]
    currency: str
    label: str


DashboardTemplateWidgetsValue2Source = TypedDict("DashboardTemplateWidgetsValue2Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue2Required(TypedDict):
    type: Literal["chart"]


class DashboardTemplateWidgetsValue2(_DashboardTemplateWidgetsValue2Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue2Source
    chart: Literal["line", "bar", "area"]
    x: str
    y: Union[str, List[str]]
    format: Literal["number", "currency", "percent", "date", "duration", "bytes"]
    currency: str


DashboardTemplateWidgetsValue3Source = TypedDict("DashboardTemplateWidgetsValue3Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue3ColumnsItemRequired(TypedDict):
    key: str


class DashboardTemplateWidgetsValue3ColumnsItem(_DashboardTemplateWidgetsValue3ColumnsItemRequired, total=False):
    label: str
    format: Literal["number", "currency", "percent", "date", "duration", "bytes"]
    currency: str


class _DashboardTemplateWidgetsValue3Required(TypedDict):
    type: Literal["table"]


class DashboardTemplateWidgetsValue3(_DashboardTemplateWidgetsValue3Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue3Source
    columns: List[DashboardTemplateWidgetsValue3ColumnsItem]


DashboardTemplateWidgetsValue4Source = TypedDict("DashboardTemplateWidgetsValue4Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue4Required(TypedDict):
    type: Literal["markdown"]


class DashboardTemplateWidgetsValue4(_DashboardTemplateWidgetsValue4Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue4Source
    text: str


DashboardTemplateWidgetsValue5Source = TypedDict("DashboardTemplateWidgetsValue5Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue5Required(TypedDict):
    type: Literal["list"]


class DashboardTemplateWidgetsValue5(_DashboardTemplateWidgetsValue5Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue5Source
    item: str
    format: Literal["number", "currency", "percent", "date", "duration", "bytes"]


DashboardTemplateWidgetsValue6Source = TypedDict("DashboardTemplateWidgetsValue6Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue6Required(TypedDict):
    type: Literal["artifacts"]


class DashboardTemplateWidgetsValue6(_DashboardTemplateWidgetsValue6Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue6Source
    limit: int


DashboardTemplateWidgetsValue7Source = TypedDict("DashboardTemplateWidgetsValue7Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue7Required(TypedDict):
    type: Literal["runs"]


class DashboardTemplateWidgetsValue7(_DashboardTemplateWidgetsValue7Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue7Source
    limit: int


DashboardTemplateWidgetsValue8Source = TypedDict("DashboardTemplateWidgetsValue8Source", {
    "from": "Literal[\"last_result\", \"run_history\", \"usage\", \"literal\"]",
    "path": "str",
    "limit": "int",
    "value": "Any",
}, total=False)


class _DashboardTemplateWidgetsValue8Required(TypedDict):
    type: Literal["run_button"]


class DashboardTemplateWidgetsValue8(_DashboardTemplateWidgetsValue8Required, total=False):
    title: str
    description: str
    source: DashboardTemplateWidgetsValue8Source
    label: str
    input: Dict[str, Any]


class DashboardTemplate(TypedDict):
    """Widgets on a grid of 12 columns. Every widget has one place in the layout. Unknown keys are refused; there is no code and no query."""

    version: Literal[1]
    title: str
    layout: List[DashboardTemplateLayoutItem]
    widgets: Dict[str, Union[DashboardTemplateWidgetsValue, DashboardTemplateWidgetsValue2, DashboardTemplateWidgetsValue3, DashboardTemplateWidgetsValue4, DashboardTemplateWidgetsValue5, DashboardTemplateWidgetsValue6, DashboardTemplateWidgetsValue7, DashboardTemplateWidgetsValue8]]


class _CreateAgentRequestRequired(TypedDict):
    input: str


class CreateAgentRequest(_CreateAgentRequestRequired, total=False):
    conversation_id: str
    webhook_url: str
    builder_model: ModelId


class UpdateAgentRequest(TypedDict, total=False):
    name: str
    description: Union[str, None]
    version: str
    write_autonomy: Literal["full_auto", "approval_required", "blocked"]
    skill_content: str
    config_content: str
    config: AgentConfig
    dashboard_template: Union[DashboardTemplate, None]
    release_note: Union[str, None]


class DuplicateAgentRequest(TypedDict):
    pass


class _AgentDocumentCasesItemRequired(TypedDict):
    name: str
    input: Dict[str, Any]
    checks: List[Check]


class AgentDocumentCasesItem(_AgentDocumentCasesItemRequired, total=False):
    answers: Dict[str, Any]
    files: Dict[str, str]


class _AgentDocumentRequired(TypedDict):
    kind: Literal["agent"]
    format: Literal[1]
    name: str
    skill_content: str


class AgentDocument(_AgentDocumentRequired, total=False):
    description: Union[str, None]
    version: str
    write_autonomy: Literal["full_auto", "approval_required", "blocked"]
    config: AgentConfig
    dashboard_template: Union[DashboardTemplate, None]
    cases: List[AgentDocumentCasesItem]


class Check1(TypedDict):
    type: Literal["contains"]
    value: str


class Check2(TypedDict):
    type: Literal["not_contains"]
    value: str


class Check3(TypedDict):
    type: Literal["equals"]
    value: Any


class Check4(TypedDict):
    type: Literal["matches"]
    pattern: str


class _Check5Required(TypedDict):
    type: Literal["json_path"]
    path: str


class Check5(_Check5Required, total=False):
    value: Any


class Check6(TypedDict):
    type: Literal["schema"]
    schema: Dict[str, Any]


class Check7(TypedDict):
    type: Literal["tool_called"]
    tool: str


class Check8(TypedDict):
    type: Literal["tool_not_called"]
    tool: str


class RestoreAgentVersionRequest(TypedDict, total=False):
    release_note: Union[str, None]


class _CreateAgentEditRequestRequired(TypedDict):
    input: str


class CreateAgentEditRequest(_CreateAgentEditRequestRequired, total=False):
    conversation_id: str
    webhook_url: str
    release_note: Union[str, None]
    builder_model: ModelId


class _CreateScheduleRequestRequired(TypedDict):
    cron: str


class CreateScheduleRequest(_CreateScheduleRequestRequired, total=False):
    timezone: str
    input: Dict[str, Any]
    on_budget: Union[Literal["fail", "wait"], None]
    end_user: Union[str, None]
    enabled: bool
    version: Union[Union[str, int], None]
    max_credits: Union[float, None]
    webhook_url: Union[str, None]


class UpdateScheduleRequest(TypedDict, total=False):
    cron: str
    timezone: str
    input: Dict[str, Any]
    on_budget: Union[Literal["fail", "wait"], None]
    end_user: Union[str, None]
    enabled: bool
    version: Union[Union[str, int], None]
    max_credits: Union[float, None]
    webhook_url: Union[str, None]


class UpdateMemoryRequest(TypedDict):
    text: str


class _CreateAgentCaseRequestRequired(TypedDict):
    name: str
    input: Dict[str, Any]
    checks: List[Check]


class CreateAgentCaseRequest(_CreateAgentCaseRequestRequired, total=False):
    answers: Dict[str, Any]
    files: Dict[str, str]


class _CreateClientTokenRequestRequired(TypedDict):
    agent_id: str
    end_user: str
    origins: List[str]


class CreateClientTokenRequest(_CreateClientTokenRequestRequired, total=False):
    conversation_id: str
    expires_in: int
    can: List[Literal["run", "read", "message", "cancel", "approve"]]


class _ConvertOpenapiRequestRequired(TypedDict):
    document: Dict[str, Any]


class ConvertOpenapiRequest(_ConvertOpenapiRequestRequired, total=False):
    operations: List[str]
    base_url: str
    auth_secret: str
    auth_header: str


class _ConnectServerRequestRequired(TypedDict):
    server_url: str


class ConnectServerRequest(_ConnectServerRequestRequired, total=False):
    end_user: str
    return_url: str
    client_id: str
    client_secret: str
    scopes: List[str]


class SetEndUserLimitsRequest(TypedDict):
    max_credits_per_day: Union[float, None]


class _CreateRunRequestRequired(TypedDict):
    input: Dict[str, Any]


class CreateRunRequest(_CreateRunRequestRequired, total=False):
    agent_id: str
    conversation_id: str
    workspace_id: str
    model: ModelId
    version: Union[str, int]
    metadata: Dict[str, str]
    end_user: str
    max_credits: float
    on_budget: Literal["fail", "wait"]
    webhook_url: str
    should_notify: bool
    if_busy: Literal["reject", "queue", "steer", "interrupt"]


class UpdateRunRequest(TypedDict):
    max_credits: float


class ReplayRunRequest(TypedDict, total=False):
    model: ModelId
    version: Union[str, int]
    end_user: str
    on_budget: Literal["fail", "wait"]
    webhook_url: str
    should_notify: bool
    metadata: Dict[str, str]
    max_credits: float


class ToolResultsRequestResultsItem(TypedDict):
    tool_call_id: str
    output: Any


class ToolResultsRequestResultsItem2(TypedDict):
    tool_call_id: str
    error: str


class ToolResultsRequest(TypedDict):
    results: List[Union[ToolResultsRequestResultsItem, ToolResultsRequestResultsItem2]]


class _SendMessageRequestRequired(TypedDict):
    input: Union[str, Dict[str, Any]]


class SendMessageRequest(_SendMessageRequestRequired, total=False):
    when: Literal["next_step", "after"]


class _RealtimeRunRequestRequired(TypedDict):
    input: Dict[str, Any]


class RealtimeRunRequest(_RealtimeRunRequestRequired, total=False):
    agent_id: str
    conversation_id: str
    workspace_id: str
    model: ModelId
    version: Union[str, int]
    metadata: Dict[str, str]
    end_user: str
    max_credits: float
    on_budget: Literal["fail", "wait"]
    if_busy: Literal["reject", "queue", "steer", "interrupt"]


class _CreateWorkspaceRequestRequired(TypedDict):
    name: str


class CreateWorkspaceRequest(_CreateWorkspaceRequestRequired, total=False):
    description: Union[str, None]


class UpdateWorkspaceRequest(TypedDict, total=False):
    name: str
    description: Union[str, None]


class _CreateSecretRequestRequired(TypedDict):
    name: str
    value: str
    allowed_hosts: List[str]


class CreateSecretRequest(_CreateSecretRequestRequired, total=False):
    end_user: str
    description: Union[str, None]


class _UpdateSecretRequestRequired(TypedDict):
    value: str


class UpdateSecretRequest(_UpdateSecretRequestRequired, total=False):
    end_user: str
    description: Union[str, None]
    allowed_hosts: List[str]


class InstallSkillRequest(TypedDict):
    content: str


class InstallSkillUpload(TypedDict):
    file: str


class _ResolveApprovalRequestRequired(TypedDict):
    decision: Literal["approve", "reject"]


class ResolveApprovalRequest(_ResolveApprovalRequestRequired, total=False):
    message: Union[str, None]
    digest: Union[str, None]
    remember: bool


class _CreateWebhookEndpointRequestRequired(TypedDict):
    url: str
    events: List[Literal["*", "run.requires_action", "run.completed", "run.failed", "run.cancelled", "approval.requested", "approval.resolved", "connection.needs_sign_in", "schedule.failed", "agent.version_created", "account.credits_low"]]


class CreateWebhookEndpointRequest(_CreateWebhookEndpointRequestRequired, total=False):
    description: Union[str, None]
    enabled: bool


class UpdateWebhookEndpointRequest(TypedDict, total=False):
    url: str
    events: List[Literal["*", "run.requires_action", "run.completed", "run.failed", "run.cancelled", "approval.requested", "approval.resolved", "connection.needs_sign_in", "schedule.failed", "agent.version_created", "account.credits_low"]]
    description: Union[str, None]
    enabled: bool


class RotateWebhookEndpointSecretRequest(TypedDict, total=False):
    overlap_minutes: int


class ProductProfileBrand(TypedDict, total=False):
    colors: List[str]
    logo_url: Union[str, None]


class ProductProfileLinksItem2(TypedDict):
    url: str


class ProductProfile(TypedDict, total=False):
    """Persona and brand of the account's product; the super-agent knows it."""

    name: Union[str, None]
    tagline: Union[str, None]
    description: Union[str, None]
    audience: Union[str, None]
    tone: Union[str, None]
    instructions: Union[str, None]
    brand: ProductProfileBrand
    links: List[Union[str, ProductProfileLinksItem2]]


class _CreateSuperAgentRunRequestRequired(TypedDict):
    input: Dict[str, Any]


class CreateSuperAgentRunRequest(_CreateSuperAgentRunRequestRequired, total=False):
    conversation_id: str
    workspace_id: str
    model: ModelId
    metadata: Dict[str, str]
    end_user: str
    max_credits: float
    on_budget: Literal["fail", "wait"]
    webhook_url: str
    should_notify: bool
    if_busy: Literal["reject", "queue", "steer", "interrupt"]


class _SuperAgentRealtimeRunRequestRequired(TypedDict):
    input: Dict[str, Any]


class SuperAgentRealtimeRunRequest(_SuperAgentRealtimeRunRequestRequired, total=False):
    conversation_id: str
    workspace_id: str
    model: ModelId
    metadata: Dict[str, str]
    end_user: str
    max_credits: float
    on_budget: Literal["fail", "wait"]
    if_busy: Literal["reject", "queue", "steer", "interrupt"]


class _CreateAppRunRequestRequired(TypedDict):
    inputs: Dict[str, Any]


class CreateAppRunRequest(_CreateAppRunRequestRequired, total=False):
    conversationId: str
    webhookUrl: str
    shouldNotify: bool
    workspaceId: str
    model: ModelId
    metadata: Dict[str, str]
    endUser: str
    maxCredits: float
    onBudget: Literal["fail", "wait"]
    ifBusy: Literal["reject", "queue", "steer", "interrupt"]


class UpdateAppRunRequest(TypedDict):
    maxCredits: float


class AppToolResultsRequestResultsItem(TypedDict):
    toolCallId: str
    output: Any


class AppToolResultsRequestResultsItem2(TypedDict):
    toolCallId: str
    error: str


class AppToolResultsRequest(TypedDict):
    results: List[Union[AppToolResultsRequestResultsItem, AppToolResultsRequestResultsItem2]]


class _AppSendMessageRequestRequired(TypedDict):
    input: Union[str, Dict[str, Any]]


class AppSendMessageRequest(_AppSendMessageRequestRequired, total=False):
    when: Literal["next_step", "after"]


class _ResolveAppApprovalRequestRequired(TypedDict):
    decision: Literal["approve", "reject"]


class ResolveAppApprovalRequest(_ResolveAppApprovalRequestRequired, total=False):
    message: Union[str, None]
    digest: Union[str, None]


class RunCompletedWebhook(TypedDict):
    runId: str
    threadId: Union[str, None]
    conversationId: Union[str, None]
    status: Literal["completed"]
    result: AppRunResult


class AppRunResultArtifactsItem(TypedDict):
    id: str
    title: str
    type: str
    url: str
    name: str
    sizeBytes: int


class AppRunResultCitationsItemSource(TypedDict):
    type: Literal["web"]
    url: str
    title: Union[str, None]


class AppRunResultCitationsItemSource2(TypedDict):
    type: Literal["file"]
    path: str


class AppRunResultCitationsItemLocation(TypedDict):
    """Where it stands in `text`, in UTF-16 code units; `end` is behind it."""

    start: int
    end: int


class AppRunResultCitationsItem(TypedDict):
    text: str
    source: Union[AppRunResultCitationsItemSource, AppRunResultCitationsItemSource2]
    location: AppRunResultCitationsItemLocation


class _AppRunResultRequired(TypedDict):
    text: str
    artifacts: List[AppRunResultArtifactsItem]


class AppRunResult(_AppRunResultRequired, total=False):
    agentId: str
    agentName: str
    citations: List[AppRunResultCitationsItem]
    data: Any


class RunFailedWebhook(TypedDict):
    """Of a cancelled run too, with `RUN_CANCELLED`."""

    runId: str
    threadId: Union[str, None]
    conversationId: Union[str, None]
    status: Literal["failed"]
    error: RunError


class RunError(TypedDict):
    code: RunFailureCode
    message: str


class RunRequiresAction(TypedDict):
    type: Literal["approval"]
    approval_id: str


class RunRequiresAction2CallsItem(TypedDict):
    tool_call_id: str
    name: str
    arguments: Any


class RunRequiresAction2(TypedDict):
    type: Literal["client_tool"]
    calls: List[RunRequiresAction2CallsItem]


class _RunRequiresAction3Required(TypedDict):
    type: Literal["budget"]
    spent: float
    required: float
    max_credits: Union[float, None]


class RunRequiresAction3(_RunRequiresAction3Required, total=False):
    run_id: str


class RunRequiresAction4(TypedDict):
    type: Literal["credits"]
    spent: float
    required: float
    max_credits: Union[float, None]


class _RunRequiresAction5Required(TypedDict):
    type: Literal["question"]
    question: str


class RunRequiresAction5(_RunRequiresAction5Required, total=False):
    options: List[str]


class _RunRequired(TypedDict):
    run_id: str
    kind: Literal["agent", "agent_creation", "agent_edit", "super_agent", "app"]
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    agent_id: Union[str, None]
    conversation_id: Union[str, None]
    workspace_id: Union[str, None]
    model: str
    replayed_from: Union[str, None]
    parent_run_id: Union[str, None]
    agent_version: Union[int, None]
    metadata: Dict[str, str]
    end_user: Union[str, None]
    requires_action: Union[Union[RunRequiresAction, RunRequiresAction2, RunRequiresAction3, RunRequiresAction4, RunRequiresAction5], None]
    result: Union[RunResult, None]
    usage: Usage
    error: Union[RunError, None]
    created_at: str
    started_at: Union[str, None]
    completed_at: Union[str, None]
    webhook_delivered_at: Union[str, None]


class Run(_RunRequired, total=False):
    input: Dict[str, Any]
    message_id: str
    actions: List[RunAction]
    actions_truncated: bool


class _RunResultRequired(TypedDict):
    text: str
    artifacts: List[Artifact]


class RunResult(_RunResultRequired, total=False):
    agent_id: str
    agent_name: str
    citations: List[Citation]
    data: Any
    build: BuildReport
    raw_output: str


class Artifact(TypedDict):
    """A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run."""

    id: str
    title: str
    type: str
    url: str
    name: str
    size_bytes: int


class CitationSource(TypedDict):
    type: Literal["web"]
    url: str
    title: Union[str, None]


class CitationSource2(TypedDict):
    type: Literal["file"]
    path: str


class CitationLocation(TypedDict):
    """Where it stands in `text`, in UTF-16 code units; `end` is behind it."""

    start: int
    end: int


class Citation(TypedDict):
    """A statement of the answer that names its source. A source that the run has not read is none."""

    text: str
    source: Union[CitationSource, CitationSource2]
    location: CitationLocation


class BuildReportNeedsItem(TypedDict):
    kind: Literal["secret", "file", "schedule", "connector", "other"]
    text: str


class BuildReportCasesBefore(TypedDict):
    passed: int
    of: int


class BuildReportCasesAfter(TypedDict):
    passed: int
    of: int


class BuildReportCases(TypedDict):
    """Of an edit of an agent that has cases: how they came out before the change and with it, and the names of those that fail now."""

    before: BuildReportCasesBefore
    after: BuildReportCasesAfter
    failed: List[str]


class _BuildReportRequired(TypedDict):
    outcome: Literal["built", "unchanged", "question", "refused"]
    assumptions: List[str]
    left_out: List[str]
    needs: List[BuildReportNeedsItem]
    question: Union[str, None]


class BuildReport(_BuildReportRequired, total=False):
    """What a creation or an edit came to; `text` says the same in words."""

    cases: BuildReportCases


class UsageBreakdownItem(TypedDict):
    model: str
    capability: Literal["chat", "vision", "image", "video", "speech"]
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    units: float
    credits: float


class Usage(TypedDict):
    """Credits attributed to the run, with a row per model and capability. The rows add up."""

    credits: float
    breakdown: List[UsageBreakdownItem]


class RunAction(TypedDict):
    """One tool call of a run, as its log tells of it."""

    action_id: str
    tool: str
    kind: Literal["read", "write"]
    target: str
    status: Literal["succeeded", "failed", "refused", "unknown"]
    approval_id: Union[str, None]
    artifact_ids: List[str]
    at: str


class AgentMetadataPage(TypedDict):
    data: List[AgentMetadata]
    has_more: bool
    next_cursor: Union[str, None]


class AgentMetadata(TypedDict):
    agent_id: str
    name: str
    description: Union[str, None]
    version: str
    status: Literal["active", "archived"]
    write_autonomy: Literal["full_auto", "approval_required", "blocked"]
    created_at: str
    updated_at: str


class Agent(TypedDict):
    agent_id: str
    name: str
    description: Union[str, None]
    version: str
    status: Literal["active", "archived"]
    write_autonomy: Literal["full_auto", "approval_required", "blocked"]
    created_at: str
    updated_at: str
    skill_content: str
    config_content: str
    config: AgentConfig
    inputs_schema: Union[Dict[str, Any], None]
    dashboard_template: Union[DashboardTemplate, None]
    current_version_id: str


class AgentVersionMetadataPage(TypedDict):
    data: List[AgentVersionMetadata]
    has_more: bool
    next_cursor: Union[str, None]


class AgentVersionMetadata(TypedDict):
    version_id: str
    number: int
    version: str
    release_note: Union[str, None]
    source: Literal["create", "patch", "edit", "restore"]
    run_id: Union[str, None]
    created_at: str


class AgentVersion(TypedDict):
    """An agent as it was. Immutable."""

    version_id: str
    number: int
    version: str
    release_note: Union[str, None]
    source: Literal["create", "patch", "edit", "restore"]
    run_id: Union[str, None]
    created_at: str
    agent_id: str
    name: str
    description: Union[str, None]
    write_autonomy: Literal["full_auto", "approval_required", "blocked"]
    skill_content: str
    config_content: str
    config: AgentConfig
    dashboard_template: Union[DashboardTemplate, None]


class _EditRunRequired(TypedDict):
    run_id: str
    agent_id: str
    status: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    conversation_id: Union[str, None]
    result: Union[RunResult, None]
    usage: Usage
    error: Union[RunError, None]
    created_at: str
    started_at: Union[str, None]
    completed_at: Union[str, None]


class EditRun(_EditRunRequired, total=False):
    actions: List[RunAction]
    actions_truncated: bool


class EditRunPage(TypedDict):
    data: List[EditRun]
    has_more: bool
    next_cursor: Union[str, None]


class ScheduleLastError(TypedDict):
    code: Literal["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "INSUFFICIENT_CREDITS", "ACCOUNT_BLOCKED", "SUPER_AGENT_ACCESS_DENIED", "NOT_FOUND", "AGENT_NOT_FOUND", "APP_NOT_FOUND", "APPROVAL_NOT_FOUND", "CONNECTION_NOT_FOUND", "CONVERSATION_NOT_FOUND", "DELIVERY_NOT_FOUND", "FILE_NOT_FOUND", "MEMORY_NOT_FOUND", "RUN_NOT_FOUND", "SCHEDULE_NOT_FOUND", "SECRET_NOT_FOUND", "SKILL_NOT_FOUND", "TEMPLATE_NOT_FOUND", "VERSION_NOT_FOUND", "WORKSPACE_NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "CONVERSATION_BUSY", "IDEMPOTENCY_CONFLICT", "VERSION_CONFLICT", "PAYLOAD_TOO_LARGE", "RANGE_NOT_SATISFIABLE", "RATE_LIMITED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]
    message: str
    at: str


class Schedule(TypedDict):
    """Each firing starts an ordinary run whose `metadata.schedule_id` names the schedule."""

    schedule_id: str
    agent_id: str
    cron: str
    timezone: str
    input: Dict[str, Any]
    on_budget: Union[Literal["fail", "wait"], None]
    end_user: Union[str, None]
    enabled: bool
    version: Union[Union[str, int], None]
    agent_version: Union[int, None]
    max_credits: Union[float, None]
    webhook_url: Union[str, None]
    next_run_at: Union[str, None]
    last_run_at: Union[str, None]
    last_error: Union[ScheduleLastError, None]
    failures: int
    paused_at: Union[str, None]
    paused_reason: Union[str, None]
    created_at: str
    updated_at: str


class SchedulePage(TypedDict):
    data: List[Schedule]
    has_more: bool
    next_cursor: Union[str, None]


class ScheduleFiringPage(TypedDict):
    data: List[ScheduleFiring]
    has_more: bool
    next_cursor: Union[str, None]


class ScheduleFiringError(TypedDict):
    code: str
    message: str


class ScheduleFiring(TypedDict):
    """What became of one firing of a schedule."""

    firing_id: str
    schedule_id: str
    at: str
    fired_at: str
    trigger: Literal["time", "manual"]
    outcome: Literal["started", "skipped"]
    run_id: Union[str, None]
    run_status: Union[Literal["pending", "running", "completed", "failed", "cancelled"], None]
    error: Union[ScheduleFiringError, None]


class MemoryPage(TypedDict):
    data: List[Memory]
    has_more: bool
    next_cursor: Union[str, None]


class Memory(TypedDict):
    """A note that an agent keeps across conversations. `tools.memory` of its config switches them on."""

    memory_id: str
    agent_id: str
    end_user: Union[str, None]
    text: str
    run_id: str
    created_at: str
    updated_at: str


class RememberedApprovalPage(TypedDict):
    data: List[RememberedApproval]
    has_more: bool
    next_cursor: Union[str, None]


class RememberedApproval(TypedDict):
    """A tool that the agent calls without asking, as long as it is defined like this: a person approved a call of it with `remember`."""

    remembered_id: str
    agent_id: str
    tool_name: str
    tool_kind: Union[Literal["http", "mcp", "client", "built_in"], None]
    definition: Union[Dict[str, Any], None]
    approval_id: str
    created_at: str


class AgentCasePage(TypedDict):
    data: List[AgentCase]
    has_more: bool
    next_cursor: Union[str, None]


class AgentCase(TypedDict):
    """A case of an agent: an input, and what must be so of the answer. Each edit runs an agent's cases before and after, and says how they came out. Nothing is sent or written by it."""

    case_id: str
    agent_id: str
    name: str
    input: Dict[str, Any]
    answers: Dict[str, Any]
    files: Dict[str, str]
    checks: List[CheckOutput]
    source: Literal["builder", "person"]
    created_at: str


class ClientToken(TypedDict):
    token: str
    expires_at: str


class OpenapiToolsLeftOutItem(TypedDict):
    operation: str
    reason: str


class OpenapiToolsOperationsItem(TypedDict):
    operation: str
    method: str
    path: str
    summary: Union[str, None]


class OpenapiTools(TypedDict):
    tools: List[Dict[str, Any]]
    left_out: List[OpenapiToolsLeftOutItem]
    operations: List[OpenapiToolsOperationsItem]


class _ConnectionSignInRequired(TypedDict):
    connection_id: str
    server_url: str
    status: Literal["pending", "connected", "needs_sign_in"]
    issuer: Union[str, None]
    client_id: Union[str, None]
    scopes: List[str]
    expires_at: Union[str, None]
    signed_in_at: Union[str, None]
    last_error: Union[str, None]
    created_at: str
    updated_at: str
    authorization_url: str
    authorization_expires_at: str


class ConnectionSignIn(_ConnectionSignInRequired, total=False):
    """A connection and where to sign in for it."""

    end_user: str


class ConnectionPage(TypedDict):
    data: List[Connection]
    has_more: bool
    next_cursor: Union[str, None]


class _ConnectionRequired(TypedDict):
    connection_id: str
    server_url: str
    status: Literal["pending", "connected", "needs_sign_in"]
    issuer: Union[str, None]
    client_id: Union[str, None]
    scopes: List[str]
    expires_at: Union[str, None]
    signed_in_at: Union[str, None]
    last_error: Union[str, None]
    created_at: str
    updated_at: str


class Connection(_ConnectionRequired, total=False):
    """The sign-in of an account, or of one of its end users, at an MCP server. Its tokens are shown nowhere."""

    end_user: str


class ConversationPage(TypedDict):
    data: List[Conversation]
    has_more: bool
    next_cursor: Union[str, None]


class Conversation(TypedDict):
    conversation_id: str
    family: Literal["creation", "agent", "super_agent"]
    end_user: Union[str, None]
    title: str
    active_run_id: Union[str, None]
    created_at: str
    updated_at: str


class ConversationWithMessages(TypedDict):
    conversation_id: str
    family: Literal["creation", "agent", "super_agent"]
    end_user: Union[str, None]
    title: str
    active_run_id: Union[str, None]
    created_at: str
    updated_at: str
    messages: List[Message]
    has_more: bool
    next_cursor: Union[str, None]


class Message(TypedDict):
    message_id: str
    role: Literal["user", "assistant"]
    text: str
    run_id: str
    created_at: str


class EndUserPage(TypedDict):
    data: List[EndUser]
    has_more: bool
    next_cursor: Union[str, None]


class EndUser(TypedDict):
    """A person whom your backend acts for, under the name that it gives them."""

    end_user: str
    status: Literal["active", "erasing"]
    max_credits_per_day: Union[float, None]
    created_at: str
    last_seen_at: Union[str, None]


class EndUserDetailsUsage(TypedDict):
    credits_today: float
    credits_30_days: float


class EndUserDetailsCounts(TypedDict):
    runs: int
    conversations: int
    memories: int
    files: int
    artifacts: int


class EndUserDetails(TypedDict):
    end_user: str
    status: Literal["active", "erasing"]
    max_credits_per_day: Union[float, None]
    created_at: str
    last_seen_at: Union[str, None]
    usage: EndUserDetailsUsage
    counts: EndUserDetailsCounts


class EndUserErasure(TypedDict):
    end_user: str
    status: Literal["erasing"]
    requested_at: str


class EndUserExportLine(TypedDict):
    """One thing that is kept of them. New types and fields may be added."""

    type: Literal["end_user", "run", "message", "run_message", "artifact", "file", "conversation", "memory", "schedule", "secret", "connection", "request", "end"]


class RunPage(TypedDict):
    data: List[Run]
    has_more: bool
    next_cursor: Union[str, None]


class RunTrace(TypedDict):
    """What the model was shown from its first turn on, and the spans in the order of their start. They are kept as long as their run."""

    run_id: str
    prompts: List[RunPrompt]
    spans: List[RunSpan]


class _RunPromptRequired(TypedDict):
    turn: int
    hash: str
    system: Any
    tools: Any


class RunPrompt(_RunPromptRequired, total=False):
    truncated: bool


class RunSpanError(TypedDict):
    code: str
    message: str


class _RunSpanRequired(TypedDict):
    span_id: str
    parent_id: Union[str, None]
    kind: Literal["queue", "turn", "model", "tool", "approval", "compaction", "webhook", "retry"]
    name: str
    status: Literal["running", "succeeded", "failed", "cancelled"]
    started_at: str
    ended_at: Union[str, None]
    credits: float
    attributes: Dict[str, Any]
    input: Any
    output: Any
    error: Union[RunSpanError, None]


class RunSpan(_RunSpanRequired, total=False):
    truncated: bool


class AcceptedMessage(TypedDict):
    message_id: str
    position: int
    next_run_id: Union[str, None]


class RunMessagePage(TypedDict):
    data: List[RunMessage]
    has_more: bool
    next_cursor: Union[str, None]


class RunMessage(TypedDict):
    message_id: str
    position: int
    when: Literal["next_step", "after"]
    text: str
    status: Literal["waiting", "shown", "queued", "missed"]
    tool_call_id: Union[str, None]
    next_run_id: Union[str, None]
    created_at: str


class RunFilePage(TypedDict):
    data: List[RunFile]
    has_more: bool
    next_cursor: Union[str, None]


class RunFile(TypedDict):
    path: str
    size_bytes: int
    content_type: str
    sha256: str
    created_at: str
    updated_at: str


class RunCreatedEvent(TypedDict):
    """Always the first line."""

    type: Literal["run.created"]
    sequence_number: int
    run_id: str
    created_at: str
    render_protocol: Literal[1]
    status: str
    agent_id: Union[str, None]
    conversation_id: Union[str, None]


class _MessageCreatedEventRequired(TypedDict):
    type: Literal["message.created"]
    sequence_number: int
    run_id: str
    created_at: str
    message_id: str
    role: Literal["assistant"]


class MessageCreatedEvent(_MessageCreatedEventRequired, total=False):
    """The model starts to speak. Each turn in which it speaks is a message of its own."""

    replaces: str


class OutputTextDeltaEvent(TypedDict):
    """More text of a message. The joined deltas of the last message that was not replaced are `result.text`."""

    type: Literal["output_text.delta"]
    sequence_number: int
    run_id: str
    created_at: str
    message_id: str
    delta: str


class ThinkingDeltaEvent(TypedDict):
    """More text of a thinking card."""

    type: Literal["thinking.delta"]
    sequence_number: int
    run_id: str
    created_at: str
    card_id: str
    delta: str


class CardCreatedEvent(TypedDict):
    """A thinking, search or todo card appears."""

    type: Literal["card.created"]
    sequence_number: int
    run_id: str
    created_at: str
    card: Card


class _CardItemsItemRequired(TypedDict):
    id: str
    text: str
    done: bool


class CardItemsItem(_CardItemsItemRequired, total=False):
    status: Literal["pending", "in_progress", "done"]


class CardItemsItem2(TypedDict):
    title: str
    url: str


class Card(TypedDict):
    card_id: str
    kind: Literal["thinking", "search", "todo"]
    status: Literal["in_progress", "done"]
    title: str
    items: List[Union[CardItemsItem, CardItemsItem2]]


class CardUpdatedEvent(TypedDict):
    """A card as it is now, whole."""

    type: Literal["card.updated"]
    sequence_number: int
    run_id: str
    created_at: str
    card: Card


class ToolStartedEvent(TypedDict):
    """A tool is called. Its input is never shown."""

    type: Literal["tool.started"]
    sequence_number: int
    run_id: str
    created_at: str
    tool_call_id: str
    name: str


class ToolCompletedEvent(TypedDict):
    """A tool has answered. Its output is never shown."""

    type: Literal["tool.completed"]
    sequence_number: int
    run_id: str
    created_at: str
    tool_call_id: str
    name: str
    status: Literal["succeeded", "failed"]


class ArtifactCreatedEvent(TypedDict):
    """The run made a file."""

    type: Literal["artifact.created"]
    sequence_number: int
    run_id: str
    created_at: str
    artifact: Artifact


class _ApprovalRequestedEventRequired(TypedDict):
    type: Literal["approval.requested"]
    sequence_number: int
    run_id: str
    created_at: str
    approval_id: str
    tool_name: str
    summary: str


class ApprovalRequestedEvent(_ApprovalRequestedEventRequired, total=False):
    """The run waits for a person: `POST /v1/approvals/{approval_id}/resolve`."""

    reason: str
    replaces: str


class ApprovalResolvedEvent(TypedDict):
    """Somebody decided, or nobody did in time."""

    type: Literal["approval.resolved"]
    sequence_number: int
    run_id: str
    created_at: str
    approval_id: str
    tool_name: str
    summary: str
    decision: Literal["approve", "reject", "expired"]


class ClientToolRequestedEventCallsItem(TypedDict):
    tool_call_id: str
    name: str


class ClientToolRequestedEvent(TypedDict):
    """The run waits for results of tools that you carry out. Fetch the run for their arguments; post the results to its `tool-results`."""

    type: Literal["client_tool.requested"]
    sequence_number: int
    run_id: str
    created_at: str
    calls: List[ClientToolRequestedEventCallsItem]


class BudgetReachedEvent(TypedDict):
    """The run waits until its limit is raised (`PATCH` the run), or its account is topped up; `on_budget` is `wait`."""

    type: Literal["budget.reached"]
    sequence_number: int
    run_id: str
    created_at: str
    reason: Literal["budget", "credits"]
    spent: float
    required: float
    max_credits: Union[float, None]


class BudgetRaisedEvent(TypedDict):
    """It goes on."""

    type: Literal["budget.raised"]
    sequence_number: int
    run_id: str
    created_at: str


class _QuestionAskedEventRequired(TypedDict):
    type: Literal["question.asked"]
    sequence_number: int
    run_id: str
    created_at: str
    tool_call_id: str
    question: str


class QuestionAskedEvent(_QuestionAskedEventRequired, total=False):
    """The run waits for an answer: the first message that is posted to its `messages`."""

    options: List[str]


class _MessageReceivedEventRequired(TypedDict):
    type: Literal["message.received"]
    sequence_number: int
    run_id: str
    created_at: str
    message_id: str
    role: Literal["user"]
    when: Literal["next_step", "after"]
    text: str


class MessageReceivedEvent(_MessageReceivedEventRequired, total=False):
    """Somebody said something to the run: its model is shown it with the turn that follows. Of a run that a message has become (`after`) it is the second line."""

    tool_call_id: str


class ConnectorUnavailableEvent(TypedDict):
    """A connector of the agent cannot be used; the run goes on without its tools."""

    type: Literal["connector.unavailable"]
    sequence_number: int
    run_id: str
    created_at: str
    name: str
    message: str


class ContextCompactedEvent(TypedDict):
    """What the model was shown had grown too long for it: a summary, by the model itself, stands in place of the older part from here on. The run goes on."""

    type: Literal["context.compacted"]
    sequence_number: int
    run_id: str
    created_at: str
    messages: int
    tokens_before: int
    tokens_after: int


class UsageUpdatedEvent(TypedDict):
    """What the run has cost so far."""

    type: Literal["usage.updated"]
    sequence_number: int
    run_id: str
    created_at: str
    usage: Usage


class RunCompletedEvent(TypedDict):
    """The last line of a run that succeeded."""

    type: Literal["run.completed"]
    sequence_number: int
    run_id: str
    created_at: str
    status: Literal["completed"]
    result: RunResult
    usage: Usage
    agent_id: Union[str, None]


class _RunFailedEventRequired(TypedDict):
    type: Literal["run.failed"]
    sequence_number: int
    run_id: str
    created_at: str
    status: Literal["failed"]
    error: RunError


class RunFailedEvent(_RunFailedEventRequired, total=False):
    """The last line of a run that failed or was cancelled (`RUN_CANCELLED`)."""

    usage: Usage


class StreamErrorEvent(TypedDict):
    """The stream cannot go on, the run may: the last line in place of a terminal one. Fetch the run, or its later events."""

    type: Literal["error"]
    sequence_number: int
    run_id: str
    created_at: str
    code: str
    message: str


class PingEvent(TypedDict):
    """After every 10 s of silence. Has no number and is not stored."""

    type: Literal["ping"]
    run_id: str
    created_at: str


class RunEventPage(TypedDict):
    data: List[RunEvent]
    has_more: bool
    next_cursor: Union[str, None]


class AccountLimits(TypedDict):
    requests_per_minute: Union[int, None]
    read_per_minute: Union[int, None]
    runs_per_minute: Union[int, None]
    writes_per_hour: int


class Account(TypedDict):
    account_id: str
    name: str
    limits: AccountLimits
    blocked: bool
    super_agent_access: bool


class AccountUsageCredits(TypedDict):
    available: float


class AccountUsageByModelItem(TypedDict):
    model: str
    credits: float
    input_tokens: float
    output_tokens: float


class AccountUsageByAgentItem(TypedDict):
    agent_id: Union[str, None]
    agent_name: Union[str, None]
    credits: float
    runs: int


class AccountUsageByDayItem(TypedDict):
    day: str
    credits: float
    runs: int


AccountUsage = TypedDict("AccountUsage", {
    "credits": "AccountUsageCredits",
    "used_24h": "float",
    "by_model": "List[AccountUsageByModelItem]",
    "by_agent": "List[AccountUsageByAgentItem]",
    "by_day": "List[AccountUsageByDayItem]",
    "window_start": "str",
    "groups": "List[UsageGroup]",
    "groups_truncated": "bool",
    "from": "str",
    "to": "str",
}, total=False)


class _UsageGroupRequired(TypedDict):
    credits: float
    runs: int
    input_tokens: float
    output_tokens: float
    cached_input_tokens: float


class UsageGroup(_UsageGroupRequired, total=False):
    """It has the fields that it is grouped by, and no others of them."""

    day: str
    end_user: Union[str, None]
    key_id: Union[str, None]
    key_name: Union[str, None]
    model: str
    agent_id: Union[str, None]
    agent_name: Union[str, None]


class WebhookSecret(TypedDict):
    webhook_secret: str
    created_at: str
    previous_expires_at: Union[str, None]


class Workspace(TypedDict):
    workspace_id: str
    name: str
    description: Union[str, None]
    created_at: str
    updated_at: str


class WorkspacePage(TypedDict):
    data: List[Workspace]
    has_more: bool
    next_cursor: Union[str, None]


class WorkspaceFile(TypedDict):
    file_id: str
    path: str
    name: str
    size_bytes: int
    content_type: str
    sha256: str
    created_at: str
    updated_at: str


class WorkspaceFilePage(TypedDict):
    data: List[WorkspaceFile]
    has_more: bool
    next_cursor: Union[str, None]


class _SecretRequired(TypedDict):
    name: str
    description: Union[str, None]
    allowed_hosts: List[str]
    created_at: str
    updated_at: str
    last_used_at: Union[str, None]


class Secret(_SecretRequired, total=False):
    """A secret of the account, or of one of its end users. Its value is write-only."""

    end_user: str


class SecretPage(TypedDict):
    data: List[Secret]
    has_more: bool
    next_cursor: Union[str, None]


class Skill(TypedDict):
    skill_id: str
    name: str
    description: str
    source: Literal["custom", "built_in"]
    enabled: bool
    version: int
    created_at: str
    updated_at: str


class SkillPage(TypedDict):
    data: List[Skill]
    has_more: bool
    next_cursor: Union[str, None]


class SkillDetailFilesItem(TypedDict):
    path: str
    size_bytes: int


class SkillDetail(TypedDict):
    skill_id: str
    name: str
    description: str
    source: Literal["custom", "built_in"]
    enabled: bool
    version: int
    created_at: str
    updated_at: str
    content: str
    files: List[SkillDetailFilesItem]


class TemplatePage(TypedDict):
    data: List[Template]
    has_more: bool
    next_cursor: Union[str, None]


class TemplateNeedsItem(TypedDict):
    kind: Literal["secret", "file", "schedule", "connector", "other"]
    text: str


class Template(TypedDict):
    name: str
    title: str
    category: Literal["data", "research", "documents", "extraction", "reporting", "monitoring", "writing", "connectors"]
    description: str
    needs: List[TemplateNeedsItem]
    works_offline: bool


class TemplateDetailNeedsItem(TypedDict):
    kind: Literal["secret", "file", "schedule", "connector", "other"]
    text: str


class TemplateDetailDocumentConfig(TypedDict):
    version: Literal[1]


class TemplateDetailDocument(TypedDict):
    """The agent: an `AgentDocument`, as `POST /v1/agents/import` takes it, with nothing left out."""

    kind: Literal["agent"]
    name: str
    skill_content: str
    config: TemplateDetailDocumentConfig


class TemplateDetail(TypedDict):
    name: str
    title: str
    category: Literal["data", "research", "documents", "extraction", "reporting", "monitoring", "writing", "connectors"]
    description: str
    needs: List[TemplateDetailNeedsItem]
    works_offline: bool
    document: TemplateDetailDocument
    content: str


class ApprovalPage(TypedDict):
    data: List[Approval]
    has_more: bool
    next_cursor: Union[str, None]


class Approval(TypedDict):
    """A tool call that waits for a person, or waited."""

    approval_id: str
    run_id: str
    agent_id: Union[str, None]
    kind: Literal["tool_call", "agent_edit"]
    tool_call_id: str
    tool_name: str
    arguments: Any
    summary: str
    tool_kind: Union[Literal["http", "mcp", "client", "built_in"], None]
    method: Union[str, None]
    target: Union[str, None]
    secret_name: Union[str, None]
    secret_header: Union[str, None]
    definition: Union[Dict[str, Any], None]
    changes: List[str]
    can_remember: bool
    reason: Union[str, None]
    replaces: Union[str, None]
    digest: Union[str, None]
    status: Literal["pending", "approved", "rejected", "expired"]
    message: Union[str, None]
    created_at: str
    expires_at: str
    decided_at: Union[str, None]


class WebhookDeliveryPage(TypedDict):
    data: List[WebhookDelivery]
    has_more: bool
    next_cursor: Union[str, None]


class WebhookDeliveryAttemptsItem(TypedDict):
    attempt: int
    at: str
    status_code: Union[int, None]
    duration_ms: int
    error: Union[str, None]
    response_body: Union[str, None]


class WebhookDelivery(TypedDict):
    delivery_id: str
    run_id: Union[str, None]
    endpoint_id: Union[str, None]
    event_id: Union[str, None]
    event_type: Union[str, None]
    url: str
    status: Literal["pending", "delivered", "failed"]
    attempts: List[WebhookDeliveryAttemptsItem]
    created_at: str


class WebhookEndpointWithSecret(TypedDict):
    endpoint_id: str
    url: str
    events: List[str]
    description: Union[str, None]
    enabled: bool
    failing_since: Union[str, None]
    disabled_at: Union[str, None]
    created_at: str
    updated_at: str
    secret: str


class WebhookEndpointPage(TypedDict):
    data: List[WebhookEndpoint]
    has_more: bool
    next_cursor: Union[str, None]


class WebhookEndpoint(TypedDict):
    endpoint_id: str
    url: str
    events: List[str]
    description: Union[str, None]
    enabled: bool
    failing_since: Union[str, None]
    disabled_at: Union[str, None]
    created_at: str
    updated_at: str


class AccountEventPage(TypedDict):
    data: List[AccountEvent]
    has_more: bool
    next_cursor: Union[str, None]


class AccountEvent(TypedDict):
    sequence: int
    id: str
    type: Literal["run.requires_action", "run.completed", "run.failed", "run.cancelled", "approval.requested", "approval.resolved", "connection.needs_sign_in", "schedule.failed", "agent.version_created", "account.credits_low"]
    created_at: str
    account_id: str
    data: Dict[str, Any]


class AppRunRequiresAction(TypedDict):
    type: Literal["approval"]
    approvalId: str


class AppRunRequiresAction2CallsItem(TypedDict):
    toolCallId: str
    name: str
    arguments: Any


class AppRunRequiresAction2(TypedDict):
    type: Literal["client_tool"]
    calls: List[AppRunRequiresAction2CallsItem]


class _AppRunRequiresAction3Required(TypedDict):
    type: Literal["budget"]
    spent: float
    required: float
    maxCredits: Union[float, None]


class AppRunRequiresAction3(_AppRunRequiresAction3Required, total=False):
    runId: str


class AppRunRequiresAction4(TypedDict):
    type: Literal["credits"]
    spent: float
    required: float
    maxCredits: Union[float, None]


class _AppRunRequiresAction5Required(TypedDict):
    type: Literal["question"]
    question: str


class AppRunRequiresAction5(_AppRunRequiresAction5Required, total=False):
    options: List[str]


class AppRunUsageBreakdownItem(TypedDict):
    model: str
    capability: Literal["chat", "vision", "image", "video", "speech"]
    inputTokens: int
    outputTokens: int
    cachedInputTokens: int
    units: float
    credits: float


class AppRunUsage(TypedDict):
    credits: float
    breakdown: List[AppRunUsageBreakdownItem]


class _AppRunRequired(TypedDict):
    runId: str
    appId: str
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    conversationId: Union[str, None]
    workspaceId: Union[str, None]
    model: str
    metadata: Dict[str, str]
    endUser: Union[str, None]
    requiresAction: Union[Union[AppRunRequiresAction, AppRunRequiresAction2, AppRunRequiresAction3, AppRunRequiresAction4, AppRunRequiresAction5], None]
    result: Union[AppRunResult, None]
    usage: AppRunUsage
    error: Union[RunError, None]
    createdAt: str
    startedAt: Union[str, None]
    completedAt: Union[str, None]
    webhookDeliveredAt: Union[str, None]
    threadId: Union[str, None]


class AppRun(_AppRunRequired, total=False):
    """A run of the app-scoped path."""

    messageId: str
    actions: List[AppRunAction]
    actionsTruncated: bool


class AppRunAction(TypedDict):
    actionId: str
    tool: str
    kind: Literal["read", "write"]
    target: str
    status: Literal["succeeded", "failed", "refused", "unknown"]
    approvalId: Union[str, None]
    artifactIds: List[str]
    at: str


class AppRunPage(TypedDict):
    data: List[AppRun]
    hasMore: bool
    nextCursor: Union[str, None]


class AppAcceptedMessage(TypedDict):
    messageId: str
    position: int
    nextRunId: Union[str, None]


class AppRunCreatedEvent(TypedDict):
    """Always the first line."""

    type: Literal["run.created"]
    sequenceNumber: int
    runId: str
    createdAt: str
    renderProtocol: Literal[1]
    status: str
    agentId: Union[str, None]
    conversationId: Union[str, None]


class _AppMessageCreatedEventRequired(TypedDict):
    type: Literal["message.created"]
    sequenceNumber: int
    runId: str
    createdAt: str
    messageId: str
    role: Literal["assistant"]


class AppMessageCreatedEvent(_AppMessageCreatedEventRequired, total=False):
    """The model starts to speak. Each turn in which it speaks is a message of its own."""

    replaces: str


class AppOutputTextDeltaEvent(TypedDict):
    """More text of a message. The joined deltas of the last message that was not replaced are `result.text`."""

    type: Literal["output_text.delta"]
    sequenceNumber: int
    runId: str
    createdAt: str
    messageId: str
    delta: str


class AppThinkingDeltaEvent(TypedDict):
    """More text of a thinking card."""

    type: Literal["thinking.delta"]
    sequenceNumber: int
    runId: str
    createdAt: str
    cardId: str
    delta: str


class AppCardCreatedEvent(TypedDict):
    """A thinking, search or todo card appears."""

    type: Literal["card.created"]
    sequenceNumber: int
    runId: str
    createdAt: str
    card: AppCard


class _AppCardItemsItemRequired(TypedDict):
    id: str
    text: str
    done: bool


class AppCardItemsItem(_AppCardItemsItemRequired, total=False):
    status: Literal["pending", "in_progress", "done"]


class AppCardItemsItem2(TypedDict):
    title: str
    url: str


class AppCard(TypedDict):
    cardId: str
    kind: Literal["thinking", "search", "todo"]
    status: Literal["in_progress", "done"]
    title: str
    items: List[Union[AppCardItemsItem, AppCardItemsItem2]]


class AppCardUpdatedEvent(TypedDict):
    """A card as it is now, whole."""

    type: Literal["card.updated"]
    sequenceNumber: int
    runId: str
    createdAt: str
    card: AppCard


class AppToolStartedEvent(TypedDict):
    """A tool is called. Its input is never shown."""

    type: Literal["tool.started"]
    sequenceNumber: int
    runId: str
    createdAt: str
    toolCallId: str
    name: str


class AppToolCompletedEvent(TypedDict):
    """A tool has answered. Its output is never shown."""

    type: Literal["tool.completed"]
    sequenceNumber: int
    runId: str
    createdAt: str
    toolCallId: str
    name: str
    status: Literal["succeeded", "failed"]


class AppArtifactCreatedEvent(TypedDict):
    """The run made a file."""

    type: Literal["artifact.created"]
    sequenceNumber: int
    runId: str
    createdAt: str
    artifact: AppArtifact


class AppArtifact(TypedDict):
    """A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run."""

    id: str
    title: str
    type: str
    url: str
    name: str
    sizeBytes: int


class _AppApprovalRequestedEventRequired(TypedDict):
    type: Literal["approval.requested"]
    sequenceNumber: int
    runId: str
    createdAt: str
    approvalId: str
    toolName: str
    summary: str


class AppApprovalRequestedEvent(_AppApprovalRequestedEventRequired, total=False):
    """The run waits for a person: `POST /v1/approvals/{approval_id}/resolve`."""

    reason: str
    replaces: str


class AppApprovalResolvedEvent(TypedDict):
    """Somebody decided, or nobody did in time."""

    type: Literal["approval.resolved"]
    sequenceNumber: int
    runId: str
    createdAt: str
    approvalId: str
    toolName: str
    summary: str
    decision: Literal["approve", "reject", "expired"]


class AppClientToolRequestedEventCallsItem(TypedDict):
    toolCallId: str
    name: str


class AppClientToolRequestedEvent(TypedDict):
    """The run waits for results of tools that you carry out. Fetch the run for their arguments; post the results to its `tool-results`."""

    type: Literal["client_tool.requested"]
    sequenceNumber: int
    runId: str
    createdAt: str
    calls: List[AppClientToolRequestedEventCallsItem]


class AppBudgetReachedEvent(TypedDict):
    """The run waits until its limit is raised (`PATCH` the run), or its account is topped up; `on_budget` is `wait`."""

    type: Literal["budget.reached"]
    sequenceNumber: int
    runId: str
    createdAt: str
    reason: Literal["budget", "credits"]
    spent: float
    required: float
    maxCredits: Union[float, None]


class AppBudgetRaisedEvent(TypedDict):
    """It goes on."""

    type: Literal["budget.raised"]
    sequenceNumber: int
    runId: str
    createdAt: str


class _AppQuestionAskedEventRequired(TypedDict):
    type: Literal["question.asked"]
    sequenceNumber: int
    runId: str
    createdAt: str
    toolCallId: str
    question: str


class AppQuestionAskedEvent(_AppQuestionAskedEventRequired, total=False):
    """The run waits for an answer: the first message that is posted to its `messages`."""

    options: List[str]


class _AppMessageReceivedEventRequired(TypedDict):
    type: Literal["message.received"]
    sequenceNumber: int
    runId: str
    createdAt: str
    messageId: str
    role: Literal["user"]
    when: Literal["next_step", "after"]
    text: str


class AppMessageReceivedEvent(_AppMessageReceivedEventRequired, total=False):
    """Somebody said something to the run: its model is shown it with the turn that follows. Of a run that a message has become (`after`) it is the second line."""

    toolCallId: str


class AppConnectorUnavailableEvent(TypedDict):
    """A connector of the agent cannot be used; the run goes on without its tools."""

    type: Literal["connector.unavailable"]
    sequenceNumber: int
    runId: str
    createdAt: str
    name: str
    message: str


class AppContextCompactedEvent(TypedDict):
    """What the model was shown had grown too long for it: a summary, by the model itself, stands in place of the older part from here on. The run goes on."""

    type: Literal["context.compacted"]
    sequenceNumber: int
    runId: str
    createdAt: str
    messages: int
    tokensBefore: int
    tokensAfter: int


class AppUsageUpdatedEventUsageBreakdownItem(TypedDict):
    model: str
    capability: Literal["chat", "vision", "image", "video", "speech"]
    inputTokens: int
    outputTokens: int
    cachedInputTokens: int
    units: float
    credits: float


class AppUsageUpdatedEventUsage(TypedDict):
    credits: float
    breakdown: List[AppUsageUpdatedEventUsageBreakdownItem]


class AppUsageUpdatedEvent(TypedDict):
    """What the run has cost so far."""

    type: Literal["usage.updated"]
    sequenceNumber: int
    runId: str
    createdAt: str
    usage: AppUsageUpdatedEventUsage


class AppRunCompletedEventUsageBreakdownItem(TypedDict):
    model: str
    capability: Literal["chat", "vision", "image", "video", "speech"]
    inputTokens: int
    outputTokens: int
    cachedInputTokens: int
    units: float
    credits: float


class AppRunCompletedEventUsage(TypedDict):
    credits: float
    breakdown: List[AppRunCompletedEventUsageBreakdownItem]


class AppRunCompletedEvent(TypedDict):
    """The last line of a run that succeeded."""

    type: Literal["run.completed"]
    sequenceNumber: int
    runId: str
    createdAt: str
    status: Literal["completed"]
    result: AppRunResult
    usage: AppRunCompletedEventUsage
    agentId: Union[str, None]


class AppRunFailedEventUsageBreakdownItem(TypedDict):
    model: str
    capability: Literal["chat", "vision", "image", "video", "speech"]
    inputTokens: int
    outputTokens: int
    cachedInputTokens: int
    units: float
    credits: float


class AppRunFailedEventUsage(TypedDict):
    """Only when the run cost something."""

    credits: float
    breakdown: List[AppRunFailedEventUsageBreakdownItem]


class _AppRunFailedEventRequired(TypedDict):
    type: Literal["run.failed"]
    sequenceNumber: int
    runId: str
    createdAt: str
    status: Literal["failed"]
    error: RunError


class AppRunFailedEvent(_AppRunFailedEventRequired, total=False):
    """The last line of a run that failed or was cancelled (`RUN_CANCELLED`)."""

    usage: AppRunFailedEventUsage


class AppStreamErrorEvent(TypedDict):
    """The stream cannot go on, the run may: the last line in place of a terminal one. Fetch the run, or its later events."""

    type: Literal["error"]
    sequenceNumber: int
    runId: str
    createdAt: str
    code: str
    message: str


class AppPingEvent(TypedDict):
    """After every 10 s of silence. Has no number and is not stored."""

    type: Literal["ping"]
    runId: str
    createdAt: str


class AppRunEventPage(TypedDict):
    data: List[AppRunEvent]
    hasMore: bool
    nextCursor: Union[str, None]


class AppApprovalPage(TypedDict):
    data: List[AppApproval]
    hasMore: bool
    nextCursor: Union[str, None]


class AppApproval(TypedDict):
    """A tool call of an app run that waits for a person."""

    approvalId: str
    runId: str
    appId: str
    kind: Literal["tool_call", "agent_edit"]
    toolCallId: str
    toolName: str
    arguments: Any
    summary: str
    reason: Union[str, None]
    replaces: Union[str, None]
    digest: Union[str, None]
    status: Literal["pending", "approved", "rejected", "expired"]
    message: Union[str, None]
    createdAt: str
    expiresAt: str
    decidedAt: Union[str, None]


class CheckOutput1(TypedDict):
    type: Literal["contains"]
    value: str


class CheckOutput2(TypedDict):
    type: Literal["not_contains"]
    value: str


class CheckOutput3(TypedDict):
    type: Literal["equals"]
    value: Any


class CheckOutput4(TypedDict):
    type: Literal["matches"]
    pattern: str


class _CheckOutput5Required(TypedDict):
    type: Literal["json_path"]
    path: str


class CheckOutput5(_CheckOutput5Required, total=False):
    value: Any


class CheckOutput6(TypedDict):
    type: Literal["schema"]
    schema: Dict[str, Any]


class CheckOutput7(TypedDict):
    type: Literal["tool_called"]
    tool: str


class CheckOutput8(TypedDict):
    type: Literal["tool_not_called"]
    tool: str


class ProductProfileOutputBrand(TypedDict):
    colors: List[str]
    logo_url: Union[str, None]


class ProductProfileOutputLinksItem2(TypedDict):
    url: str


class ProductProfileOutput(TypedDict):
    """Persona and brand of the account's product; the super-agent knows it."""

    name: Union[str, None]
    tagline: Union[str, None]
    description: Union[str, None]
    audience: Union[str, None]
    tone: Union[str, None]
    instructions: Union[str, None]
    brand: ProductProfileOutputBrand
    links: List[Union[str, ProductProfileOutputLinksItem2]]


class CompletedRunRequiresAction(TypedDict):
    type: Literal["approval"]
    approval_id: str


class CompletedRunRequiresAction2CallsItem(TypedDict):
    tool_call_id: str
    name: str
    arguments: Any


class CompletedRunRequiresAction2(TypedDict):
    type: Literal["client_tool"]
    calls: List[CompletedRunRequiresAction2CallsItem]


class _CompletedRunRequiresAction3Required(TypedDict):
    type: Literal["budget"]
    spent: float
    required: float
    max_credits: Union[float, None]


class CompletedRunRequiresAction3(_CompletedRunRequiresAction3Required, total=False):
    run_id: str


class CompletedRunRequiresAction4(TypedDict):
    type: Literal["credits"]
    spent: float
    required: float
    max_credits: Union[float, None]


class _CompletedRunRequiresAction5Required(TypedDict):
    type: Literal["question"]
    question: str


class CompletedRunRequiresAction5(_CompletedRunRequiresAction5Required, total=False):
    options: List[str]


class _CompletedRunRequired(TypedDict):
    run_id: str
    kind: Literal["agent", "agent_creation", "agent_edit", "super_agent", "app"]
    status: Literal["completed"]
    agent_id: Union[str, None]
    conversation_id: Union[str, None]
    workspace_id: Union[str, None]
    model: str
    replayed_from: Union[str, None]
    parent_run_id: Union[str, None]
    agent_version: Union[int, None]
    metadata: Dict[str, str]
    end_user: Union[str, None]
    requires_action: Union[Union[CompletedRunRequiresAction, CompletedRunRequiresAction2, CompletedRunRequiresAction3, CompletedRunRequiresAction4, CompletedRunRequiresAction5], None]
    result: RunResult
    usage: Usage
    error: Union[RunError, None]
    created_at: str
    started_at: Union[str, None]
    completed_at: Union[str, None]
    webhook_delivered_at: Union[str, None]


class CompletedRun(_CompletedRunRequired, total=False):
    input: Dict[str, Any]
    message_id: str
    actions: List[RunAction]
    actions_truncated: bool

ErrorCode = Literal["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "INSUFFICIENT_CREDITS", "ACCOUNT_BLOCKED", "FORBIDDEN", "SUPER_AGENT_ACCESS_DENIED", "NOT_FOUND", "AGENT_NOT_FOUND", "APP_NOT_FOUND", "APPROVAL_NOT_FOUND", "CONNECTION_NOT_FOUND", "CONVERSATION_NOT_FOUND", "DELIVERY_NOT_FOUND", "ENDPOINT_NOT_FOUND", "FILE_NOT_FOUND", "MEMORY_NOT_FOUND", "CASE_NOT_FOUND", "RUN_NOT_FOUND", "SCHEDULE_NOT_FOUND", "SECRET_NOT_FOUND", "SKILL_NOT_FOUND", "TEMPLATE_NOT_FOUND", "VERSION_NOT_FOUND", "WORKSPACE_NOT_FOUND", "END_USER_NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "CONVERSATION_BUSY", "IDEMPOTENCY_CONFLICT", "RUN_NOT_ACTIVE", "END_USER_ERASED", "VERSION_CONFLICT", "PAYLOAD_TOO_LARGE", "RANGE_NOT_SATISFIABLE", "RATE_LIMITED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]
ModelId = Union[Literal["openai/gpt-6.1-sol", "openai/gpt-6.1-terra", "openai/gpt-6-luna", "openai/gpt-6-astra", "openai/gpt-6-sol", "openai/gpt-5.6-sol", "openai/gpt-5.6-terra", "openai/gpt-5.6-luna", "openai/gpt-5.5", "openai/gpt-5.4", "openai/gpt-5.4-mini", "openai/gpt-5.4-nano", "openai/gpt-5.2", "openai/gpt-5.1", "openai/gpt-5", "openai/gpt-5-mini", "openai/gpt-5-nano", "openai/gpt-4.1", "openai/gpt-4.1-mini", "anthropic/claude-fable-5-2", "anthropic/claude-fable-5-1", "anthropic/claude-opus-5-5", "anthropic/claude-sonnet-5-5", "anthropic/claude-haiku-5-5", "anthropic/claude-fable-5", "anthropic/claude-opus-5", "anthropic/claude-sonnet-5", "anthropic/claude-opus-4-8", "anthropic/claude-opus-4-7", "anthropic/claude-opus-4-6", "anthropic/claude-sonnet-4-6", "anthropic/claude-haiku-4-5", "anthropic/claude-opus-4-5", "anthropic/claude-sonnet-4-5", "google/gemini-4-carbon", "google/gemini-4-argon", "google/gemini-4-hydrogen", "google/gemini-3.8-flash", "google/gemini-3.7-flash", "google/gemini-3.6-flash", "google/gemini-3.5-flash", "google/gemini-3.5-flash-lite", "google/gemini-3.1-flash-lite", "google/gemini-3.1-pro-preview", "google/gemini-2.5-pro", "google/gemini-2.5-flash", "google/gemini-2.5-flash-lite", "builtin/offline", "openai/latest-sol", "openai/latest-terra", "openai/latest-luna", "anthropic/latest-fable", "anthropic/latest-opus", "anthropic/latest-sonnet", "anthropic/latest-haiku", "google/latest-flash", "google/latest-flash-lite"], str]
Check = Union["Check1", "Check2", "Check3", "Check4", "Check5", "Check6", "Check7", "Check8"]
RunWebhook = Union["RunCompletedWebhook", "RunFailedWebhook"]
RunFailureCode = Literal["EXECUTION_FAILED", "MODEL_UNAVAILABLE", "MODEL_RATE_LIMITED", "MODEL_RETIRED", "TIMEOUT", "STEP_LIMIT_EXCEEDED", "BUDGET_EXCEEDED", "INSUFFICIENT_CREDITS", "APPROVAL_EXPIRED", "INVALID_AGENT_CONFIG", "AGENT_BUILD_FAILED", "MODEL_CANNOT_ANSWER", "OUTPUT_TRUNCATED", "CONTENT_FILTERED", "EMPTY_ANSWER", "ENGINE_LOST", "RUN_CANCELLED"]
RunEvent = Union["RunCreatedEvent", "MessageCreatedEvent", "OutputTextDeltaEvent", "ThinkingDeltaEvent", "CardCreatedEvent", "CardUpdatedEvent", "ToolStartedEvent", "ToolCompletedEvent", "ArtifactCreatedEvent", "ApprovalRequestedEvent", "ApprovalResolvedEvent", "ClientToolRequestedEvent", "BudgetReachedEvent", "BudgetRaisedEvent", "QuestionAskedEvent", "MessageReceivedEvent", "ConnectorUnavailableEvent", "ContextCompactedEvent", "UsageUpdatedEvent", "RunCompletedEvent", "RunFailedEvent", "StreamErrorEvent", "PingEvent"]
AppRunEvent = Union["AppRunCreatedEvent", "AppMessageCreatedEvent", "AppOutputTextDeltaEvent", "AppThinkingDeltaEvent", "AppCardCreatedEvent", "AppCardUpdatedEvent", "AppToolStartedEvent", "AppToolCompletedEvent", "AppArtifactCreatedEvent", "AppApprovalRequestedEvent", "AppApprovalResolvedEvent", "AppClientToolRequestedEvent", "AppBudgetReachedEvent", "AppBudgetRaisedEvent", "AppQuestionAskedEvent", "AppMessageReceivedEvent", "AppConnectorUnavailableEvent", "AppContextCompactedEvent", "AppUsageUpdatedEvent", "AppRunCompletedEvent", "AppRunFailedEvent", "AppStreamErrorEvent", "AppPingEvent"]
CheckOutput = Union["CheckOutput1", "CheckOutput2", "CheckOutput3", "CheckOutput4", "CheckOutput5", "CheckOutput6", "CheckOutput7", "CheckOutput8"]
