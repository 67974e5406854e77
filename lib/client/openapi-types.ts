// Generated from the document of the API. Never edit it; after a change of an operation run:
//   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
export interface paths {
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description The account's agents, newest first, as metadata only.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent from plain language
         * @description Starts an asynchronous creation run. The agent is built, validated and stored by the run; the completed run carries its id.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 1,000 active agents; beyond that, 409 `CONFLICT`. Archive one first; archived agents do not count.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an agent
         * @description The full record with skill, config and dashboard. An archived agent is fetched too.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Archive an agent
         * @description The agent leaves the default list and can still be fetched by its id; its runs stay readable. It can no longer be run, edited or changed, and its app keys are revoked. Again: 204.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["archiveAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Replaces the fields that are given and keeps the outcome as a new version. `config` and `config_content` always say the same: changing one rewrites the other. A change of nothing answers 200 and stores no version; it still counts as a write.
         *
         *     Counts against the hourly write cap.
         *
         *     An agent keeps its newest 500 versions; the oldest go, the current one never.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/v1/agents/{agent_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy an agent
         * @description A new, active agent with the same skill, config, dashboard, write autonomy and cases, named after the original with ` (copy)`, at version 1.0.0 with a history of its own. It asks no more for the tools that the original asks no more for, as long as they are defined alike. An archived agent can be copied too.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 1,000 active agents; beyond that, 409 `CONFLICT`. Archive one first; archived agents do not count.
         */
        post: operations["duplicateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an agent
         * @description The agent as one YAML document, with the comments of its config and its cases; `POST /v1/agents/import` takes it, here or elsewhere. Remembered approvals are not in it.
         */
        get: operations["exportAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an agent
         * @description Stores the agent of an exported document as a new one with its cases, without a run. `kind`, `format`, `name` and `skill_content` are required; without `write_autonomy` the agent asks before it writes. Anchors, aliases and tags are refused; errors say line and column.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 1,000 active agents; beyond that, 409 `CONFLICT`. Archive one first; archived agents do not count.
         */
        post: operations["importAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's versions
         * @description Newest first, without their texts. Every change that was stored is one.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions/{version_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a version
         * @description The agent as it was, whole.
         */
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/versions/{version_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version
         * @description Makes the agent read as it did in that version, `version` included, and keeps that as a new version. Nothing leaves the history.
         *
         *     Counts against the hourly write cap.
         *
         *     An agent keeps its newest 500 versions; the oldest go, the current one never.
         */
        post: operations["restoreAgentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's edits
         * @description The agent's edit runs, newest first.
         */
        get: operations["listAgentEdits"];
        put?: never;
        /**
         * Change an agent in plain language
         * @description Starts an asynchronous edit run. The agent stays as it is until the edit succeeds; then the outcome is a new version, and the last number of `version` goes up. A failed or cancelled edit leaves the agent untouched. Cancel it by `POST /v1/runs/{run_id}/cancel`.
         *
         *     Counts against the hourly write cap.
         *
         *     An agent keeps its newest 500 versions; the oldest go, the current one never.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createAgentEdit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/edits/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an edit
         * @description Status, result, usage and error of an edit run of this agent.
         */
        get: operations["getAgentEdit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's schedules
         * @description Newest first.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a schedule
         * @description Has the agent run by the clock. Each firing starts one ordinary run at most; what was missed while the service was down is made up for by one run. Firings count against the account's starts of runs a minute; those beyond wait. A firing that cannot start (no credits, a blocked account, an archived agent) is skipped, and `last_error` says why. Each run keeps to `version`, costs `max_credits` at most and is sent to `webhook_url`. After 10 failures in a row, firings that were skipped and runs that failed, the schedule is paused: `enabled` is false, and `paused_reason` says why.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 100 schedules; beyond that, 409 `CONFLICT`. Delete one first.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description Ends it. Runs that it started stay.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description Replaces the fields that are given; null takes `version`, `max_credits` and `webhook_url` away. Other times, or switching it on, plan the next firing anew from now; switching it on begins the count of its failures anew.
         *
         *     Counts against the hourly write cap.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/v1/agents/{agent_id}/schedules/{schedule_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a schedule now
         * @description Starts the run that a firing would start, now, also of a schedule that is switched off or paused. It is a firing like those of the clock, whose next time stays: it is listed, and its failure or success counts. A request that is refused is no firing.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/schedules/{schedule_id}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a schedule's firings
         * @description What became of each firing, newest first: the run that it started and how that stands, or why it was skipped. The newest 1000 are kept, for 90 days. A firing that still waits for its turn is not listed.
         */
        get: operations["listScheduleFirings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's memories
         * @description What the agent has noted across conversations, newest first.
         */
        get: operations["listMemories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/memories/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a memory
         * @description One note.
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Delete a memory
         * @description Has the agent forget the note. Runs that are at work may have read it.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Change a memory
         * @description Replaces the note's text: the agent's next runs go by it.
         *
         *     Counts against the hourly write cap.
         */
        patch: operations["updateMemory"];
        trace?: never;
    };
    "/v1/agents/{agent_id}/remembered-approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an agent asks no more about
         * @description The definitions of tools that were approved with `remember`, newest first.
         */
        get: operations["listRememberedApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/remembered-approvals/{remembered_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Have an agent ask again
         * @description Takes a remembered approval away: the next call of the tool waits for a person.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteRememberedApproval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's cases
         * @description The cases that edits of the agent run, in the order in which they were added: at most 12.
         */
        get: operations["listAgentCases"];
        put?: never;
        /**
         * Add a case to an agent
         * @description Adds a case, in place of one of the same name. The agent's builder writes two or three by itself.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["createAgentCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/cases/{case_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a case of an agent
         * @description Edits of the agent run it no more.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteAgentCase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/client-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a token for a browser
         * @description A short-lived token with which the browser of one person runs one agent, on the app-scoped path alone. It ends by its time, and before that with the key or session that made it, when the agent is archived, or when the account is blocked. Make one for a person whom you have signed in, when their page asks for it.
         */
        post: operations["createClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make http tools of an OpenAPI document
         * @description Turns chosen operations of an OpenAPI 3 document into entries for `tools.http` of an agent's config, and lists what there is to choose from. Nothing is stored and nothing is called: put the entries into a config by `PATCH /v1/agents/{agent_id}`.
         */
        post: operations["convertOpenapi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections
         * @description The account's sign-ins at MCP servers, or those of one end user, newest first, without their tokens.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Sign in to an MCP server
         * @description Begins a sign-in by OAuth 2.1 for all agents of the account whose config names the server with `auth: oauth`. The answer says where a person signs in, once, within ten minutes. Without `client_id` this service registers itself at the authorization server. Asked again it begins a further sign-in; an earlier one holds until that has succeeded. With `end_user` the sign-in is that person's own, for their runs alone, and the address is a link for their browser; an end user has at most 50 connections.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 100 connections to MCP servers; beyond that, 409 `CONFLICT`. Delete one first.
         *
         *     An account may have at most 100,000 connections of its end users to MCP servers; beyond that, 409 `CONFLICT`. Delete one first.
         */
        post: operations["connectServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a connection
         * @description Everything but its tokens.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Disconnect
         * @description Deletes the connection, the account's or an end user's, with its tokens, and tells the authorization server that they count no more, where it can be told.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description The account's conversations, newest first, without their messages. Those of the super-agent only where the account may use it.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a conversation
         * @description The conversation with its newest messages, at most `limit` (100 by default) and 4 MiB of text, in the order in which they were said. `cursor` leads to the earlier ones.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Forgets the conversation and its messages; its runs stay readable. While a run of it has not ended: 409.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List end users
         * @description The people for whom your account has runs, schedules, limits, secrets or connections (`end_user`), those who came last first.
         */
        get: operations["listEndUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end-users/{end_user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an end user
         * @description How much there is of a person, what they used and when they were last seen. Of one who was erased: 410 with the receipt in `deleted`.
         */
        get: operations["getEndUser"];
        put?: never;
        post?: never;
        /**
         * Erase an end user
         * @description Erases a person for good: their runs with inputs, results, events, traces, files and artifacts, conversations, memories, schedules, secrets and connections, and what workspaces, webhooks, the audit log and kept answers hold of them. Runs at work are cancelled, and until it is done nothing new is accepted for them (409). Then `GET` answers 410 with a receipt that does not name them; what they cost stays in the account's books, without their name. A new run under the same name begins a new person, and the receipt gives way.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["eraseEndUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end-users/{end_user}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an end user
         * @description All that is kept of a person, one JSON object a line: who it is, their runs with inputs and results, each run's messages (`message`: its turns in the conversation; `run_message`: what was said to it while it was at work, shown to its model or not), artifacts and files (without their bytes), then conversations, memories, schedules, and their own secrets and connections (without what is sealed). The last line is `end` with the number of lines; an export without it was cut.
         */
        get: operations["exportEndUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end-users/{end_user}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Limit an end user
         * @description What the person's runs may cost a day (UTC) together; null clears it. A run that does not fit any more is refused with 402 `INSUFFICIENT_CREDITS`; one at work ends with `BUDGET_EXCEEDED` before the call that would pass it. The person need not have been seen before.
         *
         *     Counts against the hourly write cap.
         */
        put: operations["setEndUserLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas/agent-config.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema of the agent config
         * @description JSON Schema 2020-12 of the agent config. Needs no key.
         */
        get: operations["getAgentConfigSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas/dashboard-template.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema of the dashboard template
         * @description JSON Schema 2020-12 of the dashboard template. Needs no key.
         */
        get: operations["getDashboardTemplateSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description The account's runs of every kind but the super-agent's, newest first.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run
         * @description Starts an asynchronous run of an agent, or without `agent_id` a general run. With `version` it keeps to that version of the agent to its end: skill, config and `inputs`; otherwise to the current one. Poll it, follow its events, or have it sent to a webhook.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a run
         * @description Status, result, usage and error of a run of any kind but the super-agent's.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete a run
         * @description Deletes an ended run with its events, transcript, messages, approvals, deliveries and artifacts; their bytes no longer count against the account's space. What it cost stays in the account's usage. While it is at work: 409.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        /**
         * Raise a run's limit
         * @description Raises what a pending or running run may cost, above what the agent's config says too. A run that waits for it (`requires_action` with `budget`) goes on where it left off. A limit can only be raised: less than it is, or a run without one, answers 409, as does an ended run. The limit that it has already changes nothing. A run that a super-agent has started is bounded by the limit of that one's.
         */
        patch: operations["updateRun"];
        trace?: never;
    };
    "/v1/runs/{run_id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a run did
         * @description What the model was shown (its system prompt and its tools, frozen with the run's first turn), and every part of the run with its times, its cost, what went in and what came out: the wait for a place, turns, calls of models and tools, approvals, retries, contexts that were summarised, deliveries of the webhook. Also while it is at work.
         */
        get: operations["getRunTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a run
         * @description Starts an ended run of an agent, or a general one, once more, if you like on another model or another version of the agent: the same input, workspace and metadata, and the earlier messages of the conversation that the first run was shown, in a new conversation. The files, skills and secrets are those of today, and its tools act again. `webhook_url` and `should_notify` are not taken over. A run at work, a creation or an edit, and an archived agent answer 409. The new run names the first one in `replayed_from`.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["replayRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Cancels a pending or running run and aborts its model call within a second. A run that has ended is answered unchanged.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/tool-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post results of client tools
         * @description Answers calls of the agent's `tools.client` that the run waits for (`requires_action.calls`), each by its output or an error. Some of them or all: with the last one the run goes on. A call that the run does not wait for, or not any more, answers 409, and nothing of the request is taken.
         */
        post: operations["submitToolResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was said to a run
         * @description What was said to a run since it was started, newest first, and what became of it.
         */
        get: operations["listRunMessages"];
        put?: never;
        /**
         * Say something to a run
         * @description Says something to a run that has not ended. `next_step` is shown to its model with the next turn, once, in the order of acceptance; a run that waits for an approval, a result or credits is not woken by it, one that waits for the answer to a question (`requires_action.type: question`) takes it as the answer. A run that would end just then takes another turn. `after` becomes the next run of the conversation, and is refused where that could not start: 402 `INSUFFICIENT_CREDITS`, 403 `ACCOUNT_BLOCKED`. At most 100 messages wait for a turn, 1,000 are taken in all; beyond, and after the end (`RUN_NOT_ACTIVE`), 409.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a run's files
         * @description The scratch space of a run, newest first: what its code saved, long results of tools, what connectors sent. At most 200 files and 256 MiB a run, within the account's space; deleted with the run. What the run handed over to the person is in its result's `artifacts`.
         */
        get: operations["listRunFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a run's file
         * @description Streams the bytes, always as an attachment. One `Range` is honoured; `ETag` and `If-None-Match` work.
         */
        get: operations["getRunFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow or page a run's events
         * @description The stored events after `starting_after`, then live ones until the terminal line, as NDJSON; it ends earlier where your key is revoked or expires. With `Accept: application/json` one page, oldest first. Kept for 24 hours after the end.
         */
        get: operations["listRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run and stream it
         * @description The answer is the run's event stream as newline-delimited JSON: `run.created` first, exactly one terminal line last. The run goes on when the client goes away; fetch it, or resume its events, by its id.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createRealtimeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{artifact_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an artifact
         * @description Deletes a file that a run made: its bytes no longer count against the account's space, its links stop working, and the run's result no longer lists it. While the run is at work: 409.
         */
        delete: operations["deleteArtifact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The calling account
         * @description The account of the key, with its limits.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wallet and spend
         * @description The wallet's balance less what running runs have reserved, and the spend of the last 24 hours by model and agent, and of 30 days by day. With `group_by`, `from`, `to` or `end_user` also what was used by day, end user, key, model and agent, in any combination, by day where `group_by` says nothing else; `Accept: text/csv` gives that table alone.
         */
        get: operations["getAccountUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signing secret
         * @description The secret that signs the account's webhooks. It is made when it is first asked for, or when the first webhook is sent; who asks is noted in the audit log.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/webhook-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description Makes a fresh secret. During the overlap webhooks carry a signature of each, so that receivers can change over one by one; 0 ends the old secret at once.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description The account's workspaces, newest first.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description A workspace holds files that runs can read and write.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 1,000 workspaces; beyond that, 409 `CONFLICT`. Delete one first.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a workspace
         * @description One workspace of the account.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete a workspace
         * @description Deletes the workspace with its files. Runs that used it stay.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace
         * @description Replaces the fields that are given.
         *
         *     Counts against the hourly write cap.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add an agent to a workspace
         * @description A workspace with agents may be used by runs of these agents only. Adding an agent again changes nothing.
         *
         *     Counts against the hourly write cap.
         */
        put: operations["assignWorkspaceAgent"];
        post?: never;
        /**
         * Remove an agent from a workspace
         * @description Removing an agent that is not there changes nothing.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["unassignWorkspaceAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a workspace's agents
         * @description The agents that may use the workspace; none listed means all.
         */
        get: operations["listWorkspaceAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description The workspace's files, newest first.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a file
         * @description Multipart with the field `file` (one) and optionally `path`, or the raw bytes with `?path=`. The same path again replaces the file. A broken-off upload leaves nothing.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 50,000 files in its workspaces; beyond that, 409 `CONFLICT`. Delete some first.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a file's record
         * @description Path, size, type and digest.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Removes the file.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspace_id}/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Streams the bytes, always as an attachment. One `Range` is honoured; `ETag` and `If-None-Match` work.
         */
        get: operations["getFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List secrets
         * @description The account's secrets, or those of one end user, newest first, without their values.
         */
        get: operations["listSecrets"];
        put?: never;
        /**
         * Add a secret
         * @description Stores a value that connectors send for a run, to the hosts that it names and over https alone, and that nothing ever shows again. A name that is taken answers 409. An account has at most 1,000 secrets and 384 KiB of values together; each of its end users has at most 50 of their own, with 128 KiB.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 1,000 secrets; beyond that, 409 `CONFLICT`. Delete one first.
         *
         *     An account may have at most 100,000 secrets of its end users; beyond that, 409 `CONFLICT`. Delete one first.
         */
        post: operations["createSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a secret's record
         * @description Everything but the value.
         */
        get: operations["getSecret"];
        /**
         * Change a secret
         * @description Replaces the value of a secret that exists: the account's, or with `end_user` (in the body, or in the address) that of this person. `description` and `allowed_hosts` stay as they are when they are left out; a description of null clears it.
         *
         *     Counts against the hourly write cap.
         */
        put: operations["updateSecret"];
        post?: never;
        /**
         * Delete a secret
         * @description Removes the secret. Connectors that name it fail from then on; in the runs of an end user whose own it was, they send the account's again.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List skills
         * @description The account's own skills and the built-in ones, newest first, without their texts.
         */
        get: operations["listSkills"];
        put?: never;
        /**
         * Install a skill
         * @description Takes the text of a SKILL.md, or a zip with more files beside it. A name that is taken answers 409; with `replace=true` this becomes the skill's next version.
         *
         *     Counts against the hourly write cap.
         *
         *     An account may have at most 500 custom skills; beyond that, 409 `CONFLICT`. Delete one first.
         */
        post: operations["installSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a skill
         * @description The skill with its text and the names of the files beside it.
         */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        /**
         * Delete a skill
         * @description Removes a custom skill with its files. A built-in skill answers 409.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a skill
         * @description From now on runs are told of it.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["enableSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{skill_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a skill
         * @description Turns the skill off without deleting it. A built-in skill answers 409.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["disableSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Complete agents to begin with, in the order in which they are offered: first those that work with the built-in model alone. Needs no key.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a template
         * @description The template with its document. Send `content` to `POST /v1/agents/import`, changed or as it is, to make an agent of it. Needs no key.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description The account's approvals, newest first; `status=pending` gives those that wait for a decision.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an approval
         * @description The tool call with its arguments, where it goes and with which secret, and what was decided.
         */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{approval_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide an approval
         * @description Approves or rejects the call, and the run goes on. An approval counts for what it shows: when the tool is another one by the time of the call, a new approval asks again. The same decision again answers 200; another one, or one that comes after the approval expired, 409.
         */
        post: operations["resolveApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description What was sent to the webhooks of the account's runs, or to one of its webhook endpoints (`endpoint_id`), newest first, with every attempt.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a webhook delivery
         * @description A delivery with its attempts.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook again
         * @description Sends it at once, with attempts of its own, whatever became of it before. The `webhook-id` stays the same. What went to an endpoint that is deleted cannot be sent again.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Newest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Has the account's events of these types sent to an address, signed by Standard Webhooks with a secret of its own: at least once each, under one `webhook-id`, tried again like every webhook. The body is `{id, type, created_at, account_id, data}`; `data` names what happened and never holds an input or a result. At most 20 an account.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a webhook endpoint
         * @description Without its secret.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Ends it. What waits to be sent to it is not sent.
         *
         *     Counts against the hourly write cap.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Replaces the fields that are given. What waits to be sent goes to the new address.
         *
         *     Counts against the hourly write cap.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook endpoint's secret
         * @description Makes a fresh secret; the one before signs along for a while, so that receivers can change over.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the type `endpoint.test` to this endpoint alone; its delivery says what became of it.
         *
         *     Counts against the hourly write cap.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page or follow the account's events
         * @description For those without a public address: the same events that webhook endpoints are sent, oldest first, as a page; with `Accept: application/x-ndjson` as a stream that goes on, with a `ping` after 10 s of silence, until you leave or your key is revoked or expires. Both resume behind the last `sequence` that you have. Kept for 30 days.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/product-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch the product profile
         * @description Everything is null, and the lists empty, before the first PUT.
         */
        get: operations["getProductProfile"];
        /**
         * Replace the product profile
         * @description Replaces the whole: what is left out becomes null, `links` and `colors` empty.
         *
         *     Counts against the hourly write cap.
         */
        put: operations["putProductProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/super-agent/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List super-agent runs
         * @description Super-agent runs only, newest first. The runs that they started are in the agents' list.
         */
        get: operations["listSuperAgentRuns"];
        put?: never;
        /**
         * Start a super-agent run
         * @description Starts an asynchronous run of the super-agent, which knows the product profile and can list, create, edit and run the account's agents. The runs that it starts are ordinary runs of the account; `max_credits` bounds all of them together.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createSuperAgentRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/super-agent/realtime/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a super-agent run and stream it
         * @description The answer is the run's event stream, as of `POST /v1/realtime/runs`.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createSuperAgentRealtimeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/super-agent/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a super-agent run
         * @description Status, result, usage and error of a super-agent run.
         */
        get: operations["getSuperAgentRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Raise a run's limit
         * @description Raises what a super-agent's run and all that it has started may cost together. Those of them that wait for it go on. Of one that has ended too, while a run that it has started waits.
         */
        patch: operations["updateSuperAgentRun"];
        trace?: never;
    };
    "/v1/super-agent/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow or page a super-agent run's events
         * @description The stored events after `starting_after`, then live ones until the terminal line, as NDJSON; it ends earlier where your key is revoked or expires. With `Accept: application/json` one page, oldest first. Kept for 24 hours after the end.
         */
        get: operations["listSuperAgentRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/super-agent/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a super-agent run
         * @description Cancels it, and the run of an agent that it waits for. A run that has ended is answered unchanged.
         */
        post: operations["cancelSuperAgentRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/super-agent/runs/{run_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was said to a super-agent run
         * @description What was said to a run since it was started, newest first, and what became of it.
         */
        get: operations["listSuperAgentRunMessages"];
        put?: never;
        /**
         * Say something to a super-agent run
         * @description Says something to a run that has not ended. `next_step` is shown to its model with the next turn, once, in the order of acceptance; a run that waits for an approval, a result or credits is not woken by it, one that waits for the answer to a question (`requires_action.type: question`) takes it as the answer. A run that would end just then takes another turn. `after` becomes the next run of the conversation, and is refused where that could not start: 402 `INSUFFICIENT_CREDITS`, 403 `ACCOUNT_BLOCKED`. At most 100 messages wait for a turn, 1,000 are taken in all; beyond, and after the end (`RUN_NOT_ACTIVE`), 409.
         */
        post: operations["sendSuperAgentMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI 3.1 description of the API. Needs no key.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description The agent's runs that were started on this path, newest first.
         */
        get: operations["listAppRuns"];
        put?: never;
        /**
         * Start a run of the key's agent
         * @description Starts an asynchronous run of the one agent that the app key is for. Poll it, follow its events, or have it sent to a webhook. With a client token the run is its person's (`endUser`), and `webhookUrl`, `shouldNotify`, `workspaceId`, `model` and `onBudget` answer 403 `FORBIDDEN`.
         *
         *     An account may have at most 100,000 conversations; beyond that, 409 `CONFLICT`. Delete some first, or continue one.
         */
        post: operations["createAppRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a run
         * @description Status, result, usage and error of a run that was started on this path.
         */
        get: operations["getAppRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Raise a run's limit
         * @description Raises what a pending or running run of this path may cost, up to what the agent's config lets a run cost. A run that waits for it goes on where it left off. Less than its limit is, or a run without one, answers 409, as does an ended run. A client token answers 403 `FORBIDDEN`.
         */
        patch: operations["updateAppRun"];
        trace?: never;
    };
    "/api/v1/apps/{appId}/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Cancels a pending or running run of this path and aborts its model call within a second. A run that has ended is answered unchanged.
         */
        post: operations["cancelAppRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/runs/{runId}/tool-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post results of client tools
         * @description Answers calls that a run of this path waits for (`requiresAction.calls`). With the last of them the run goes on.
         */
        post: operations["submitAppToolResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/runs/{runId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something to a run
         * @description Says something to a run of this path that has not ended, as `POST /v1/runs/{run_id}/messages` does: with its next step, as the answer to its question, or as the next run of its conversation. With a client token its `can` must hold `message`, and for `after` `run` too.
         */
        post: operations["sendAppMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/runs/{runId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow or page a run's events
         * @description The stored events after `startingAfter`, then live ones until the terminal line, as NDJSON, in camelCase. With `Accept: application/json` one page, oldest first. Kept for 24 hours after the end. A stream ends earlier where its key is revoked or expires, and one that was opened with a client token when the token does: go on with the next one after the last number.
         */
        get: operations["listAppRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description The approvals of the agent's runs on this path, newest first.
         */
        get: operations["listAppApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an approval
         * @description The tool call with its arguments, and what was decided.
         */
        get: operations["getAppApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}/approvals/{approvalId}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide an approval
         * @description Approves or rejects the call, and the run goes on. The same decision again answers 200; another one, or one that comes after the approval expired, 409. With a client token it is the token's person who decides.
         */
        post: operations["resolveAppApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    runFinished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run has ended
         * @description Sent to the `webhook_url` of a run, also of a creation or an edit, when it has completed, failed or was cancelled. Signed by Standard Webhooks with the account's `whsec_…` secret, which the console shows. Answer 2xx within 10 s. Anything else is tried again after 5 s, 30 s, 2 min and 10 min; `Retry-After` is honoured, 410 stops, redirects are not followed.
         */
        post: operations["runFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description Stable. Codes may be added.
         * @enum {string}
         */
        ErrorCode: "INVALID_INPUT" | "AUTHENTICATION_REQUIRED" | "INSUFFICIENT_CREDITS" | "ACCOUNT_BLOCKED" | "FORBIDDEN" | "SUPER_AGENT_ACCESS_DENIED" | "NOT_FOUND" | "AGENT_NOT_FOUND" | "APP_NOT_FOUND" | "APPROVAL_NOT_FOUND" | "CONNECTION_NOT_FOUND" | "CONVERSATION_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ENDPOINT_NOT_FOUND" | "FILE_NOT_FOUND" | "MEMORY_NOT_FOUND" | "CASE_NOT_FOUND" | "RUN_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "SECRET_NOT_FOUND" | "SKILL_NOT_FOUND" | "TEMPLATE_NOT_FOUND" | "VERSION_NOT_FOUND" | "WORKSPACE_NOT_FOUND" | "END_USER_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "CONVERSATION_BUSY" | "IDEMPOTENCY_CONFLICT" | "RUN_NOT_ACTIVE" | "END_USER_ERASED" | "VERSION_CONFLICT" | "PAYLOAD_TOO_LARGE" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
        /** @description One broken place of the request. */
        ErrorDetail: {
            /** @description Dotted, such as `input.topic`; empty for the whole. */
            path: string;
            message: string;
            /** @description Inside a text such as `config_content`. */
            line?: number;
            column?: number;
        };
        /** @description What happened, what it means and what to do. `error` is stable; `message` is for people and may change. */
        Error: {
            error: components["schemas"]["ErrorCode"];
            message: string;
            details?: components["schemas"]["ErrorDetail"][];
            /** @description Credits that the account has. */
            available?: number;
            /** @description Credits that the start needs. */
            required?: number;
            /**
             * Format: uuid
             * @description Of `CONVERSATION_BUSY`: the run in the way. `runId` on the app-scoped path.
             */
            run_id?: string;
            /** @description Of the hourly write cap. */
            retryAfterSeconds?: number;
            /** @description Of `END_USER_ERASED`: how much of each kind was deleted. */
            deleted?: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description Of `END_USER_ERASED`: when the erasure was asked for.
             */
            requested_at?: string;
            /**
             * Format: date-time
             * @description Of `END_USER_ERASED`: when it was done.
             */
            completed_at?: string;
        };
        /** @description The request's shape, an id or a value is not valid; `details` names the places. */
        InvalidInputError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "INVALID_INPUT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "INVALID_INPUT";
        };
        /** @description The key is missing, malformed, revoked, expired or unknown. */
        AuthenticationRequiredError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "AUTHENTICATION_REQUIRED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "AUTHENTICATION_REQUIRED";
        };
        /** @description Too few credits to start; the body has `available` and `required`. */
        InsufficientCreditsError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "INSUFFICIENT_CREDITS";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "INSUFFICIENT_CREDITS";
        };
        /** @description The account may not start runs. */
        AccountBlockedError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "ACCOUNT_BLOCKED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "ACCOUNT_BLOCKED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "ACCOUNT_BLOCKED";
        };
        /** @description The key or the account may not do this; the message says why. */
        ForbiddenError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "FORBIDDEN";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "FORBIDDEN";
        };
        /** @description The account is not on the super-agent's allowlist. */
        SuperAgentAccessDeniedError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "SUPER_AGENT_ACCESS_DENIED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SUPER_AGENT_ACCESS_DENIED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SUPER_AGENT_ACCESS_DENIED";
        };
        /** @description There is no such route. */
        NotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "NOT_FOUND";
        };
        /** @description The account has no such agent. */
        AgentNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "AGENT_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "AGENT_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "AGENT_NOT_FOUND";
        };
        /** @description The key is not for this agent. */
        AppNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "APP_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "APP_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "APP_NOT_FOUND";
        };
        /** @description The account has no such approval. */
        ApprovalNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "APPROVAL_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "APPROVAL_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "APPROVAL_NOT_FOUND";
        };
        /** @description The account has no such connection. */
        ConnectionNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "CONNECTION_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONNECTION_NOT_FOUND";
        };
        /** @description The account has no such conversation, or it belongs to another family of runs. */
        ConversationNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "CONVERSATION_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONVERSATION_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONVERSATION_NOT_FOUND";
        };
        /** @description The account has no such webhook delivery. */
        DeliveryNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "DELIVERY_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "DELIVERY_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "DELIVERY_NOT_FOUND";
        };
        /** @description The account has no such webhook endpoint. */
        EndpointNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "ENDPOINT_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "ENDPOINT_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "ENDPOINT_NOT_FOUND";
        };
        /** @description The workspace has no such file. */
        FileNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "FILE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "FILE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "FILE_NOT_FOUND";
        };
        /** @description The agent keeps no such note. */
        MemoryNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "MEMORY_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "MEMORY_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "MEMORY_NOT_FOUND";
        };
        /** @description The agent has no such case. */
        CaseNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "CASE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CASE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CASE_NOT_FOUND";
        };
        /** @description There is no such run on this route. */
        RunNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "RUN_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "RUN_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "RUN_NOT_FOUND";
        };
        /** @description The agent has no such schedule. */
        ScheduleNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "SCHEDULE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SCHEDULE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SCHEDULE_NOT_FOUND";
        };
        /** @description The account has no secret of this name. */
        SecretNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "SECRET_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SECRET_NOT_FOUND";
        };
        /** @description The account has no such skill. */
        SkillNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "SKILL_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SKILL_NOT_FOUND";
        };
        /** @description There is no such template. */
        TemplateNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "TEMPLATE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "TEMPLATE_NOT_FOUND";
        };
        /** @description The agent has no such version. */
        VersionNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "VERSION_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "VERSION_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "VERSION_NOT_FOUND";
        };
        /** @description The account has no such workspace, or the agent may not use it. */
        WorkspaceNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "WORKSPACE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "WORKSPACE_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "WORKSPACE_NOT_FOUND";
        };
        /** @description The account has no end user of this name. */
        EndUserNotFoundError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "END_USER_NOT_FOUND";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "END_USER_NOT_FOUND";
        };
        /** @description The path has no such method; the header `Allow` names those that it has. */
        MethodNotAllowedError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "METHOD_NOT_ALLOWED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "METHOD_NOT_ALLOWED";
        };
        /** @description The body did not arrive in time: no byte for 20 seconds, or a JSON body not within a minute. */
        RequestTimeoutError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "REQUEST_TIMEOUT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "REQUEST_TIMEOUT";
        };
        /** @description The state of the thing forbids it, or the account has as many as it may have; the message says why. */
        ConflictError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "CONFLICT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONFLICT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONFLICT";
        };
        /** @description A run of the conversation has not ended yet. */
        ConversationBusyError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "CONVERSATION_BUSY";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONVERSATION_BUSY";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "CONVERSATION_BUSY";
        };
        /** @description The `Idempotency-Key` stands for another body, or its first request is still in flight. */
        IdempotencyConflictError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "IDEMPOTENCY_CONFLICT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "IDEMPOTENCY_CONFLICT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "IDEMPOTENCY_CONFLICT";
        };
        /** @description The run has ended; what was asked for wants one at work. */
        RunNotActiveError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "RUN_NOT_ACTIVE";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "RUN_NOT_ACTIVE";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "RUN_NOT_ACTIVE";
        };
        /** @description The end user was erased: `deleted` says how much of each kind. A new run under the name begins a new one. */
        EndUserErasedError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "END_USER_ERASED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "END_USER_ERASED";
        };
        /** @description The record was changed since the `ETag` in `If-Match`. */
        VersionConflictError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "VERSION_CONFLICT";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "VERSION_CONFLICT";
        };
        /** @description A JSON body of more than 1 MiB, or an upload beyond its limit. */
        PayloadTooLargeError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "PAYLOAD_TOO_LARGE";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "PAYLOAD_TOO_LARGE";
        };
        /** @description The range begins beyond the file's end; `Content-Range` says how long it is. */
        RangeNotSatisfiableError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "RANGE_NOT_SATISFIABLE";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "RANGE_NOT_SATISFIABLE";
        };
        /** @description Too many requests from the address, of the account in a minute, or (with `retryAfterSeconds`) too many writes in an hour. Wait for `Retry-After`. */
        RateLimitedError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "RATE_LIMITED";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "RATE_LIMITED";
        };
        /** @description A failure of the service. Quote `X-Request-Id`. */
        InternalErrorError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "INTERNAL_ERROR";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "INTERNAL_ERROR";
        };
        /** @description The execution service or the database cannot be reached; nothing was accepted. Try again. */
        ServiceUnavailableError: Omit<components["schemas"]["Error"], "error"> & {
            /** @constant */
            error: "SERVICE_UNAVAILABLE";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            error: "SERVICE_UNAVAILABLE";
        };
        /**
         * Agent config
         * @description What an agent runs with: model, inputs, tools, permissions and limits. Only version is required. Unknown keys are refused.
         */
        AgentConfig: {
            /**
             * @description Version of this format.
             * @constant
             */
            version: 1;
            /** @description A model of the published list, as provider/name. */
            model?: string;
            /** @description Models tried in order when the first is unavailable. */
            fallback_models?: string[];
            model_settings?: {
                temperature?: number;
                max_output_tokens?: number;
                /**
                 * @description How much a model that can think does so before it answers; without it, as its vendor has it.
                 * @enum {string}
                 */
                reasoning?: "off" | "low" | "medium" | "high" | "max";
                /**
                 * @description How long Anthropic's cache keeps the system prompt and the tools: 5m (the default), or 1h, whose writes cost twice the input's price in place of 1.25 times. It pays where runs of the agent come more than five minutes and less than an hour apart. Other providers keep their caches as they do.
                 * @enum {string}
                 */
                cache?: "5m" | "1h";
            };
            /** @description JSON Schema of a run's input. */
            inputs?: {
                [key: string]: unknown;
            } | null;
            /** @description JSON Schema of the structured output; null for plain text. */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            tools?: {
                /** @description Built-in tools; without it, all but run_python and ask_user. workspace_files stands for the four files_ tools. With http, mcp or client tools and without it, without web_fetch too, unless web.allowed_hosts names hosts. */
                builtin?: ("workspace_files" | "files_read" | "files_search" | "files_write" | "files_edit" | "web_fetch" | "web_search" | "run_javascript" | "run_python" | "todo" | "artifacts" | "ask_user" | "image" | "speech" | "video")[];
                /** @description MCP servers. */
                mcp?: {
                    /** @description Unique among the agent's http and client tools and its mcp servers. */
                    name: string;
                    description?: string;
                    /** @description Address of the server (streamable HTTP). */
                    url: string;
                    /**
                     * @description Signs in by OAuth 2.1 as the account's connection to this address, which a person makes once in the console or through /v1/connections; instead of an auth_secret.
                     * @constant
                     */
                    auth?: "oauth";
                    /** @description Name of an account secret; its value travels as a bearer token, or in auth_header. */
                    auth_secret?: string;
                    /** @description Header that carries the secret's value instead of Authorization. */
                    auth_header?: string;
                    /** @description The server's tools that the agent may use; without it, all. */
                    tools?: string[];
                    /** @description The server's tools that you trust to change nothing. Only a tool that stands here and that the server annotates as read-only runs without being guarded; what a server says of itself is not believed alone. */
                    read_only?: string[];
                }[];
                /** @description HTTP requests as tools. */
                http?: {
                    /** @description Unique among the agent's http and client tools and its mcp servers. */
                    name: string;
                    /** @description Tells the model what the tool does and when to use it. */
                    description?: string;
                    /** @enum {string} */
                    method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description Address to call; {name} places in its path are filled from the arguments. */
                    url: string;
                    /** @description Name of an account secret; its value travels as a bearer token, or in auth_header. */
                    auth_secret?: string;
                    /** @description Header that carries the secret's value instead of Authorization. */
                    auth_header?: string;
                    /** @description JSON Schema of the arguments. */
                    input_schema?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description How arguments that are not in the address are sent, and that those of format binary name files, whose bytes are sent: json (as base64), multipart (a form), or raw (the bytes of the one file alone). Without it: JSON, and no files.
                     * @enum {string}
                     */
                    body?: "json" | "multipart" | "raw";
                }[];
                /** @description Tools that whoever started the run carries out: the run waits with requires_action until their results are posted to its tool-results, at most limits.approval_timeout_seconds. */
                client?: {
                    /** @description Unique among the agent's http and client tools and its mcp servers. */
                    name: string;
                    /** @description Tells the model what the tool does and when to use it. */
                    description: string;
                    /** @description JSON Schema of the arguments. */
                    input_schema: {
                        [key: string]: unknown;
                    };
                }[];
                /** @description Other agents as tools, which take what their inputs say. A call is a run of its own with parent_run_id, within this run's limits and cancelled with it; at most three below each other, and 20 a run. */
                agents?: {
                    /** @description An agent of the same account. */
                    agent_id: string;
                    /** @description The tool's name; without it agent_ and the id's end. */
                    name?: string;
                    /** @description What one call may cost at most; never more than this agent's run has left. */
                    max_credits?: number;
                }[];
                /**
                 * @description Where run_python computes: sandbox (the service's own, or the container that its operator has set up; the default), or provider: on the servers of the model's provider, which have numpy, pandas and matplotlib (OpenAI, Anthropic, Google; with models of others in the sandbox). The code is sent there in a call of its own, files are not, and containers cost beside tokens.
                 * @enum {string}
                 */
                python?: "sandbox" | "provider";
                /** @description Lets the agent keep notes across conversations by the tool memory, apart for each metadata.end_user of its runs. Off by default. */
                memory?: boolean;
                /** @description What web_fetch may do. */
                web?: {
                    /** @description Hosts that web_fetch may read without asking in a run that has seen what is private (files, a connector's answer, notes, an end user's input): host, host:port, *.host, or * for all. Others ask, unless the input or a search result named them. */
                    allowed_hosts?: string[];
                };
            };
            /** @description Names of tools; deny beats ask beats allow, and none of them loosens write_autonomy. */
            permissions?: {
                /** @description Tools that run without asking, where write_autonomy lets them. */
                allow?: string[];
                /** @description Tools whose every call waits for a person. */
                ask?: string[];
                /** @description Tools that never run. */
                deny?: string[];
            };
            limits?: {
                /** @description Turns of the model; 20 by default. */
                max_steps?: number;
                /** @description 600 by default. */
                timeout_seconds?: number;
                /** @description No limit of the run's own by default. */
                max_credits?: number | null;
                /**
                 * @description What becomes of a run whose next step costs more than its limit, or the account, has left: fail (the default), or wait until somebody raises the limit or tops the account up, at most approval_timeout_seconds. A run's own on_budget wins.
                 * @enum {string}
                 */
                on_budget?: "fail" | "wait";
                /** @description 86,400 by default. */
                approval_timeout_seconds?: number;
                /** @description Longest time that one call of run_javascript or run_python computes; 10 by default. */
                code_seconds?: number;
            };
            /** @description Names of the skills that the agent may read, its account's own and built-in ones; without it, all that are switched on, built-in ones where the agent has the tools that they use. [] for none. */
            skills?: string[];
            /** @description Example requests that the console offers. */
            starters?: string[];
        };
        /**
         * Dashboard template
         * @description Widgets on a grid of 12 columns. Every widget has one place in the layout. Unknown keys are refused; there is no code and no query.
         */
        DashboardTemplate: {
            /** @constant */
            version: 1;
            title: string;
            /** @description Where each widget stands on a grid of 12 columns. */
            layout: {
                /** @description Id of the widget that stands here. */
                i: string;
                x: number;
                y: number;
                w: number;
                h: number;
            }[];
            /** @description The widgets by id, at most 24. */
            widgets: {
                [key: string]: {
                    /** @constant */
                    type: "metric";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    /**
                     * @description percent takes a share (0.42 is 42 %), duration seconds, bytes bytes, date an ISO 8601 text or milliseconds since 1970.
                     * @enum {string}
                     */
                    format?: "number" | "currency" | "percent" | "date" | "duration" | "bytes";
                    /** @description ISO 4217 code for the format currency. */
                    currency?: string;
                    label?: string;
                } | {
                    /** @constant */
                    type: "chart";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    /**
                     * @description line by default.
                     * @enum {string}
                     */
                    chart?: "line" | "bar" | "area";
                    /** @description A key of each row, or a JSON Pointer into it. */
                    x?: string;
                    y?: string | string[];
                    /**
                     * @description percent takes a share (0.42 is 42 %), duration seconds, bytes bytes, date an ISO 8601 text or milliseconds since 1970.
                     * @enum {string}
                     */
                    format?: "number" | "currency" | "percent" | "date" | "duration" | "bytes";
                    /** @description ISO 4217 code for the format currency. */
                    currency?: string;
                } | {
                    /** @constant */
                    type: "table";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    /** @description The rows' own keys by default. */
                    columns?: {
                        /** @description A key of each row, or a JSON Pointer into it. */
                        key: string;
                        label?: string;
                        /**
                         * @description percent takes a share (0.42 is 42 %), duration seconds, bytes bytes, date an ISO 8601 text or milliseconds since 1970.
                         * @enum {string}
                         */
                        format?: "number" | "currency" | "percent" | "date" | "duration" | "bytes";
                        /** @description ISO 4217 code for the format currency. */
                        currency?: string;
                    }[];
                } | {
                    /** @constant */
                    type: "markdown";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    /** @description Text to show where there is no source. */
                    text?: string;
                } | {
                    /** @constant */
                    type: "list";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    /** @description What to show of each item; the item itself by default. */
                    item?: string;
                    /**
                     * @description percent takes a share (0.42 is 42 %), duration seconds, bytes bytes, date an ISO 8601 text or milliseconds since 1970.
                     * @enum {string}
                     */
                    format?: "number" | "currency" | "percent" | "date" | "duration" | "bytes";
                } | {
                    /** @constant */
                    type: "artifacts";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    limit?: number;
                } | {
                    /** @constant */
                    type: "runs";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    limit?: number;
                } | {
                    /** @constant */
                    type: "run_button";
                    title?: string;
                    description?: string;
                    source?: {
                        /**
                         * @description last_result: the result of the newest completed run, with run_id, completed_at and credits. run_history: the newest runs as rows of run_id, status, model, created_at, started_at, completed_at, duration_seconds, credits, text, data, error, metadata. usage: the account's usage, with this agent's share of the last 24 hours as agent.credits and agent.runs. literal: value.
                         * @enum {string}
                         */
                        from: "last_result" | "run_history" | "usage" | "literal";
                        /** @description What to take from the source; the whole of it by default. */
                        path?: string;
                        /** @description Most rows to take; 20 runs of run_history by default. */
                        limit?: number;
                        /** @description The value of the source literal. */
                        value?: unknown;
                    };
                    label?: string;
                    /** @description Input of the run that the button starts. */
                    input?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        CreateAgentRequest: {
            /**
             * @description What you want, in plain language.
             * @example An agent that summarises a CSV of sales by region
             */
            input: string;
            /** Format: uuid */
            conversation_id?: string;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /** @description The model that builds or changes the agent, of the published list; the operator's `BUILDER_MODEL` by default. */
            builder_model?: components["schemas"]["ModelId"];
        };
        /**
         * @description A model of the published list, as `provider/name`, or an alias that stands for the newest of its family, such as `anthropic/latest-sonnet`.
         * @enum {string}
         */
        ModelId: string;
        KnownModelId: "openai/gpt-6.1-sol" | "openai/gpt-6.1-terra" | "openai/gpt-6-luna" | "openai/gpt-6-astra" | "openai/gpt-6-sol" | "openai/gpt-5.6-sol" | "openai/gpt-5.6-terra" | "openai/gpt-5.6-luna" | "openai/gpt-5.5" | "openai/gpt-5.4" | "openai/gpt-5.4-mini" | "openai/gpt-5.4-nano" | "openai/gpt-5.2" | "openai/gpt-5.1" | "openai/gpt-5" | "openai/gpt-5-mini" | "openai/gpt-5-nano" | "openai/gpt-4.1" | "openai/gpt-4.1-mini" | "anthropic/claude-fable-5-2" | "anthropic/claude-fable-5-1" | "anthropic/claude-opus-5-5" | "anthropic/claude-sonnet-5-5" | "anthropic/claude-haiku-5-5" | "anthropic/claude-fable-5" | "anthropic/claude-opus-5" | "anthropic/claude-sonnet-5" | "anthropic/claude-opus-4-8" | "anthropic/claude-opus-4-7" | "anthropic/claude-opus-4-6" | "anthropic/claude-sonnet-4-6" | "anthropic/claude-haiku-4-5" | "anthropic/claude-opus-4-5" | "anthropic/claude-sonnet-4-5" | "google/gemini-4-carbon" | "google/gemini-4-argon" | "google/gemini-4-hydrogen" | "google/gemini-3.8-flash" | "google/gemini-3.7-flash" | "google/gemini-3.6-flash" | "google/gemini-3.5-flash" | "google/gemini-3.5-flash-lite" | "google/gemini-3.1-flash-lite" | "google/gemini-3.1-pro-preview" | "google/gemini-2.5-pro" | "google/gemini-2.5-flash" | "google/gemini-2.5-flash-lite" | "builtin/offline" | "openai/latest-sol" | "openai/latest-terra" | "openai/latest-luna" | "anthropic/latest-fable" | "anthropic/latest-opus" | "anthropic/latest-sonnet" | "anthropic/latest-haiku" | "google/latest-flash" | "google/latest-flash-lite";
        UpdateAgentRequest: {
            name?: string;
            description?: string | null;
            /** @example 1.1.0 */
            version?: string;
            /** @enum {string} */
            write_autonomy?: "full_auto" | "approval_required" | "blocked";
            /** @description Replacement Markdown skill definition, at most 256 KB of UTF-8. */
            skill_content?: string;
            /**
             * @description Replacement config as YAML; its comments are kept. With `config` given too, `config` wins.
             * @example version: 1
             */
            config_content?: string;
            /** @description Replacement config; its JSON Schema is `/v1/schemas/agent-config.json`. */
            config?: components["schemas"]["AgentConfig"];
            /** @description Replaces the dashboard, null clears it; its JSON Schema is `/v1/schemas/dashboard-template.json`. */
            dashboard_template?: components["schemas"]["DashboardTemplate"] | null;
            /**
             * @description Changelog note, kept with the version.
             * @example Answers in German.
             */
            release_note?: string | null;
        };
        DuplicateAgentRequest: Record<string, never>;
        AgentDocument: {
            /** @constant */
            kind: "agent";
            /** @constant */
            format: 1;
            name: string;
            /** @default null */
            description?: string | null;
            /** @default 1.0.0 */
            version?: string;
            /**
             * @default approval_required
             * @enum {string}
             */
            write_autonomy?: "full_auto" | "approval_required" | "blocked";
            skill_content: string;
            /**
             * @default {
             *       "version": 1
             *     }
             */
            config?: components["schemas"]["AgentConfig"];
            /** @default null */
            dashboard_template?: components["schemas"]["DashboardTemplate"] | null;
            /** @description The agent's cases, which each edit of it runs. */
            cases?: {
                name: string;
                input: {
                    [key: string]: unknown;
                };
                /** @default {} */
                answers?: {
                    [key: string]: unknown;
                };
                /** @default {} */
                files?: {
                    [key: string]: string;
                };
                checks: components["schemas"]["Check"][];
            }[];
        };
        /** @description `contains` and `not_contains` look at the answer's text, whatever its case; `equals` compares the whole answer, or its data; `matches` is a regular expression; `json_path` is a JSON Pointer into the data, which is there or has that value; `tool_called` and `tool_not_called` look at what the run did. */
        Check: {
            /** @constant */
            type: "contains";
            value: string;
        } | {
            /** @constant */
            type: "not_contains";
            value: string;
        } | {
            /** @constant */
            type: "equals";
            value: unknown;
        } | {
            /** @constant */
            type: "matches";
            pattern: string;
        } | {
            /** @constant */
            type: "json_path";
            path: string;
            value?: unknown;
        } | {
            /** @constant */
            type: "schema";
            schema: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            type: "tool_called";
            tool: string;
        } | {
            /** @constant */
            type: "tool_not_called";
            tool: string;
        };
        RestoreAgentVersionRequest: {
            /**
             * @description Changelog note, kept with the version.
             * @example Answers in German.
             */
            release_note?: string | null;
        };
        CreateAgentEditRequest: {
            /**
             * @description What you want, in plain language.
             * @example An agent that summarises a CSV of sales by region
             */
            input: string;
            /**
             * Format: uuid
             * @description A conversation of creations and edits to continue.
             */
            conversation_id?: string;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /**
             * @description Changelog note, kept with the version.
             * @example Answers in German.
             */
            release_note?: string | null;
            /** @description The model that builds or changes the agent, of the published list; the operator's `BUILDER_MODEL` by default. */
            builder_model?: components["schemas"]["ModelId"];
        };
        CreateScheduleRequest: {
            /**
             * @description Five fields: minute, hour, day of month, month, day of week. Two firings must lie at least 5 minutes apart, unless the operator allows the account less.
             * @example 0 9 * * mon
             */
            cron: string;
            /**
             * @description An IANA time zone; the default is UTC.
             * @default UTC
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @default {}
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input?: {
                [key: string]: unknown;
            };
            /**
             * @description `on_budget` of the runs that it starts; null: as the agent's config says.
             * @default null
             */
            on_budget?: ("fail" | "wait") | null;
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @default null
             * @example u_42
             */
            end_user?: string | null;
            /** @default true */
            enabled?: boolean;
            /** @default null */
            version?: (string | number) | null;
            /**
             * @description The most that this run may cost, in credits.
             * @default null
             */
            max_credits?: number | null;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @default null
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string | null;
        };
        UpdateScheduleRequest: {
            /**
             * @description Five fields: minute, hour, day of month, month, day of week. Two firings must lie at least 5 minutes apart, unless the operator allows the account less.
             * @example 0 9 * * mon
             */
            cron?: string;
            /**
             * @description An IANA time zone; the default is UTC.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input?: {
                [key: string]: unknown;
            };
            /** @description `on_budget` of the runs that it starts; null: as the agent's config says. */
            on_budget?: ("fail" | "wait") | null;
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            end_user?: string | null;
            enabled?: boolean;
            version?: (string | number) | null;
            /** @description The most that this run may cost, in credits. */
            max_credits?: number | null;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string | null;
        };
        UpdateMemoryRequest: {
            /**
             * @description The note.
             * @example Prefers reports in French.
             */
            text: string;
        };
        CreateAgentCaseRequest: {
            name: string;
            input: {
                [key: string]: unknown;
            };
            /** @default {} */
            answers?: {
                [key: string]: unknown;
            };
            /** @default {} */
            files?: {
                [key: string]: string;
            };
            checks: components["schemas"]["Check"][];
        };
        CreateClientTokenRequest: {
            /**
             * Format: uuid
             * @description The one agent that it runs.
             */
            agent_id: string;
            /**
             * @description Your name for the person, such as a row's id. The token sees the runs with this `end_user` alone, and starts no others.
             * @example u_42
             */
            end_user: string;
            /**
             * Format: uuid
             * @description Only this conversation of theirs. Absent: all of them, and new ones.
             */
            conversation_id?: string;
            /**
             * @description Seconds.
             * @default 600
             */
            expires_in?: number;
            /**
             * @description `run`: start runs and answer their client tools; `read`: fetch and follow runs and approvals; `message`: say something to a run at work, with `run` also what is to come after it; `cancel`: cancel runs; `approve`: decide approvals.
             * @default [
             *       "run",
             *       "read"
             *     ]
             */
            can?: ("run" | "read" | "message" | "cancel" | "approve")[];
            /** @description The origins whose pages may send it, and read the answers. */
            origins: string[];
        };
        ConvertOpenapiRequest: {
            /**
             * @description The OpenAPI 3 document as JSON.
             * @example {
             *       "openapi": "3.1.0",
             *       "info": {
             *         "title": "Shop",
             *         "version": "1"
             *       },
             *       "servers": [
             *         {
             *           "url": "https://shop.example.com/api"
             *         }
             *       ],
             *       "paths": {
             *         "/orders/{order}": {
             *           "get": {
             *             "operationId": "getOrder",
             *             "summary": "Fetch an order",
             *             "parameters": [
             *               {
             *                 "name": "order",
             *                 "in": "path",
             *                 "schema": {
             *                   "type": "string"
             *                 }
             *               }
             *             ]
             *           }
             *         }
             *       }
             *     }
             */
            document: {
                [key: string]: unknown;
            };
            /**
             * @description By their `operationId`, or as `get /path`; without any, they are only listed.
             * @default []
             * @example [
             *       "getOrder"
             *     ]
             */
            operations?: string[];
            /**
             * @description In place of the document's first server.
             * @example https://shop.example.com/api
             */
            base_url?: string;
            /**
             * @description The account's secret that the tools send.
             * @example SHOP_KEY
             */
            auth_secret?: string;
            /**
             * @description The header that carries it.
             * @example X-Api-Key
             */
            auth_header?: string;
        };
        ConnectServerRequest: {
            /**
             * @description Address of the MCP server (streamable HTTP), as agents' configs name it.
             * @example https://mcp.example.com/mcp
             */
            server_url: string;
            /**
             * @description A person whom your backend acts for, who signs in as themself by a link that you hand them. In their runs it stands before the account's sign-in at this server, in everybody else's it is not there. Left out: the sign-in is for all of the account's runs.
             * @example u_42
             */
            end_user?: string;
            /**
             * @description Where the end user's browser goes at the end, with `sign_in` (`connected`, `refused` or `unknown`) and `connection_id` added to its query. Only to an origin that the service's operator allows (`RETURN_ORIGINS`). Without it a page of this service says how it went.
             * @example https://app.example.com/settings
             */
            return_url?: string;
            /** @description Of a client that you registered at the authorization server, where it takes no registrations by itself. */
            client_id?: string;
            /** @description Stored encrypted and never returned. */
            client_secret?: string;
            /** @description Without it, what the server asks for. */
            scopes?: string[];
        };
        SetEndUserLimitsRequest: {
            /** @description In credits, from 00:00 to 24:00 UTC; null: no limit. */
            max_credits_per_day: number | null;
        };
        CreateRunRequest: {
            /** Format: uuid */
            agent_id?: string;
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            conversation_id?: string;
            /** Format: uuid */
            workspace_id?: string;
            model?: components["schemas"]["ModelId"];
            /**
             * @description The version of the agent to keep to: its `version_id`, its label (of several that have it, the newest), or its `number`. Absent: the current one.
             * @example 1.0.1
             */
            version?: string | number;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            end_user?: string;
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
            /**
             * @description What becomes of it where its next step costs more than `max_credits`, or the account, has left: it fails, or waits (`requires_action`) until the limit is raised or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.
             * @enum {string}
             */
            on_budget?: "fail" | "wait";
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /** @description Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends. */
            should_notify?: boolean;
            /**
             * @description Where a run of the conversation has not ended: `reject` answers 409 `CONVERSATION_BUSY`; `queue` has this one begin when those before it have ended; `steer` says it to the run at work, which is answered with `message_id`; `interrupt` cancels the run at work, and this one begins.
             * @default reject
             * @enum {string}
             */
            if_busy?: "reject" | "queue" | "steer" | "interrupt";
        };
        UpdateRunRequest: {
            /** @description The most that this run may cost from now on, in credits; of a super-agent's run with all that it has started. More than its limit is. */
            max_credits: number;
        };
        ReplayRunRequest: {
            /** @description A model of the published list, as `provider/name`. Absent: with `version` that version's own, else the run's. */
            model?: components["schemas"]["ModelId"];
            /**
             * @description The version of the agent to keep to: its `version_id`, its label (of several that have it, the newest), or its `number`. Absent: the current one.
             * @example 1.0.1
             */
            version?: string | number;
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            end_user?: string;
            /**
             * @description What becomes of it where its next step costs more than `max_credits`, or the account, has left: it fails, or waits (`requires_action`) until the limit is raised or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.
             * @enum {string}
             */
            on_budget?: "fail" | "wait";
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /** @description Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends. */
            should_notify?: boolean;
            /**
             * @description Absent: the run's.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description Absent: the run's. */
            max_credits?: number;
        };
        ToolResultsRequest: {
            results: ({
                tool_call_id: string;
                /**
                 * @description Any JSON: what the model is told.
                 * @example {
                 *       "status": "shipped"
                 *     }
                 */
                output: unknown;
            } | {
                tool_call_id: string;
                /**
                 * @description Why the call was not carried out, in words for the model.
                 * @example There is no order 4711.
                 */
                error: string;
            })[];
        };
        SendMessageRequest: {
            /**
             * @description What is said: a text, or named inputs as the run was started with.
             * @example Leave the appendix out.
             */
            input: string | {
                [key: string]: unknown;
            };
            /**
             * @description `next_step`: the model is shown it with its next turn. `after`: it becomes the next run of the conversation, of the same agent in the same workspace.
             * @default next_step
             * @enum {string}
             */
            when?: "next_step" | "after";
        };
        RealtimeRunRequest: {
            /** Format: uuid */
            agent_id?: string;
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            conversation_id?: string;
            /** Format: uuid */
            workspace_id?: string;
            model?: components["schemas"]["ModelId"];
            /**
             * @description The version of the agent to keep to: its `version_id`, its label (of several that have it, the newest), or its `number`. Absent: the current one.
             * @example 1.0.1
             */
            version?: string | number;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            end_user?: string;
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
            /**
             * @description What becomes of it where its next step costs more than `max_credits`, or the account, has left: it fails, or waits (`requires_action`) until the limit is raised or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.
             * @enum {string}
             */
            on_budget?: "fail" | "wait";
            /**
             * @description Where a run of the conversation has not ended: `reject` answers 409 `CONVERSATION_BUSY`; `queue` has this one begin when those before it have ended; `steer` says it to the run at work, which is answered with `message_id`; `interrupt` cancels the run at work, and this one begins.
             * @default reject
             * @enum {string}
             */
            if_busy?: "reject" | "queue" | "steer" | "interrupt";
        };
        CreateWorkspaceRequest: {
            name: string;
            description?: string | null;
        };
        UpdateWorkspaceRequest: {
            name?: string;
            description?: string | null;
        };
        CreateSecretRequest: {
            /**
             * @description The name by which connectors refer to the secret.
             * @example CRM_KEY
             */
            name: string;
            /**
             * @description A person whom your backend acts for: the secret is theirs alone. In their runs it stands before the account's of the same name, in everybody else's it is not there. Left out: it is the account's.
             * @example u_42
             */
            end_user?: string;
            /**
             * @description 1 to 65,536 bytes of UTF-8. Stored encrypted and never returned.
             * @example sk-test-123
             */
            value: string;
            description?: string | null;
            /**
             * @description The hosts (`host`, or `host:port` where the port is not the usual one) that the value may be sent to, over https. A secret of before hosts were asked for has none, and goes only to the host of the connector that names it.
             * @example [
             *       "api.example.com"
             *     ]
             */
            allowed_hosts: string[];
        };
        UpdateSecretRequest: {
            /**
             * @description A person whom your backend acts for: the secret is theirs alone. In their runs it stands before the account's of the same name, in everybody else's it is not there. Left out: it is the account's.
             * @example u_42
             */
            end_user?: string;
            /**
             * @description 1 to 65,536 bytes of UTF-8. Stored encrypted and never returned.
             * @example sk-test-123
             */
            value: string;
            description?: string | null;
            /**
             * @description The hosts (`host`, or `host:port` where the port is not the usual one) that the value may be sent to, over https. A secret of before hosts were asked for has none, and goes only to the host of the connector that names it.
             * @example [
             *       "api.example.com"
             *     ]
             */
            allowed_hosts?: string[];
        };
        InstallSkillRequest: {
            /** @description A SKILL.md: frontmatter with name and description, then Markdown; at most 262144 bytes of UTF-8. */
            content: string;
        };
        InstallSkillUpload: {
            /**
             * Format: binary
             * @description A .zip with SKILL.md at its root or in its one folder: at most 5 MiB packed, 20 MiB unpacked, 200 files.
             */
            file: string;
        };
        ResolveApprovalRequest: {
            /** @enum {string} */
            decision: "approve" | "reject";
            /**
             * @description Told to the model when the call is rejected.
             * @example Ask the customer first.
             */
            message?: string | null;
            /** @description The approval's `digest` as it was shown to whoever decides. Where it is another one, 409 `CONFLICT`. */
            digest?: string | null;
            /** @description With `approve`: the agent asks no more for this tool as it is defined, whatever it is called with, until that is taken away or its definition is another one. 409 `CONFLICT` where `can_remember` is false. */
            remember?: boolean;
        };
        CreateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            url: string;
            /** @description Types of events; `["*"]` for all, later ones too. */
            events: ("*" | "run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "approval.requested" | "approval.resolved" | "connection.needs_sign_in" | "schedule.failed" | "agent.version_created" | "account.credits_low")[];
            /** @default null */
            description?: string | null;
            /** @default true */
            enabled?: boolean;
        };
        UpdateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            url?: string;
            /** @description Types of events; `["*"]` for all, later ones too. */
            events?: ("*" | "run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "approval.requested" | "approval.resolved" | "connection.needs_sign_in" | "schedule.failed" | "agent.version_created" | "account.credits_low")[];
            description?: string | null;
            enabled?: boolean;
        };
        RotateWebhookEndpointSecretRequest: {
            /**
             * @description How long the secret before signs along; 0 ends it at once.
             * @default 1440
             */
            overlap_minutes?: number;
        };
        /** @description Persona and brand of the account's product; the super-agent knows it. */
        ProductProfile: {
            /** @default null */
            name?: string | null;
            /** @default null */
            tagline?: string | null;
            /** @default null */
            description?: string | null;
            /** @default null */
            audience?: string | null;
            /** @default null */
            tone?: string | null;
            /** @default null */
            instructions?: string | null;
            /**
             * @default {
             *       "colors": [],
             *       "logo_url": null
             *     }
             */
            brand?: {
                /** @default [] */
                colors?: string[];
                /**
                 * Format: uri
                 * @default null
                 */
                logo_url?: string | null;
            };
            /**
             * @description Each a URL, or an object with `url` and texts of your own, such as `title`.
             * @default []
             */
            links?: (string | ({
                /** Format: uri */
                url: string;
            } & {
                [key: string]: string | null;
            }))[];
        };
        CreateSuperAgentRunRequest: {
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            conversation_id?: string;
            /** Format: uuid */
            workspace_id?: string;
            model?: components["schemas"]["ModelId"];
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            end_user?: string;
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
            /**
             * @description What becomes of it where its next step costs more than `max_credits`, or the account, has left: it fails, or waits (`requires_action`) until the limit is raised or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.
             * @enum {string}
             */
            on_budget?: "fail" | "wait";
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /** @description Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends. */
            should_notify?: boolean;
            /**
             * @description Where a run of the conversation has not ended: `reject` answers 409 `CONVERSATION_BUSY`; `queue` has this one begin when those before it have ended; `steer` says it to the run at work, which is answered with `message_id`; `interrupt` cancels the run at work, and this one begins.
             * @default reject
             * @enum {string}
             */
            if_busy?: "reject" | "queue" | "steer" | "interrupt";
        };
        SuperAgentRealtimeRunRequest: {
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            conversation_id?: string;
            /** Format: uuid */
            workspace_id?: string;
            model?: components["schemas"]["ModelId"];
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            end_user?: string;
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
            /**
             * @description What becomes of it where its next step costs more than `max_credits`, or the account, has left: it fails, or waits (`requires_action`) until the limit is raised or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.
             * @enum {string}
             */
            on_budget?: "fail" | "wait";
            /**
             * @description Where a run of the conversation has not ended: `reject` answers 409 `CONVERSATION_BUSY`; `queue` has this one begin when those before it have ended; `steer` says it to the run at work, which is answered with `message_id`; `interrupt` cancels the run at work, and this one begins.
             * @default reject
             * @enum {string}
             */
            if_busy?: "reject" | "queue" | "steer" | "interrupt";
        };
        CreateAppRunRequest: {
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            inputs: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            conversationId?: string;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhookUrl?: string;
            /** @description Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends. */
            shouldNotify?: boolean;
            /** Format: uuid */
            workspaceId?: string;
            model?: components["schemas"]["ModelId"];
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Your name for the person for whom it is, such as a row's id.
             * @example u_42
             */
            endUser?: string;
            /** @description The most that this run may cost, in credits. */
            maxCredits?: number;
            /**
             * @description What becomes of it where its next step costs more than `max_credits`, or the account, has left: it fails, or waits (`requires_action`) until the limit is raised or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.
             * @enum {string}
             */
            onBudget?: "fail" | "wait";
            /**
             * @description Where a run of the conversation has not ended: `reject` answers 409 `CONVERSATION_BUSY`; `queue` has this one begin when those before it have ended; `steer` says it to the run at work, which is answered with `message_id`; `interrupt` cancels the run at work, and this one begins.
             * @default reject
             * @enum {string}
             */
            ifBusy?: "reject" | "queue" | "steer" | "interrupt";
        };
        UpdateAppRunRequest: {
            /** @description The most that this run may cost from now on, in credits; of a super-agent's run with all that it has started. More than its limit is. */
            maxCredits: number;
        };
        AppToolResultsRequest: {
            results: ({
                toolCallId: string;
                /**
                 * @description Any JSON: what the model is told.
                 * @example {
                 *       "status": "shipped"
                 *     }
                 */
                output: unknown;
            } | {
                toolCallId: string;
                /**
                 * @description Why the call was not carried out, in words for the model.
                 * @example There is no order 4711.
                 */
                error: string;
            })[];
        };
        AppSendMessageRequest: {
            /**
             * @description What is said: a text, or named inputs as the run was started with.
             * @example Leave the appendix out.
             */
            input: string | {
                [key: string]: unknown;
            };
            /**
             * @description `next_step`: the model is shown it with its next turn. `after`: it becomes the next run of the conversation, of the same agent in the same workspace.
             * @default next_step
             * @enum {string}
             */
            when?: "next_step" | "after";
        };
        ResolveAppApprovalRequest: {
            /** @enum {string} */
            decision: "approve" | "reject";
            /**
             * @description Told to the model when the call is rejected.
             * @example Ask the customer first.
             */
            message?: string | null;
            /** @description The approval's `digest` as it was shown to whoever decides. Where it is another one, 409 `CONFLICT`. */
            digest?: string | null;
        };
        /** @description The end of a run. New fields may be added. */
        RunWebhook: components["schemas"]["RunCompletedWebhook"] | components["schemas"]["RunFailedWebhook"];
        RunCompletedWebhook: {
            /**
             * Format: uuid
             * @description Deduplicate by it: a delivery may arrive more than once.
             */
            runId: string;
            /**
             * Format: uuid
             * @description The same as `conversationId`; kept for compatibility.
             */
            threadId: string | null;
            /** Format: uuid */
            conversationId: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "completed";
            result: components["schemas"]["AppRunResult"];
        };
        AppRunResult: {
            /** @description The final answer. */
            text: string;
            /**
             * Format: uuid
             * @description The agent that ran, or that was built or changed; absent where there is none.
             */
            agentId?: string;
            agentName?: string;
            artifacts: {
                /** Format: uuid */
                id: string;
                title: string;
                type: string;
                url: string;
                name: string;
                sizeBytes: number;
            }[];
            citations?: {
                /** @description The statement, as it stands in the answer. */
                text: string;
                source: {
                    /** @constant */
                    type: "web";
                    url: string;
                    title: string | null;
                } | {
                    /** @constant */
                    type: "file";
                    path: string;
                };
                /** @description Where it stands in `text`, in UTF-16 code units; `end` is behind it. */
                location: {
                    start: number;
                    end: number;
                };
            }[];
            /** @description The structured output, where the agent's config has an `output_schema`. */
            data?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description Of a cancelled run too, with `RUN_CANCELLED`. */
        RunFailedWebhook: {
            /**
             * Format: uuid
             * @description Deduplicate by it: a delivery may arrive more than once.
             */
            runId: string;
            /**
             * Format: uuid
             * @description The same as `conversationId`; kept for compatibility.
             */
            threadId: string | null;
            /** Format: uuid */
            conversationId: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "failed";
            error: components["schemas"]["RunError"];
        };
        RunError: {
            code: components["schemas"]["RunFailureCode"];
            /** @description Safe for a person to read. */
            message: string;
        };
        /**
         * @description Stable. Codes may be added: treat one that you do not know as `EXECUTION_FAILED`.
         * @enum {string}
         */
        RunFailureCode: "EXECUTION_FAILED" | "MODEL_UNAVAILABLE" | "MODEL_RATE_LIMITED" | "MODEL_RETIRED" | "TIMEOUT" | "STEP_LIMIT_EXCEEDED" | "BUDGET_EXCEEDED" | "INSUFFICIENT_CREDITS" | "APPROVAL_EXPIRED" | "INVALID_AGENT_CONFIG" | "AGENT_BUILD_FAILED" | "MODEL_CANNOT_ANSWER" | "OUTPUT_TRUNCATED" | "CONTENT_FILTERED" | "EMPTY_ANSWER" | "ENGINE_LOST" | "RUN_CANCELLED";
        Run: {
            /** Format: uuid */
            run_id: string;
            /**
             * @description What started it.
             * @enum {string}
             */
            kind: "agent" | "agent_creation" | "agent_edit" | "super_agent" | "app";
            /**
             * @description `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: uuid
             * @description The agent that ran; of a creation null until the agent exists.
             */
            agent_id: string | null;
            /**
             * Format: uuid
             * @description Continue it with a later run.
             */
            conversation_id: string | null;
            /** Format: uuid */
            workspace_id: string | null;
            /** @description As `provider/name`. */
            model: string;
            /**
             * Format: uuid
             * @description The run that it replays; it may have been deleted since.
             */
            replayed_from: string | null;
            /**
             * Format: uuid
             * @description The run that started it: of an agent whose config lists this one's in `tools.agents`, or of the super-agent.
             */
            parent_run_id: string | null;
            /** @description The number of the agent's version that it works by, whatever becomes of the agent meanwhile: of a replay of a version that one, else the one that was current when its first turn began; null until then, and where it works by no agent's config. */
            agent_version: number | null;
            /** @description Your own pairs. */
            metadata: {
                [key: string]: string;
            };
            /** @description The person for whom it is, the same as `metadata.end_user`; null: nobody. */
            end_user: string | null;
            /** @description What a running run waits for: a decision, results for its `tool-results`, credits, or the answer to a question, which is the first of its `messages`; else null. */
            requires_action: ({
                /** @constant */
                type: "approval";
                /** Format: uuid */
                approval_id: string;
            } | {
                /** @constant */
                type: "client_tool";
                /** @description The calls that have no result yet. */
                calls: {
                    tool_call_id: string;
                    name: string;
                    arguments: unknown;
                }[];
            } | {
                /**
                 * @description Its next step may cost more than its limit has left.
                 * @constant
                 */
                type: "budget";
                /** @description What it has cost so far; of a super-agent's run with all that it started. */
                spent: number;
                /** @description With how much it goes on: of `budget` the least `max_credits` that will do, of `credits` what the account must have available. */
                required: number;
                /** @description Its limit as it is; null where it has none. */
                max_credits: number | null;
                /**
                 * Format: uuid
                 * @description The run whose limit is to be raised, where that is another: a super-agent's, or one that it started.
                 */
                run_id?: string;
            } | {
                /**
                 * @description Its next step may cost more than the account has.
                 * @constant
                 */
                type: "credits";
                /** @description What it has cost so far; of a super-agent's run with all that it started. */
                spent: number;
                /** @description With how much it goes on: of `budget` the least `max_credits` that will do, of `credits` what the account must have available. */
                required: number;
                /** @description Its limit as it is; null where it has none. */
                max_credits: number | null;
            } | {
                /** @constant */
                type: "question";
                question: string;
                /** @description Answers that it proposes; any other will do, too. */
                options?: string[];
            }) | null;
            /** @description Of a completed run. */
            result: components["schemas"]["RunResult"] | null;
            usage: components["schemas"]["Usage"];
            /** @description Of a failed run. */
            error: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended, whichever way.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When `webhook_url` first answered 2xx.
             */
            webhook_delivered_at: string | null;
            /** @description What the run was given; only with `include_input=true`. */
            input?: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description The message that the request became; only in the answer to `if_busy: steer`.
             */
            message_id?: string;
            /** @description What an ended run did and read, made from its log, never from what a model says. Only where one ended run is fetched; the newest 200. */
            actions?: components["schemas"]["RunAction"][];
            /** @description Whether older actions are left out. There with `actions`. */
            actions_truncated?: boolean;
        };
        RunResult: {
            /** @description The final answer. */
            text: string;
            /**
             * Format: uuid
             * @description The agent that ran, or that was built or changed; absent where there is none.
             */
            agent_id?: string;
            agent_name?: string;
            artifacts: components["schemas"]["Artifact"][];
            /** @description Of an answer in words that names what the run has read; absent where it names none. */
            citations?: components["schemas"]["Citation"][];
            /** @description The structured output, where the agent's config has an `output_schema`. */
            data?: unknown;
            /** @description Of a creation or an edit. */
            build?: components["schemas"]["BuildReport"];
            /** @description The whole transcript; with `raw_output=true` only. */
            raw_output?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run. */
        Artifact: {
            /** Format: uuid */
            id: string;
            title: string;
            type: string;
            url: string;
            name: string;
            size_bytes: number;
        };
        /** @description A statement of the answer that names its source. A source that the run has not read is none. */
        Citation: {
            /** @description The statement, as it stands in the answer. */
            text: string;
            /** @description A page that the run has found or fetched, or a file that it has read. */
            source: {
                /** @constant */
                type: "web";
                url: string;
                title: string | null;
            } | {
                /** @constant */
                type: "file";
                path: string;
            };
            /** @description Where it stands in `text`, in UTF-16 code units; `end` is behind it. */
            location: {
                start: number;
                end: number;
            };
        };
        /** @description What a creation or an edit came to; `text` says the same in words. */
        BuildReport: {
            /**
             * @description `built`: stored. `unchanged`: there was nothing to change. `question`: answer it by `conversation_id`. `refused`: see `text`.
             * @enum {string}
             */
            outcome: "built" | "unchanged" | "question" | "refused";
            /** @description What the request left open, and how it was taken. */
            assumptions: string[];
            /** @description What of the request the agent does not do, and why. */
            left_out: string[];
            /** @description What somebody has to add before the agent can do its work. */
            needs: {
                /** @enum {string} */
                kind: "secret" | "file" | "schedule" | "connector" | "other";
                text: string;
            }[];
            /** @description What the builder asks back. */
            question: string | null;
            /** @description Of an edit of an agent that has cases: how they came out before the change and with it, and the names of those that fail now. */
            cases?: {
                before: {
                    passed: number;
                    of: number;
                };
                after: {
                    passed: number;
                    of: number;
                };
                failed: string[];
            };
        };
        /** @description Credits attributed to the run, with a row per model and capability. The rows add up. */
        Usage: {
            credits: number;
            breakdown: {
                model: string;
                /** @enum {string} */
                capability: "chat" | "vision" | "image" | "video" | "speech";
                input_tokens: number;
                output_tokens: number;
                /** @description Part of `input_tokens`. */
                cached_input_tokens: number;
                /** @description Images, seconds of video, characters of speech or searches of the web; else 0. */
                units: number;
                credits: number;
            }[];
        };
        /** @description One tool call of a run, as its log tells of it. */
        RunAction: {
            action_id: string;
            tool: string;
            /**
             * @description By the tool's definition: a GET reads, and so does what its owner calls read-only. All else writes.
             * @enum {string}
             */
            kind: "read" | "write";
            /** @description What it went to: host and path, server and tool, a file. Without arguments' secrets or query. */
            target: string;
            /**
             * @description `refused`: a person, or the agent's settings, did not let it be made. `unknown`: its answer never came, so it may have taken effect or not.
             * @enum {string}
             */
            status: "succeeded" | "failed" | "refused" | "unknown";
            /**
             * Format: uuid
             * @description Who decided about it is told there.
             */
            approval_id: string | null;
            /** @description The artifacts that it made. */
            artifact_ids: string[];
            /**
             * Format: date-time
             * @description When it began, or was asked for.
             */
            at: string;
        };
        AgentMetadataPage: {
            data: components["schemas"]["AgentMetadata"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AgentMetadata: {
            /** Format: uuid */
            agent_id: string;
            name: string;
            description: string | null;
            version: string;
            /** @enum {string} */
            status: "active" | "archived";
            /**
             * @description Whether calls that write outside the service run (`full_auto`), ask a person first, or are refused (`blocked`).
             * @enum {string}
             */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Agent: {
            /** Format: uuid */
            agent_id: string;
            name: string;
            description: string | null;
            version: string;
            /** @enum {string} */
            status: "active" | "archived";
            /**
             * @description Whether calls that write outside the service run (`full_auto`), ask a person first, or are refused (`blocked`).
             * @enum {string}
             */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Markdown: what the agent does. */
            skill_content: string;
            /** @description The config as YAML, with its comments. */
            config_content: string;
            /** @description The same as `config_content`, as an object. */
            config: components["schemas"]["AgentConfig"];
            /** @description The config's `inputs`: JSON Schema of a run's `input`. */
            inputs_schema: {
                [key: string]: unknown;
            } | null;
            dashboard_template: components["schemas"]["DashboardTemplate"] | null;
            /** Format: uuid */
            current_version_id: string;
        };
        AgentVersionMetadataPage: {
            data: components["schemas"]["AgentVersionMetadata"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AgentVersionMetadata: {
            /** Format: uuid */
            version_id: string;
            /** @description Counts up from 1 within the agent. */
            number: number;
            version: string;
            release_note: string | null;
            /** @enum {string} */
            source: "create" | "patch" | "edit" | "restore";
            /**
             * Format: uuid
             * @description The creation or edit run that made it; null where none did.
             */
            run_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description An agent as it was. Immutable. */
        AgentVersion: {
            /** Format: uuid */
            version_id: string;
            /** @description Counts up from 1 within the agent. */
            number: number;
            version: string;
            release_note: string | null;
            /** @enum {string} */
            source: "create" | "patch" | "edit" | "restore";
            /**
             * Format: uuid
             * @description The creation or edit run that made it; null where none did.
             */
            run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            agent_id: string;
            name: string;
            description: string | null;
            /**
             * @description Whether calls that write outside the service run (`full_auto`), ask a person first, or are refused (`blocked`).
             * @enum {string}
             */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            /** @description Markdown: what the agent does. */
            skill_content: string;
            /** @description The config as YAML, with its comments. */
            config_content: string;
            /** @description The same as `config_content`, as an object. */
            config: components["schemas"]["AgentConfig"];
            dashboard_template: components["schemas"]["DashboardTemplate"] | null;
        };
        EditRun: {
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            agent_id: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** Format: uuid */
            conversation_id: string | null;
            result: components["schemas"]["RunResult"] | null;
            usage: components["schemas"]["Usage"];
            error: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            /** @description What an ended run did and read, made from its log, never from what a model says. Only where one ended run is fetched; the newest 200. */
            actions?: components["schemas"]["RunAction"][];
            /** @description Whether older actions are left out. There with `actions`. */
            actions_truncated?: boolean;
        };
        EditRunPage: {
            data: components["schemas"]["EditRun"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description Each firing starts an ordinary run whose `metadata.schedule_id` names the schedule. */
        Schedule: {
            /** Format: uuid */
            schedule_id: string;
            /** Format: uuid */
            agent_id: string;
            cron: string;
            timezone: string;
            input: {
                [key: string]: unknown;
            };
            /** @description As its runs are started with; null: as the agent's config says. */
            on_budget: ("fail" | "wait") | null;
            /** @description The person for whom its runs are. */
            end_user: string | null;
            enabled: boolean;
            /** @description The version that its runs keep to, as it was named; null: the current one. */
            version: (string | number) | null;
            /** @description The `number` of that version, found when it was named: a label that a later version takes changes nothing. */
            agent_version: number | null;
            /** @description The most that each run may cost, in credits. */
            max_credits: number | null;
            /** @description Is sent the terminal result of each run. */
            webhook_url: string | null;
            /**
             * Format: date-time
             * @description Null while switched off.
             */
            next_run_at: string | null;
            /** Format: date-time */
            last_run_at: string | null;
            /** @description Why the last firing has not started; null once one has. */
            last_error: {
                /** @enum {string} */
                code: "INVALID_INPUT" | "AUTHENTICATION_REQUIRED" | "INSUFFICIENT_CREDITS" | "ACCOUNT_BLOCKED" | "SUPER_AGENT_ACCESS_DENIED" | "NOT_FOUND" | "AGENT_NOT_FOUND" | "APP_NOT_FOUND" | "APPROVAL_NOT_FOUND" | "CONNECTION_NOT_FOUND" | "CONVERSATION_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "FILE_NOT_FOUND" | "MEMORY_NOT_FOUND" | "RUN_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "SECRET_NOT_FOUND" | "SKILL_NOT_FOUND" | "TEMPLATE_NOT_FOUND" | "VERSION_NOT_FOUND" | "WORKSPACE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "CONVERSATION_BUSY" | "IDEMPOTENCY_CONFLICT" | "VERSION_CONFLICT" | "PAYLOAD_TOO_LARGE" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
                message: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description How many firings in a row have failed: they could not start, or their run has failed. After 10 the schedule is paused. */
            failures: number;
            /**
             * Format: date-time
             * @description Since when it is switched off by its failures; switching it on begins anew.
             */
            paused_at: string | null;
            /** @description What it was paused for. */
            paused_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SchedulePage: {
            data: components["schemas"]["Schedule"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ScheduleFiringPage: {
            data: components["schemas"]["ScheduleFiring"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description What became of one firing of a schedule. */
        ScheduleFiring: {
            /** Format: uuid */
            firing_id: string;
            /** Format: uuid */
            schedule_id: string;
            /**
             * Format: date-time
             * @description When it was due; by hand: when it was asked for.
             */
            at: string;
            /**
             * Format: date-time
             * @description When it took place.
             */
            fired_at: string;
            /** @enum {string} */
            trigger: "time" | "manual";
            /**
             * @description `skipped`: it could not start a run; `error` says why.
             * @enum {string}
             */
            outcome: "started" | "skipped";
            /**
             * Format: uuid
             * @description The run that it started; it may have been deleted since.
             */
            run_id: string | null;
            /** @description Of that run, as it stands; null without one. */
            run_status: ("pending" | "running" | "completed" | "failed" | "cancelled") | null;
            /** @description Why it was skipped, or why its run has failed. */
            error: {
                code: string;
                message: string;
            } | null;
        };
        MemoryPage: {
            data: components["schemas"]["Memory"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A note that an agent keeps across conversations. `tools.memory` of its config switches them on. */
        Memory: {
            /** Format: uuid */
            memory_id: string;
            /** Format: uuid */
            agent_id: string;
            /** @description `metadata.end_user` of the run that noted it; null: the run named nobody. */
            end_user: string | null;
            text: string;
            /**
             * Format: uuid
             * @description The run that noted it, which may be deleted by now.
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        RememberedApprovalPage: {
            data: components["schemas"]["RememberedApproval"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A tool that the agent calls without asking, as long as it is defined like this: a person approved a call of it with `remember`. */
        RememberedApproval: {
            /** Format: uuid */
            remembered_id: string;
            /** Format: uuid */
            agent_id: string;
            tool_name: string;
            /** @description Where the tool comes from. */
            tool_kind: ("http" | "mcp" | "client" | "built_in") | null;
            /** @description The tool as it was defined when a person said so. */
            definition: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The approval that said so, which may be deleted by now.
             */
            approval_id: string;
            /** Format: date-time */
            created_at: string;
        };
        AgentCasePage: {
            data: components["schemas"]["AgentCase"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A case of an agent: an input, and what must be so of the answer. Each edit runs an agent's cases before and after, and says how they came out. Nothing is sent or written by it. */
        AgentCase: {
            /** Format: uuid */
            case_id: string;
            /** Format: uuid */
            agent_id: string;
            name: string;
            /** @description The run's input. */
            input: {
                [key: string]: unknown;
            };
            /** @description What the tools that act outside give, by their names. A list answers one call after the other. */
            answers: {
                [key: string]: unknown;
            };
            /** @description Small texts among the run's files, by their paths. */
            files: {
                [key: string]: string;
            };
            checks: components["schemas"]["CheckOutput"][];
            /**
             * @description Who wrote it.
             * @enum {string}
             */
            source: "builder" | "person";
            /** Format: date-time */
            created_at: string;
        };
        ClientToken: {
            /** @description For one person's browser. It is stored nowhere. */
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        OpenapiTools: {
            /** @description Entries for `tools.http`. */
            tools: {
                [key: string]: unknown;
            }[];
            left_out: {
                operation: string;
                reason: string;
            }[];
            operations: {
                operation: string;
                method: string;
                path: string;
                summary: string | null;
            }[];
        };
        /** @description A connection and where to sign in for it. */
        ConnectionSignIn: {
            /** Format: uuid */
            connection_id: string;
            server_url: string;
            /** @description Whose it is; left out where it is the account's. */
            end_user?: string;
            /**
             * @description `pending`: nobody has signed in yet. `connected`: agents may use it. `needs_sign_in`: the server has ended the sign-in; `last_error` says how.
             * @enum {string}
             */
            status: "pending" | "connected" | "needs_sign_in";
            /** @description The authorization server that signs people in. */
            issuer: string | null;
            /** @description How this service is known there. */
            client_id: string | null;
            /** @description What was allowed, or was asked for while nobody has signed in. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When the access token ends. It is renewed before, where the server lets it be.
             */
            expires_at: string | null;
            /** Format: date-time */
            signed_in_at: string | null;
            /** @description Why the last sign-in or renewal failed; null since one has succeeded. */
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Where a person signs in, in a browser that is signed in to the console as this account. With `end_user` a link to hand to that person, whose browser needs no session: it works once, for ten minutes, and whoever opens it signs in as themself. Show it to them alone, where they are signed in to you. */
            authorization_url: string;
            /** Format: date-time */
            authorization_expires_at: string;
        };
        ConnectionPage: {
            data: components["schemas"]["Connection"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description The sign-in of an account, or of one of its end users, at an MCP server. Its tokens are shown nowhere. */
        Connection: {
            /** Format: uuid */
            connection_id: string;
            server_url: string;
            /** @description Whose it is; left out where it is the account's. */
            end_user?: string;
            /**
             * @description `pending`: nobody has signed in yet. `connected`: agents may use it. `needs_sign_in`: the server has ended the sign-in; `last_error` says how.
             * @enum {string}
             */
            status: "pending" | "connected" | "needs_sign_in";
            /** @description The authorization server that signs people in. */
            issuer: string | null;
            /** @description How this service is known there. */
            client_id: string | null;
            /** @description What was allowed, or was asked for while nobody has signed in. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When the access token ends. It is renewed before, where the server lets it be.
             */
            expires_at: string | null;
            /** Format: date-time */
            signed_in_at: string | null;
            /** @description Why the last sign-in or renewal failed; null since one has succeeded. */
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationPage: {
            data: components["schemas"]["Conversation"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Conversation: {
            /** Format: uuid */
            conversation_id: string;
            /**
             * @description Which runs may continue it: creations and edits, agent runs, or the super-agent's.
             * @enum {string}
             */
            family: "creation" | "agent" | "super_agent";
            /** @description The person whose it is: only runs for them continue it. Null: nobody's yet. */
            end_user: string | null;
            /** @description What was said first, cut. */
            title: string;
            /**
             * Format: uuid
             * @description The run that has not ended; until then no other is accepted.
             */
            active_run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationWithMessages: {
            /** Format: uuid */
            conversation_id: string;
            /**
             * @description Which runs may continue it: creations and edits, agent runs, or the super-agent's.
             * @enum {string}
             */
            family: "creation" | "agent" | "super_agent";
            /** @description The person whose it is: only runs for them continue it. Null: nobody's yet. */
            end_user: string | null;
            /** @description What was said first, cut. */
            title: string;
            /**
             * Format: uuid
             * @description The run that has not ended; until then no other is accepted.
             */
            active_run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The newest ones, in the order in which they were said. */
            messages: components["schemas"]["Message"][];
            /** @description There are earlier messages. */
            has_more: boolean;
            /** @description `cursor` of the earlier messages. */
            next_cursor: string | null;
        };
        Message: {
            /** Format: uuid */
            message_id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            text: string;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
        };
        EndUserPage: {
            data: components["schemas"]["EndUser"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A person whom your backend acts for, under the name that it gives them. */
        EndUser: {
            /** @description Your name for them. */
            end_user: string;
            /**
             * @description `erasing`: their erasure is under way, and nothing is kept for them.
             * @enum {string}
             */
            status: "active" | "erasing";
            /** @description What their runs may cost a day (UTC), in credits; null: only the account's wallet limits them. */
            max_credits_per_day: number | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a run of theirs was last accepted, to a minute.
             */
            last_seen_at: string | null;
        };
        EndUserDetails: {
            /** @description Your name for them. */
            end_user: string;
            /**
             * @description `erasing`: their erasure is under way, and nothing is kept for them.
             * @enum {string}
             */
            status: "active" | "erasing";
            /** @description What their runs may cost a day (UTC), in credits; null: only the account's wallet limits them. */
            max_credits_per_day: number | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a run of theirs was last accepted, to a minute.
             */
            last_seen_at: string | null;
            usage: {
                /** @description Since 00:00 UTC. */
                credits_today: number;
                credits_30_days: number;
            };
            counts: {
                runs: number;
                conversations: number;
                memories: number;
                /** @description Of their runs. */
                files: number;
                artifacts: number;
            };
        };
        EndUserErasure: {
            end_user: string;
            /** @constant */
            status: "erasing";
            /** Format: date-time */
            requested_at: string;
        };
        /** @description One thing that is kept of them. New types and fields may be added. */
        EndUserExportLine: {
            /** @enum {string} */
            type: "end_user" | "run" | "message" | "run_message" | "artifact" | "file" | "conversation" | "memory" | "schedule" | "secret" | "connection" | "request" | "end";
        } & {
            [key: string]: unknown;
        };
        RunPage: {
            data: components["schemas"]["Run"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description What the model was shown from its first turn on, and the spans in the order of their start. They are kept as long as their run. */
        RunTrace: {
            /** Format: uuid */
            run_id: string;
            prompts: components["schemas"]["RunPrompt"][];
            spans: components["schemas"]["RunSpan"][];
        };
        RunPrompt: {
            /** @description The first turn that was shown it, from 0 on. A later one begins where the context was summarised. */
            turn: number;
            /** @description SHA-256 of the system prompt and the tools, in hex: runs that were shown the same have the same. */
            hash: string;
            /** @description The system prompt, a text. */
            system: unknown;
            /** @description A list of `{name, description, inputSchema}`. */
            tools: unknown;
            /** @description `true` where one of them was longer than 64 KB: the beginning of it then, of the tools as the beginning of their JSON. */
            truncated?: boolean;
        };
        RunSpan: {
            /** @description Unique in its run. */
            span_id: string;
            /** @description The span within which it took place; null at the top. */
            parent_id: string | null;
            /** @enum {string} */
            kind: "queue" | "turn" | "model" | "tool" | "approval" | "compaction" | "webhook" | "retry";
            /** @description The model, the tool, the webhook's address, or words. */
            name: string;
            /**
             * @description An approval that was rejected or has expired is `failed`.
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed" | "cancelled";
            /** Format: date-time */
            started_at: string;
            /**
             * Format: date-time
             * @description Null while it goes on.
             */
            ended_at: string | null;
            /** @description Its own. Those of all spans add up to the run's. */
            credits: number;
            /** @description By kind; of a model call `input_tokens`, `cached_input_tokens`, `output_tokens`, `finish_reason` and more. */
            attributes: {
                [key: string]: unknown;
            };
            /** @description Without the account's secrets. Of a model call what is new since the turn before. */
            input: unknown;
            output: unknown;
            error: {
                code: string;
                message: string;
            } | null;
            /** @description `true` where input or output was longer than 64 KB: a text then, the beginning of its JSON; null where all of them together are too many. */
            truncated?: boolean;
        };
        AcceptedMessage: {
            /** Format: uuid */
            message_id: string;
            /** @description Among the messages of the run, in the order of acceptance. */
            position: number;
            /**
             * Format: uuid
             * @description Of `after`: the run that it becomes.
             */
            next_run_id: string | null;
        };
        RunMessagePage: {
            data: components["schemas"]["RunMessage"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        RunMessage: {
            /** Format: uuid */
            message_id: string;
            /** @description Among the messages of the run, in the order of acceptance. */
            position: number;
            /** @enum {string} */
            when: "next_step" | "after";
            text: string;
            /**
             * @description `waiting` for the next turn; `shown` to the model; `queued`: it is `next_run_id`; `missed`: the run ended without it.
             * @enum {string}
             */
            status: "waiting" | "shown" | "queued" | "missed";
            /** @description The question that it answered. */
            tool_call_id: string | null;
            /**
             * Format: uuid
             * @description Of `after`: the run that it becomes.
             */
            next_run_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        RunFilePage: {
            data: components["schemas"]["RunFile"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        RunFile: {
            /** @description Unique in its run. Tools name it with `run:` before it. */
            path: string;
            size_bytes: number;
            content_type: string;
            sha256: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description One line of a run's stream. New types and fields may be added: skip what you do not know. */
        RunEvent: components["schemas"]["RunCreatedEvent"] | components["schemas"]["MessageCreatedEvent"] | components["schemas"]["OutputTextDeltaEvent"] | components["schemas"]["ThinkingDeltaEvent"] | components["schemas"]["CardCreatedEvent"] | components["schemas"]["CardUpdatedEvent"] | components["schemas"]["ToolStartedEvent"] | components["schemas"]["ToolCompletedEvent"] | components["schemas"]["ArtifactCreatedEvent"] | components["schemas"]["ApprovalRequestedEvent"] | components["schemas"]["ApprovalResolvedEvent"] | components["schemas"]["ClientToolRequestedEvent"] | components["schemas"]["BudgetReachedEvent"] | components["schemas"]["BudgetRaisedEvent"] | components["schemas"]["QuestionAskedEvent"] | components["schemas"]["MessageReceivedEvent"] | components["schemas"]["ConnectorUnavailableEvent"] | components["schemas"]["ContextCompactedEvent"] | components["schemas"]["UsageUpdatedEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["StreamErrorEvent"] | components["schemas"]["PingEvent"];
        /** @description Always the first line. */
        RunCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.created";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @constant */
            render_protocol: 1;
            status: string;
            /** Format: uuid */
            agent_id: string | null;
            /** Format: uuid */
            conversation_id: string | null;
        };
        /** @description The model starts to speak. Each turn in which it speaks is a message of its own. */
        MessageCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.created";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description Names the message within the run. */
            message_id: string;
            /** @constant */
            role: "assistant";
            /** @description A message whose deltas are to be dropped: its step was tried again. */
            replaces?: string;
        };
        /** @description More text of a message. The joined deltas of the last message that was not replaced are `result.text`. */
        OutputTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text.delta";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description Names the message within the run. */
            message_id: string;
            delta: string;
        };
        /** @description More text of a thinking card. */
        ThinkingDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thinking.delta";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            card_id: string;
            delta: string;
        };
        /** @description A thinking, search or todo card appears. */
        CardCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "card.created";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            card: components["schemas"]["Card"];
        };
        Card: {
            card_id: string;
            /** @enum {string} */
            kind: "thinking" | "search" | "todo";
            /** @enum {string} */
            status: "in_progress" | "done";
            title: string;
            items: ({
                id: string;
                text: string;
                done: boolean;
                /**
                 * @description Of a todo; absent in cards of an older version.
                 * @enum {string}
                 */
                status?: "pending" | "in_progress" | "done";
            } | {
                title: string;
                url: string;
            })[];
        };
        /** @description A card as it is now, whole. */
        CardUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "card.updated";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            card: components["schemas"]["Card"];
        };
        /** @description A tool is called. Its input is never shown. */
        ToolStartedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.started";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            tool_call_id: string;
            /** @description The tool's name. */
            name: string;
        };
        /** @description A tool has answered. Its output is never shown. */
        ToolCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.completed";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            tool_call_id: string;
            /** @description The tool's name. */
            name: string;
            /** @enum {string} */
            status: "succeeded" | "failed";
        };
        /** @description The run made a file. */
        ArtifactCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "artifact.created";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            artifact: components["schemas"]["Artifact"];
        };
        /** @description The run waits for a person: `POST /v1/approvals/{approval_id}/resolve`. */
        ApprovalRequestedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.requested";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            approval_id: string;
            tool_name: string;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @description Why a person is asked, where the agent's own settings do not say so. */
            reason?: string;
            /**
             * Format: uuid
             * @description An approval of the same call whose answer no longer counts: the tool has changed since.
             */
            replaces?: string;
        };
        /** @description Somebody decided, or nobody did in time. */
        ApprovalResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.resolved";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            approval_id: string;
            tool_name: string;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @enum {string} */
            decision: "approve" | "reject" | "expired";
        };
        /** @description The run waits for results of tools that you carry out. Fetch the run for their arguments; post the results to its `tool-results`. */
        ClientToolRequestedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "client_tool.requested";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            calls: {
                tool_call_id: string;
                /** @description The tool's name. */
                name: string;
            }[];
        };
        /** @description The run waits until its limit is raised (`PATCH` the run), or its account is topped up; `on_budget` is `wait`. */
        BudgetReachedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.reached";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @description What does not cover the next step: the run's limit, or the account.
             * @enum {string}
             */
            reason: "budget" | "credits";
            /** @description What it has cost so far; of a super-agent's run with all that it started. */
            spent: number;
            /** @description With how much it goes on: of `budget` the least `max_credits` that will do, of `credits` what the account must have available. */
            required: number;
            /** @description Its limit as it is; null where it has none. */
            max_credits: number | null;
        };
        /** @description It goes on. */
        BudgetRaisedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.raised";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description The run waits for an answer: the first message that is posted to its `messages`. */
        QuestionAskedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.asked";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            tool_call_id: string;
            question: string;
            options?: string[];
        };
        /** @description Somebody said something to the run: its model is shown it with the turn that follows. Of a run that a message has become (`after`) it is the second line. */
        MessageReceivedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.received";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            message_id: string;
            /** @constant */
            role: "user";
            /** @enum {string} */
            when: "next_step" | "after";
            text: string;
            /** @description The question that it answers. */
            tool_call_id?: string;
        };
        /** @description A connector of the agent cannot be used; the run goes on without its tools. */
        ConnectorUnavailableEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "connector.unavailable";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description The connector's name in the agent's config. */
            name: string;
            /** @description Why, for the agent's owner. */
            message: string;
        };
        /** @description What the model was shown had grown too long for it: a summary, by the model itself, stands in place of the older part from here on. The run goes on. */
        ContextCompactedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context.compacted";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description How many messages of the prompt the summary stands for. */
            messages: number;
            /** @description What the prompt came to before, about. */
            tokens_before: number;
            /** @description What it comes to with the summary, about. */
            tokens_after: number;
        };
        /** @description What the run has cost so far. */
        UsageUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage.updated";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            usage: components["schemas"]["Usage"];
        };
        /** @description The last line of a run that succeeded. */
        RunCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.completed";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @constant */
            status: "completed";
            result: components["schemas"]["RunResult"];
            usage: components["schemas"]["Usage"];
            /** Format: uuid */
            agent_id: string | null;
        };
        /** @description The last line of a run that failed or was cancelled (`RUN_CANCELLED`). */
        RunFailedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.failed";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @constant */
            status: "failed";
            error: components["schemas"]["RunError"];
            /** @description Only when the run cost something. */
            usage?: components["schemas"]["Usage"];
        };
        /** @description The stream cannot go on, the run may: the last line in place of a terminal one. Fetch the run, or its later events. */
        StreamErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            /** @description From 0, growing by 1. */
            sequence_number: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            code: string;
            message: string;
        };
        /** @description After every 10 s of silence. Has no number and is not stored. */
        PingEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            created_at: string;
        };
        RunEventPage: {
            /** @description Oldest first. */
            data: components["schemas"]["RunEvent"][];
            has_more: boolean;
            /** @description The next `starting_after`; null when there is nothing more. */
            next_cursor: string | null;
        };
        Account: {
            /** Format: uuid */
            account_id: string;
            name: string;
            limits: {
                requests_per_minute: number | null;
                read_per_minute: number | null;
                runs_per_minute: number | null;
                writes_per_hour: number;
            };
            blocked: boolean;
            super_agent_access: boolean;
        };
        AccountUsage: {
            credits: {
                available: number;
            };
            used_24h: number;
            by_model: {
                model: string;
                credits: number;
                input_tokens: number;
                output_tokens: number;
            }[];
            by_agent: {
                /** Format: uuid */
                agent_id: string | null;
                agent_name: string | null;
                credits: number;
                runs: number;
            }[];
            by_day: {
                day: string;
                credits: number;
                runs: number;
            }[];
            /** Format: date-time */
            window_start: string;
            /** @description With `group_by`, `from`, `to` or `end_user` alone: what was used from `from` to `to`, by day the oldest first, else those who used most first. */
            groups?: components["schemas"]["UsageGroup"][];
            /** @description There with `groups`: there are more than the 10,000 groups that are shown. */
            groups_truncated?: boolean;
            /** @description There with `groups`: the first day (UTC). */
            from?: string;
            /** @description There with `groups`: the last day. */
            to?: string;
        };
        /** @description It has the fields that it is grouped by, and no others of them. */
        UsageGroup: {
            day?: string;
            /** @description Null: of nobody, or of a person who was erased. */
            end_user?: string | null;
            /**
             * Format: uuid
             * @description The key that asked for the runs, or made the client token that did. Null: a schedule or the console, or of before keys were noted.
             */
            key_id?: string | null;
            key_name?: string | null;
            model?: string;
            /** Format: uuid */
            agent_id?: string | null;
            agent_name?: string | null;
            credits: number;
            /** @description Runs that made such a call: one that used two models is one of each. */
            runs: number;
            input_tokens: number;
            output_tokens: number;
            /** @description Of the input tokens. */
            cached_input_tokens: number;
        };
        WebhookSecret: {
            /** @description `whsec_…`: what a receiver checks signatures with, by Standard Webhooks. */
            webhook_secret: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Until then the secret before this one signs along; null outside of a rotation.
             */
            previous_expires_at: string | null;
        };
        Workspace: {
            /** Format: uuid */
            workspace_id: string;
            name: string;
            description: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WorkspacePage: {
            data: components["schemas"]["Workspace"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        WorkspaceFile: {
            /** Format: uuid */
            file_id: string;
            path: string;
            name: string;
            size_bytes: number;
            content_type: string;
            sha256: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WorkspaceFilePage: {
            data: components["schemas"]["WorkspaceFile"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A secret of the account, or of one of its end users. Its value is write-only. */
        Secret: {
            /**
             * @description The name by which connectors refer to the secret.
             * @example CRM_KEY
             */
            name: string;
            /** @description Whose it is; left out where it is the account's. */
            end_user?: string;
            description: string | null;
            allowed_hosts: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description When a run last sent it.
             */
            last_used_at: string | null;
        };
        SecretPage: {
            data: components["schemas"]["Secret"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Skill: {
            /** Format: uuid */
            skill_id: string;
            /** @example invoice-check */
            name: string;
            description: string;
            /** @enum {string} */
            source: "custom" | "built_in";
            enabled: boolean;
            /** @description Grows by 1 with each replacement. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SkillPage: {
            data: components["schemas"]["Skill"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        SkillDetail: {
            /** Format: uuid */
            skill_id: string;
            /** @example invoice-check */
            name: string;
            description: string;
            /** @enum {string} */
            source: "custom" | "built_in";
            enabled: boolean;
            /** @description Grows by 1 with each replacement. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The whole SKILL.md. */
            content: string;
            /** @description The files beside SKILL.md. */
            files: {
                path: string;
                size_bytes: number;
            }[];
        };
        TemplatePage: {
            data: components["schemas"]["Template"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Template: {
            /** @description Stays the same; `GET /v1/templates/{name}` has the document. */
            name: string;
            title: string;
            /** @enum {string} */
            category: "data" | "research" | "documents" | "extraction" | "reporting" | "monitoring" | "writing" | "connectors";
            description: string;
            /** @description What you bring along before its agent can work. */
            needs: {
                /** @enum {string} */
                kind: "secret" | "file" | "schedule" | "connector" | "other";
                text: string;
            }[];
            /** @description Whether the built-in model of rules, `builtin/offline`, does what the agent is for. */
            works_offline: boolean;
        };
        TemplateDetail: {
            /** @description Stays the same; `GET /v1/templates/{name}` has the document. */
            name: string;
            title: string;
            /** @enum {string} */
            category: "data" | "research" | "documents" | "extraction" | "reporting" | "monitoring" | "writing" | "connectors";
            description: string;
            /** @description What you bring along before its agent can work. */
            needs: {
                /** @enum {string} */
                kind: "secret" | "file" | "schedule" | "connector" | "other";
                text: string;
            }[];
            /** @description Whether the built-in model of rules, `builtin/offline`, does what the agent is for. */
            works_offline: boolean;
            /** @description The agent: an `AgentDocument`, as `POST /v1/agents/import` takes it, with nothing left out. */
            document: {
                /** @constant */
                kind: "agent";
                name: string;
                skill_content: string;
                config: {
                    /** @constant */
                    version: 1;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description The same as YAML with its comments: send it to `POST /v1/agents/import` as it is. */
            content: string;
        };
        ApprovalPage: {
            data: components["schemas"]["Approval"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        /** @description A tool call that waits for a person, or waited. */
        Approval: {
            /** Format: uuid */
            approval_id: string;
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            agent_id: string | null;
            /**
             * @description `tool_call`, or `agent_edit`: a change that would let an agent do more than before.
             * @enum {string}
             */
            kind: "tool_call" | "agent_edit";
            tool_call_id: string;
            tool_name: string;
            /** @description What the model wants to call the tool with. */
            arguments: unknown;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @description Where the tool comes from. */
            tool_kind: ("http" | "mcp" | "client" | "built_in") | null;
            /** @description The HTTP method, or an MCP tool's own name. */
            method: string | null;
            /** @description The address, with the arguments filled in. */
            target: string | null;
            /** @description The secret that the call would send, by its name. */
            secret_name: string | null;
            /** @description The header that would carry it. */
            secret_header: string | null;
            /** @description The tool as it was defined when the question was asked. */
            definition: {
                [key: string]: unknown;
            } | null;
            /** @description Of a change of an agent: in words, what it could do afterwards and could not before. */
            changes: string[];
            /** @description Whether `remember` may go with an approval: the agent then asks no more for the tool as it is defined, whatever it is called with. */
            can_remember: boolean;
            /** @description Why a person is asked, where the agent's own settings do not say so. */
            reason: string | null;
            /**
             * Format: uuid
             * @description An approval of the same call whose answer no longer counts: the tool has changed since.
             */
            replaces: string | null;
            /** @description SHA-256 of the definition and the arguments as they are shown. Only a call that has the same is made. */
            digest: string | null;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "expired";
            /** @description What was said with the decision. */
            message: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            decided_at: string | null;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        WebhookDelivery: {
            /** Format: uuid */
            delivery_id: string;
            /**
             * Format: uuid
             * @description Null where its event is of no run.
             */
            run_id: string | null;
            /**
             * Format: uuid
             * @description The webhook endpoint; null for a run's own `webhook_url`.
             */
            endpoint_id: string | null;
            /**
             * Format: uuid
             * @description The event that it carries, which is its `webhook-id`.
             */
            event_id: string | null;
            event_type: string | null;
            url: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description Oldest first; the latest hundred. */
            attempts: {
                attempt: number;
                /** Format: date-time */
                at: string;
                /** @description Null when there was no answer. */
                status_code: number | null;
                duration_ms: number;
                error: string | null;
                /** @description The answer's first 2 KiB. */
                response_body: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
        };
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            endpoint_id: string;
            url: string;
            events: string[];
            description: string | null;
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when nothing has arrived; null while all does. After 5 days the endpoint is switched off.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the service switched it off for its failures.
             */
            disabled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Signs its webhooks; shown this once. */
            secret: string;
        };
        WebhookEndpointPage: {
            data: components["schemas"]["WebhookEndpoint"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            endpoint_id: string;
            url: string;
            events: string[];
            description: string | null;
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when nothing has arrived; null while all does. After 5 days the endpoint is switched off.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the service switched it off for its failures.
             */
            disabled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccountEventPage: {
            data: components["schemas"]["AccountEvent"][];
            has_more: boolean;
            /** @description The next `starting_after`; null for an empty page. */
            next_cursor: string | null;
        };
        AccountEvent: {
            /** @description Its number in the account's feed. */
            sequence: number;
            /**
             * Format: uuid
             * @description The `webhook-id` under which endpoints are sent it.
             */
            id: string;
            /** @enum {string} */
            type: "run.requires_action" | "run.completed" | "run.failed" | "run.cancelled" | "approval.requested" | "approval.resolved" | "connection.needs_sign_in" | "schedule.failed" | "agent.version_created" | "account.credits_low";
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            account_id: string;
            /** @description What happened, by ids and states; never an input or a result. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description A run of the app-scoped path. */
        AppRun: {
            /** Format: uuid */
            runId: string;
            /** Format: uuid */
            appId: string;
            /**
             * @description `completed`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            /**
             * Format: uuid
             * @description Continue it with a later run.
             */
            conversationId: string | null;
            /** Format: uuid */
            workspaceId: string | null;
            /** @description As `provider/name`. */
            model: string;
            /** @description Your own pairs. */
            metadata: {
                [key: string]: string;
            };
            /** @description The person for whom it is, the same as `metadata.end_user`; null: nobody. */
            endUser: string | null;
            requiresAction: ({
                /** @constant */
                type: "approval";
                /** Format: uuid */
                approvalId: string;
            } | {
                /** @constant */
                type: "client_tool";
                calls: {
                    toolCallId: string;
                    name: string;
                    arguments: unknown;
                }[];
            } | {
                /**
                 * @description Its next step may cost more than its limit has left.
                 * @constant
                 */
                type: "budget";
                /** @description What it has cost so far; of a super-agent's run with all that it started. */
                spent: number;
                /** @description With how much it goes on: of `budget` the least `max_credits` that will do, of `credits` what the account must have available. */
                required: number;
                /** @description Its limit as it is; null where it has none. */
                maxCredits: number | null;
                /**
                 * Format: uuid
                 * @description The run whose limit is to be raised, where that is another: a super-agent's, or one that it started.
                 */
                runId?: string;
            } | {
                /**
                 * @description Its next step may cost more than the account has.
                 * @constant
                 */
                type: "credits";
                /** @description What it has cost so far; of a super-agent's run with all that it started. */
                spent: number;
                /** @description With how much it goes on: of `budget` the least `max_credits` that will do, of `credits` what the account must have available. */
                required: number;
                /** @description Its limit as it is; null where it has none. */
                maxCredits: number | null;
            } | {
                /** @constant */
                type: "question";
                question: string;
                /** @description Answers that it proposes; any other will do, too. */
                options?: string[];
            }) | null;
            result: components["schemas"]["AppRunResult"] | null;
            usage: {
                credits: number;
                breakdown: {
                    model: string;
                    /** @enum {string} */
                    capability: "chat" | "vision" | "image" | "video" | "speech";
                    inputTokens: number;
                    outputTokens: number;
                    /** @description Part of `input_tokens`. */
                    cachedInputTokens: number;
                    /** @description Images, seconds of video, characters of speech or searches of the web; else 0. */
                    units: number;
                    credits: number;
                }[];
            };
            /** @description Of a failed run. */
            error: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended, whichever way.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When `webhook_url` first answered 2xx.
             */
            webhookDeliveredAt: string | null;
            /**
             * Format: uuid
             * @description The same as `conversationId`.
             */
            threadId: string | null;
            /**
             * Format: uuid
             * @description The message that the request became; only in the answer to `ifBusy: steer`.
             */
            messageId?: string;
            /** @description What an ended run did and read, made from its log, never from what a model says. Only where one ended run is fetched; the newest 200. */
            actions?: components["schemas"]["AppRunAction"][];
            actionsTruncated?: boolean;
        };
        AppRunAction: {
            actionId: string;
            tool: string;
            /**
             * @description By the tool's definition: a GET reads, and so does what its owner calls read-only. All else writes.
             * @enum {string}
             */
            kind: "read" | "write";
            /** @description What it went to: host and path, server and tool, a file. Without arguments' secrets or query. */
            target: string;
            /**
             * @description `refused`: a person, or the agent's settings, did not let it be made. `unknown`: its answer never came, so it may have taken effect or not.
             * @enum {string}
             */
            status: "succeeded" | "failed" | "refused" | "unknown";
            /** Format: uuid */
            approvalId: string | null;
            artifactIds: string[];
            /**
             * Format: date-time
             * @description When it began, or was asked for.
             */
            at: string;
        };
        AppRunPage: {
            data: components["schemas"]["AppRun"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        AppAcceptedMessage: {
            /** Format: uuid */
            messageId: string;
            /** @description Among the messages of the run, in the order of acceptance. */
            position: number;
            /**
             * Format: uuid
             * @description Of `after`: the run that it becomes.
             */
            nextRunId: string | null;
        };
        /** @description One line of a run's stream. New types and fields may be added: skip what you do not know. */
        AppRunEvent: components["schemas"]["AppRunCreatedEvent"] | components["schemas"]["AppMessageCreatedEvent"] | components["schemas"]["AppOutputTextDeltaEvent"] | components["schemas"]["AppThinkingDeltaEvent"] | components["schemas"]["AppCardCreatedEvent"] | components["schemas"]["AppCardUpdatedEvent"] | components["schemas"]["AppToolStartedEvent"] | components["schemas"]["AppToolCompletedEvent"] | components["schemas"]["AppArtifactCreatedEvent"] | components["schemas"]["AppApprovalRequestedEvent"] | components["schemas"]["AppApprovalResolvedEvent"] | components["schemas"]["AppClientToolRequestedEvent"] | components["schemas"]["AppBudgetReachedEvent"] | components["schemas"]["AppBudgetRaisedEvent"] | components["schemas"]["AppQuestionAskedEvent"] | components["schemas"]["AppMessageReceivedEvent"] | components["schemas"]["AppConnectorUnavailableEvent"] | components["schemas"]["AppContextCompactedEvent"] | components["schemas"]["AppUsageUpdatedEvent"] | components["schemas"]["AppRunCompletedEvent"] | components["schemas"]["AppRunFailedEvent"] | components["schemas"]["AppStreamErrorEvent"] | components["schemas"]["AppPingEvent"];
        /** @description Always the first line. */
        AppRunCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.created";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            renderProtocol: 1;
            status: string;
            /** Format: uuid */
            agentId: string | null;
            /** Format: uuid */
            conversationId: string | null;
        };
        /** @description The model starts to speak. Each turn in which it speaks is a message of its own. */
        AppMessageCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.created";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Names the message within the run. */
            messageId: string;
            /** @constant */
            role: "assistant";
            /** @description A message whose deltas are to be dropped: its step was tried again. */
            replaces?: string;
        };
        /** @description More text of a message. The joined deltas of the last message that was not replaced are `result.text`. */
        AppOutputTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text.delta";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Names the message within the run. */
            messageId: string;
            delta: string;
        };
        /** @description More text of a thinking card. */
        AppThinkingDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thinking.delta";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            cardId: string;
            delta: string;
        };
        /** @description A thinking, search or todo card appears. */
        AppCardCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "card.created";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            card: components["schemas"]["AppCard"];
        };
        AppCard: {
            cardId: string;
            /** @enum {string} */
            kind: "thinking" | "search" | "todo";
            /** @enum {string} */
            status: "in_progress" | "done";
            title: string;
            items: ({
                id: string;
                text: string;
                done: boolean;
                /**
                 * @description Of a todo; absent in cards of an older version.
                 * @enum {string}
                 */
                status?: "pending" | "in_progress" | "done";
            } | {
                title: string;
                url: string;
            })[];
        };
        /** @description A card as it is now, whole. */
        AppCardUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "card.updated";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            card: components["schemas"]["AppCard"];
        };
        /** @description A tool is called. Its input is never shown. */
        AppToolStartedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.started";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            toolCallId: string;
            /** @description The tool's name. */
            name: string;
        };
        /** @description A tool has answered. Its output is never shown. */
        AppToolCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.completed";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            toolCallId: string;
            /** @description The tool's name. */
            name: string;
            /** @enum {string} */
            status: "succeeded" | "failed";
        };
        /** @description The run made a file. */
        AppArtifactCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "artifact.created";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            artifact: components["schemas"]["AppArtifact"];
        };
        /** @description A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run. */
        AppArtifact: {
            /** Format: uuid */
            id: string;
            title: string;
            type: string;
            url: string;
            name: string;
            sizeBytes: number;
        };
        /** @description The run waits for a person: `POST /v1/approvals/{approval_id}/resolve`. */
        AppApprovalRequestedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.requested";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            approvalId: string;
            toolName: string;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @description Why a person is asked, where the agent's own settings do not say so. */
            reason?: string;
            /**
             * Format: uuid
             * @description An approval of the same call whose answer no longer counts: the tool has changed since.
             */
            replaces?: string;
        };
        /** @description Somebody decided, or nobody did in time. */
        AppApprovalResolvedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.resolved";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            approvalId: string;
            toolName: string;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @enum {string} */
            decision: "approve" | "reject" | "expired";
        };
        /** @description The run waits for results of tools that you carry out. Fetch the run for their arguments; post the results to its `tool-results`. */
        AppClientToolRequestedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "client_tool.requested";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            calls: {
                toolCallId: string;
                /** @description The tool's name. */
                name: string;
            }[];
        };
        /** @description The run waits until its limit is raised (`PATCH` the run), or its account is topped up; `on_budget` is `wait`. */
        AppBudgetReachedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.reached";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * @description What does not cover the next step: the run's limit, or the account.
             * @enum {string}
             */
            reason: "budget" | "credits";
            /** @description What it has cost so far; of a super-agent's run with all that it started. */
            spent: number;
            /** @description With how much it goes on: of `budget` the least `max_credits` that will do, of `credits` what the account must have available. */
            required: number;
            /** @description Its limit as it is; null where it has none. */
            maxCredits: number | null;
        };
        /** @description It goes on. */
        AppBudgetRaisedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "budget.raised";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description The run waits for an answer: the first message that is posted to its `messages`. */
        AppQuestionAskedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.asked";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            toolCallId: string;
            question: string;
            options?: string[];
        };
        /** @description Somebody said something to the run: its model is shown it with the turn that follows. Of a run that a message has become (`after`) it is the second line. */
        AppMessageReceivedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.received";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            messageId: string;
            /** @constant */
            role: "user";
            /** @enum {string} */
            when: "next_step" | "after";
            text: string;
            /** @description The question that it answers. */
            toolCallId?: string;
        };
        /** @description A connector of the agent cannot be used; the run goes on without its tools. */
        AppConnectorUnavailableEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "connector.unavailable";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The connector's name in the agent's config. */
            name: string;
            /** @description Why, for the agent's owner. */
            message: string;
        };
        /** @description What the model was shown had grown too long for it: a summary, by the model itself, stands in place of the older part from here on. The run goes on. */
        AppContextCompactedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context.compacted";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description How many messages of the prompt the summary stands for. */
            messages: number;
            /** @description What the prompt came to before, about. */
            tokensBefore: number;
            /** @description What it comes to with the summary, about. */
            tokensAfter: number;
        };
        /** @description What the run has cost so far. */
        AppUsageUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage.updated";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            usage: {
                credits: number;
                breakdown: {
                    model: string;
                    /** @enum {string} */
                    capability: "chat" | "vision" | "image" | "video" | "speech";
                    inputTokens: number;
                    outputTokens: number;
                    /** @description Part of `input_tokens`. */
                    cachedInputTokens: number;
                    /** @description Images, seconds of video, characters of speech or searches of the web; else 0. */
                    units: number;
                    credits: number;
                }[];
            };
        };
        /** @description The last line of a run that succeeded. */
        AppRunCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.completed";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            status: "completed";
            result: components["schemas"]["AppRunResult"];
            usage: {
                credits: number;
                breakdown: {
                    model: string;
                    /** @enum {string} */
                    capability: "chat" | "vision" | "image" | "video" | "speech";
                    inputTokens: number;
                    outputTokens: number;
                    /** @description Part of `input_tokens`. */
                    cachedInputTokens: number;
                    /** @description Images, seconds of video, characters of speech or searches of the web; else 0. */
                    units: number;
                    credits: number;
                }[];
            };
            /** Format: uuid */
            agentId: string | null;
        };
        /** @description The last line of a run that failed or was cancelled (`RUN_CANCELLED`). */
        AppRunFailedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.failed";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            status: "failed";
            error: components["schemas"]["RunError"];
            /** @description Only when the run cost something. */
            usage?: {
                credits: number;
                breakdown: {
                    model: string;
                    /** @enum {string} */
                    capability: "chat" | "vision" | "image" | "video" | "speech";
                    inputTokens: number;
                    outputTokens: number;
                    /** @description Part of `input_tokens`. */
                    cachedInputTokens: number;
                    /** @description Images, seconds of video, characters of speech or searches of the web; else 0. */
                    units: number;
                    credits: number;
                }[];
            };
        };
        /** @description The stream cannot go on, the run may: the last line in place of a terminal one. Fetch the run, or its later events. */
        AppStreamErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            /** @description From 0, growing by 1. */
            sequenceNumber: number;
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
            code: string;
            message: string;
        };
        /** @description After every 10 s of silence. Has no number and is not stored. */
        AppPingEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
            /** Format: uuid */
            runId: string;
            /** Format: date-time */
            createdAt: string;
        };
        AppRunEventPage: {
            /** @description Oldest first. */
            data: components["schemas"]["AppRunEvent"][];
            hasMore: boolean;
            /** @description The next `startingAfter`; null when there is nothing more. */
            nextCursor: string | null;
        };
        AppApprovalPage: {
            data: components["schemas"]["AppApproval"][];
            hasMore: boolean;
            nextCursor: string | null;
        };
        /** @description A tool call of an app run that waits for a person. */
        AppApproval: {
            /** Format: uuid */
            approvalId: string;
            /** Format: uuid */
            runId: string;
            /** Format: uuid */
            appId: string;
            /** @enum {string} */
            kind: "tool_call" | "agent_edit";
            toolCallId: string;
            toolName: string;
            /** @description What the model wants to call the tool with. */
            arguments: unknown;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @description Why a person is asked, where the agent's own settings do not say so. */
            reason: string | null;
            /**
             * Format: uuid
             * @description An approval of the same call whose answer no longer counts: the tool has changed since.
             */
            replaces: string | null;
            /** @description SHA-256 of the definition and the arguments as they are shown. Only a call that has the same is made. */
            digest: string | null;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "expired";
            /** @description What was said with the decision. */
            message: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            decidedAt: string | null;
        };
        /** @description `contains` and `not_contains` look at the answer's text, whatever its case; `equals` compares the whole answer, or its data; `matches` is a regular expression; `json_path` is a JSON Pointer into the data, which is there or has that value; `tool_called` and `tool_not_called` look at what the run did. */
        CheckOutput: {
            /** @constant */
            type: "contains";
            value: string;
        } | {
            /** @constant */
            type: "not_contains";
            value: string;
        } | {
            /** @constant */
            type: "equals";
            value: unknown;
        } | {
            /** @constant */
            type: "matches";
            pattern: string;
        } | {
            /** @constant */
            type: "json_path";
            path: string;
            value?: unknown;
        } | {
            /** @constant */
            type: "schema";
            schema: {
                [key: string]: unknown;
            };
        } | {
            /** @constant */
            type: "tool_called";
            tool: string;
        } | {
            /** @constant */
            type: "tool_not_called";
            tool: string;
        };
        /** @description Persona and brand of the account's product; the super-agent knows it. */
        ProductProfileOutput: {
            /** @default null */
            name: string | null;
            /** @default null */
            tagline: string | null;
            /** @default null */
            description: string | null;
            /** @default null */
            audience: string | null;
            /** @default null */
            tone: string | null;
            /** @default null */
            instructions: string | null;
            /**
             * @default {
             *       "colors": [],
             *       "logo_url": null
             *     }
             */
            brand: {
                /** @default [] */
                colors: string[];
                /**
                 * Format: uri
                 * @default null
                 */
                logo_url: string | null;
            };
            /**
             * @description Each a URL, or an object with `url` and texts of your own, such as `title`.
             * @default []
             */
            links: (string | ({
                /** Format: uri */
                url: string;
            } & {
                [key: string]: string | null;
            }))[];
        };
    };
    responses: {
        /** @description `INVALID_INPUT`: The request's shape, an id or a value is not valid; `details` names the places. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** @description `AUTHENTICATION_REQUIRED`: The key is missing, malformed, revoked, expired or unknown. */
        AuthenticationRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthenticationRequiredError"];
            };
        };
        /** @description `INSUFFICIENT_CREDITS`: Too few credits to start; the body has `available` and `required`. */
        InsufficientCredits: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientCreditsError"];
            };
        };
        /** @description `ACCOUNT_BLOCKED`: The account may not start runs. */
        AccountBlocked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountBlockedError"];
            };
        };
        /** @description `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs. */
        ConversationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConversationNotFoundError"];
            };
        };
        /** @description `REQUEST_TIMEOUT`: The body did not arrive in time: no byte for 20 seconds, or a JSON body not within a minute. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeoutError"];
            };
        };
        /**
         * @description `CONFLICT`: The state of the thing forbids it, or the account has as many as it may have; the message says why.
         *
         *     `CONVERSATION_BUSY`: A run of the conversation has not ended yet.
         *
         *     `IDEMPOTENCY_CONFLICT`: The `Idempotency-Key` stands for another body, or its first request is still in flight.
         */
        ConflictOrConversationBusyOrIdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["ConversationBusyError"] | components["schemas"]["IdempotencyConflictError"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: A JSON body of more than 1 MiB, or an upload beyond its limit. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests from the address, of the account in a minute, or (with `retryAfterSeconds`) too many writes in an hour. Wait for `Retry-After`. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description The budget of this kind of request: `q` in a window of `w` seconds.
                 * @example "minute";q=30;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description `r` requests remain for `t` seconds.
                 * @example "minute";r=29;t=60
                 */
                RateLimit?: string;
                /**
                 * @description Requests a minute.
                 * @example 30
                 */
                "X-RateLimit-Limit"?: number;
                /**
                 * @description Requests left in this window.
                 * @example 29
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the window ends.
                 * @example 60
                 */
                "X-RateLimit-Reset"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description `INTERNAL_ERROR`: A failure of the service. Quote `X-Request-Id`. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /**
                 * @description The budget of this kind of request: `q` in a window of `w` seconds.
                 * @example "minute";q=30;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description `r` requests remain for `t` seconds.
                 * @example "minute";r=29;t=60
                 */
                RateLimit?: string;
                /**
                 * @description Requests a minute.
                 * @example 30
                 */
                "X-RateLimit-Limit"?: number;
                /**
                 * @description Requests left in this window.
                 * @example 29
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the window ends.
                 * @example 60
                 */
                "X-RateLimit-Reset"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorError"];
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The execution service or the database cannot be reached; nothing was accepted. Try again. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /**
                 * @description Whole seconds to wait.
                 * @example 12
                 */
                "Retry-After"?: number;
                /**
                 * @description The budget of this kind of request: `q` in a window of `w` seconds.
                 * @example "minute";q=30;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description `r` requests remain for `t` seconds.
                 * @example "minute";r=29;t=60
                 */
                RateLimit?: string;
                /**
                 * @description Requests a minute.
                 * @example 30
                 */
                "X-RateLimit-Limit"?: number;
                /**
                 * @description Requests left in this window.
                 * @example 29
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the window ends.
                 * @example 60
                 */
                "X-RateLimit-Reset"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description `AGENT_NOT_FOUND`: The account has no such agent. */
        AgentNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"];
            };
        };
        /** @description `CONFLICT`: The state of the thing forbids it, or the account has as many as it may have; the message says why. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"];
            };
        };
        /** @description `VERSION_CONFLICT`: The record was changed since the `ETag` in `If-Match`. */
        VersionConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VersionConflictError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `VERSION_NOT_FOUND`: The agent has no such version.
         */
        AgentNotFoundOrVersionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["VersionNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs.
         */
        AgentNotFoundOrConversationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["ConversationNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `RUN_NOT_FOUND`: There is no such run on this route.
         */
        AgentNotFoundOrRunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["RunNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `SCHEDULE_NOT_FOUND`: The agent has no such schedule.
         *
         *     `VERSION_NOT_FOUND`: The agent has no such version.
         */
        AgentNotFoundOrScheduleNotFoundOrVersionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["ScheduleNotFoundError"] | components["schemas"]["VersionNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `SCHEDULE_NOT_FOUND`: The agent has no such schedule.
         */
        AgentNotFoundOrScheduleNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["ScheduleNotFoundError"];
            };
        };
        /**
         * @description `CONFLICT`: The state of the thing forbids it, or the account has as many as it may have; the message says why.
         *
         *     `IDEMPOTENCY_CONFLICT`: The `Idempotency-Key` stands for another body, or its first request is still in flight.
         */
        ConflictOrIdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["IdempotencyConflictError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `MEMORY_NOT_FOUND`: The agent keeps no such note.
         */
        AgentNotFoundOrMemoryNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["MemoryNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `APPROVAL_NOT_FOUND`: The account has no such approval.
         */
        AgentNotFoundOrApprovalNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["ApprovalNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `CASE_NOT_FOUND`: The agent has no such case.
         */
        AgentNotFoundOrCaseNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["CaseNotFoundError"];
            };
        };
        /** @description `CONNECTION_NOT_FOUND`: The account has no such connection. */
        ConnectionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConnectionNotFoundError"];
            };
        };
        /** @description `CONVERSATION_BUSY`: A run of the conversation has not ended yet. */
        ConversationBusy: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConversationBusyError"];
            };
        };
        /** @description `END_USER_NOT_FOUND`: The account has no end user of this name. */
        EndUserNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndUserNotFoundError"];
            };
        };
        /** @description `END_USER_ERASED`: The end user was erased: `deleted` says how much of each kind. A new run under the name begins a new one. */
        EndUserErased: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndUserErasedError"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests from the address, of the account in a minute, or (with `retryAfterSeconds`) too many writes in an hour. Wait for `Retry-After`. */
        KeylessRateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description `INTERNAL_ERROR`: A failure of the service. Quote `X-Request-Id`. */
        KeylessInternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs.
         *
         *     `VERSION_NOT_FOUND`: The agent has no such version.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        AgentNotFoundOrConversationNotFoundOrVersionNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["ConversationNotFoundError"] | components["schemas"]["VersionNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /** @description `RUN_NOT_FOUND`: There is no such run on this route. */
        RunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunNotFoundError"];
            };
        };
        /**
         * @description `RUN_NOT_FOUND`: There is no such run on this route.
         *
         *     `VERSION_NOT_FOUND`: The agent has no such version.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        RunNotFoundOrVersionNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunNotFoundError"] | components["schemas"]["VersionNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /**
         * @description `CONFLICT`: The state of the thing forbids it, or the account has as many as it may have; the message says why.
         *
         *     `RUN_NOT_ACTIVE`: The run has ended; what was asked for wants one at work.
         */
        ConflictOrRunNotActive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["RunNotActiveError"];
            };
        };
        /**
         * @description `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs.
         *
         *     `RUN_NOT_FOUND`: There is no such run on this route.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        ConversationNotFoundOrRunNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConversationNotFoundError"] | components["schemas"]["RunNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /**
         * @description `CONFLICT`: The state of the thing forbids it, or the account has as many as it may have; the message says why.
         *
         *     `IDEMPOTENCY_CONFLICT`: The `Idempotency-Key` stands for another body, or its first request is still in flight.
         *
         *     `RUN_NOT_ACTIVE`: The run has ended; what was asked for wants one at work.
         */
        ConflictOrIdempotencyConflictOrRunNotActive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["IdempotencyConflictError"] | components["schemas"]["RunNotActiveError"];
            };
        };
        /**
         * @description `FILE_NOT_FOUND`: The workspace has no such file.
         *
         *     `RUN_NOT_FOUND`: There is no such run on this route.
         */
        FileNotFoundOrRunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FileNotFoundError"] | components["schemas"]["RunNotFoundError"];
            };
        };
        /** @description `RANGE_NOT_SATISFIABLE`: The range begins beyond the file's end; `Content-Range` says how long it is. */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Content-Range": components["headers"]["Content-Range"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RangeNotSatisfiableError"];
            };
        };
        /**
         * @description `CONFLICT`: The state of the thing forbids it, or the account has as many as it may have; the message says why.
         *
         *     `CONVERSATION_BUSY`: A run of the conversation has not ended yet.
         */
        ConflictOrConversationBusy: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["ConversationBusyError"];
            };
        };
        /** @description `NOT_FOUND`: There is no such route. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it. */
        WorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /**
         * @description `AGENT_NOT_FOUND`: The account has no such agent.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        AgentNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AgentNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /**
         * @description `FILE_NOT_FOUND`: The workspace has no such file.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        FileNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FileNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /** @description `SECRET_NOT_FOUND`: The account has no secret of this name. */
        SecretNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SecretNotFoundError"];
            };
        };
        /** @description `SKILL_NOT_FOUND`: The account has no such skill. */
        SkillNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SkillNotFoundError"];
            };
        };
        /** @description `INVALID_INPUT`: The request's shape, an id or a value is not valid; `details` names the places. */
        KeylessInvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** @description `TEMPLATE_NOT_FOUND`: There is no such template. */
        KeylessTemplateNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TemplateNotFoundError"];
            };
        };
        /** @description `APPROVAL_NOT_FOUND`: The account has no such approval. */
        ApprovalNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApprovalNotFoundError"];
            };
        };
        /** @description `DELIVERY_NOT_FOUND`: The account has no such webhook delivery. */
        DeliveryNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeliveryNotFoundError"];
            };
        };
        /**
         * @description `DELIVERY_NOT_FOUND`: The account has no such webhook delivery.
         *
         *     `ENDPOINT_NOT_FOUND`: The account has no such webhook endpoint.
         */
        DeliveryNotFoundOrEndpointNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeliveryNotFoundError"] | components["schemas"]["EndpointNotFoundError"];
            };
        };
        /** @description `ENDPOINT_NOT_FOUND`: The account has no such webhook endpoint. */
        EndpointNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointNotFoundError"];
            };
        };
        /** @description `SUPER_AGENT_ACCESS_DENIED`: The account is not on the super-agent's allowlist. */
        SuperAgentAccessDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SuperAgentAccessDeniedError"];
            };
        };
        /**
         * @description `ACCOUNT_BLOCKED`: The account may not start runs.
         *
         *     `SUPER_AGENT_ACCESS_DENIED`: The account is not on the super-agent's allowlist.
         */
        AccountBlockedOrSuperAgentAccessDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountBlockedError"] | components["schemas"]["SuperAgentAccessDeniedError"];
            };
        };
        /**
         * @description `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        ConversationNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConversationNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /**
         * @description `APP_NOT_FOUND`: The key is not for this agent.
         *
         *     `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        AppNotFoundOrConversationNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppNotFoundError"] | components["schemas"]["ConversationNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /** @description `APP_NOT_FOUND`: The key is not for this agent. */
        AppNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppNotFoundError"];
            };
        };
        /**
         * @description `APP_NOT_FOUND`: The key is not for this agent.
         *
         *     `RUN_NOT_FOUND`: There is no such run on this route.
         */
        AppNotFoundOrRunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppNotFoundError"] | components["schemas"]["RunNotFoundError"];
            };
        };
        /**
         * @description `APP_NOT_FOUND`: The key is not for this agent.
         *
         *     `CONVERSATION_NOT_FOUND`: The account has no such conversation, or it belongs to another family of runs.
         *
         *     `RUN_NOT_FOUND`: There is no such run on this route.
         *
         *     `WORKSPACE_NOT_FOUND`: The account has no such workspace, or the agent may not use it.
         */
        AppNotFoundOrConversationNotFoundOrRunNotFoundOrWorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppNotFoundError"] | components["schemas"]["ConversationNotFoundError"] | components["schemas"]["RunNotFoundError"] | components["schemas"]["WorkspaceNotFoundError"];
            };
        };
        /**
         * @description `APP_NOT_FOUND`: The key is not for this agent.
         *
         *     `APPROVAL_NOT_FOUND`: The account has no such approval.
         */
        AppNotFoundOrApprovalNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppNotFoundError"] | components["schemas"]["ApprovalNotFoundError"];
            };
        };
    };
    parameters: {
        /**
         * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
         * @example order-4711
         */
        "Idempotency-Key": string;
        /** @description Rows a page. */
        limit: number;
        /** @description `next_cursor` of the page before. */
        cursor: string;
        /**
         * @description The agent.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
         */
        agent_id: string;
        /**
         * @description The version.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0006
         */
        version_id: string;
        /**
         * @description The run.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
         */
        run_id: string;
        /**
         * @description The schedule.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0007
         */
        schedule_id: string;
        /**
         * @description The note.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0014
         */
        memory_id: string;
        /**
         * @description The connection.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0015
         */
        connection_id: string;
        /**
         * @description The conversation.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003
         */
        conversation_id: string;
        /**
         * @description Your name for the person, percent-encoded.
         * @example u_42
         */
        end_user: string;
        /**
         * @description A comma list of pending, running, completed, failed, cancelled.
         * @example pending,running
         */
        status: string;
        /**
         * @description Only runs accepted after this time.
         * @example 2026-01-01T00:00:00.000Z
         */
        created_after: string;
        /**
         * @description Only runs accepted before this time.
         * @example 2036-01-01T00:00:00.000Z
         */
        created_before: string;
        /**
         * @description `metadata[key]=value`: only runs with each of these pairs.
         * @example {
         *       "customer": "c_42"
         *     }
         */
        metadata: {
            [key: string]: string;
        };
        /**
         * @description `true` adds the whole transcript as `result.raw_output`.
         * @example true
         */
        raw_output: boolean;
        /**
         * @description `true` adds what the run was given as `input`.
         * @example true
         */
        include_input: boolean;
        /**
         * @description One range of bytes; several, or another unit, are ignored. Beyond the end: 416 `RANGE_NOT_SATISFIABLE`.
         * @example bytes=0-3
         */
        Range: string;
        /**
         * @description With `Range`: the whole file is sent when its `ETag` is another by now.
         * @example "none-yet"
         */
        "If-Range": string;
        /**
         * @description An `ETag` that you have: 304 without a body when it still holds.
         * @example "none-yet"
         */
        "If-None-Match": string;
        /** @description The last sequence number that you have; -1 (the default) for all. */
        starting_after: number;
        /**
         * @description The workspace.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
         */
        workspace_id: string;
        /**
         * @description The file.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0005
         */
        file_id: string;
        /**
         * @description The name by which connectors refer to the secret.
         * @example CRM_KEY
         */
        name: string;
        /**
         * @description The skill.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0010
         */
        skill_id: string;
        /**
         * @description The approval.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0008
         */
        approval_id: string;
        /**
         * @description The delivery.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0009
         */
        delivery_id: string;
        /**
         * @description The webhook endpoint.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
         */
        endpoint_id: string;
        /**
         * @description The agent that the key is for, by its `agent_id`.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
         */
        appId: string;
        /**
         * @description The run.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
         */
        runId: string;
        /**
         * @description The approval.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0008
         */
        approvalId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Quote it when you report a problem. It is the request's own `X-Request-Id` where that has 1 to 128 of A–Z, a–z, 0–9, `.`, `_` and `-`.
         * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
         */
        "X-Request-Id": string;
        /**
         * @description The budget of this kind of request: `q` in a window of `w` seconds.
         * @example "minute";q=30;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description `r` requests remain for `t` seconds.
         * @example "minute";r=29;t=60
         */
        RateLimit: string;
        /**
         * @description Requests a minute.
         * @example 30
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in this window.
         * @example 29
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 60
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Whole seconds to wait.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description Where the thing is fetched, as a path.
         * @example /v1/runs/01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
         */
        Location: string;
        /**
         * @description Strong validator of what was sent, for `If-Match` or `If-None-Match` of a later request.
         * @example "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002-mhx1k2"
         */
        ETag: string;
        /**
         * @description `true` when this is the first answer to the same `Idempotency-Key` again; else absent.
         * @example true
         */
        "Idempotency-Replayed": string;
        /**
         * @description Always an attachment, with the file's name.
         * @example attachment; filename="sales.csv"; filename*=UTF-8''sales.csv
         */
        "Content-Disposition": string;
        /**
         * @description `bytes`: one range may be asked for.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description Which bytes these are, and of how many; of a refused range only how many.
         * @example bytes 0-99/2048
         */
        "Content-Range": string;
        /**
         * @description How long the answer may be kept.
         * @example no-store
         */
        "Cache-Control": string;
        /**
         * @description `no` on streams: proxies must hand the lines on at once.
         * @example no
         */
        "X-Accel-Buffering": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /** @description Which agents: those in use, or the archived ones. */
                status?: "active" | "archived";
                /**
                 * @description Looks into name and description.
                 * @example sales
                 */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentMetadataPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            /** @description The creation run, pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusyOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The record's `ETag`: when it was changed since, nothing is stored and the answer is 412 `VERSION_CONFLICT`. `*` fits every one.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgentRequest"];
            };
        };
        responses: {
            /** @description The agent as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    duplicateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateAgentRequest"];
            };
        };
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `application/yaml`: The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": components["schemas"]["AgentDocument"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    importAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description `application/yaml`: One agent document as YAML 1.2, at most 4 MiB. */
        requestBody: {
            content: {
                "application/yaml": components["schemas"]["AgentDocument"];
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionMetadataPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The version.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0006
                 */
                version_id: components["parameters"]["version_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrVersionNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The version.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0006
                 */
                version_id: components["parameters"]["version_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreAgentVersionRequest"];
            };
        };
        responses: {
            /** @description The agent as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrVersionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAgentEdits: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of edit runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditRunPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAgentEdit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentEditRequest"];
            };
        };
        responses: {
            /** @description The edit run, queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AgentNotFoundOrConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusyOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgentEdit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The edit run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrRunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schedules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScheduleRequest"];
            };
        };
        responses: {
            /** @description The schedule. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrVersionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The schedule.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0007
                 */
                schedule_id: components["parameters"]["schedule_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrScheduleNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The schedule.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0007
                 */
                schedule_id: components["parameters"]["schedule_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateScheduleRequest"];
            };
        };
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrScheduleNotFoundOrVersionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The schedule.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0007
                 */
                schedule_id: components["parameters"]["schedule_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AgentNotFoundOrScheduleNotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listScheduleFirings: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The schedule.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0007
                 */
                schedule_id: components["parameters"]["schedule_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of firings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleFiringPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrScheduleNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only notes about this end-user; empty: about none.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The note.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0014
                 */
                memory_id: components["parameters"]["memory_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrMemoryNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The note.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0014
                 */
                memory_id: components["parameters"]["memory_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrMemoryNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The note.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0014
                 */
                memory_id: components["parameters"]["memory_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemoryRequest"];
            };
        };
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrMemoryNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRememberedApprovals: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of remembered approvals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RememberedApprovalPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRememberedApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description What is remembered.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0041
                 */
                remembered_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent asks again. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrApprovalNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAgentCases: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCasePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAgentCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentCaseRequest"];
            };
        };
        responses: {
            /** @description The case. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCase"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAgentCase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
                /**
                 * @description The case.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0042
                 */
                case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrCaseNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createClientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClientTokenRequest"];
            };
        };
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientToken"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AgentNotFoundOrConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    convertOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertOpenapiRequest"];
            };
        };
        responses: {
            /** @description The tools, what was left out of those chosen, and what there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenapiTools"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Those of this person. Left out: the account's.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connections. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    connectServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectServerRequest"];
            };
        };
        responses: {
            /** @description The connection that there is, and where to sign in anew. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSignIn"];
                };
            };
            /** @description A new connection, and where to sign in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionSignIn"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0015
                 */
                connection_id: components["parameters"]["connection_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["ConnectionNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0015
                 */
                connection_id: components["parameters"]["connection_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["ConnectionNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only this family.
                 * @example agent
                 */
                family?: "creation" | "agent" | "super_agent";
                /**
                 * @description Only those of this person.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of conversations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: {
                /** @description Messages a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The conversation.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003
                 */
                conversation_id: components["parameters"]["conversation_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationWithMessages"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["ConversationNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The conversation.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003
                 */
                conversation_id: components["parameters"]["conversation_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["ConversationNotFound"];
            409: components["responses"]["ConversationBusy"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEndUsers: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only those whose name begins with this text.
                 * @example u_4
                 */
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of end users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndUserPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEndUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your name for the person, percent-encoded.
                 * @example u_42
                 */
                end_user: components["parameters"]["end_user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The end user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndUserDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndUserNotFound"];
            410: components["responses"]["EndUserErased"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseEndUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your name for the person, percent-encoded.
                 * @example u_42
                 */
                end_user: components["parameters"]["end_user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure has begun, now or before. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndUserErasure"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndUserNotFound"];
            410: components["responses"]["EndUserErased"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportEndUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your name for the person, percent-encoded.
                 * @example u_42
                 */
                end_user: components["parameters"]["end_user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `application/x-ndjson`: One JSON object a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["EndUserExportLine"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndUserNotFound"];
            410: components["responses"]["EndUserErased"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setEndUserLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your name for the person for whom it is, such as a row's id.
                 * @example u_42
                 */
                end_user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetEndUserLimitsRequest"];
            };
        };
        responses: {
            /** @description The end user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndUserDetails"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgentConfigSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        $schema: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["KeylessRateLimited"];
            500: components["responses"]["KeylessInternalError"];
        };
    };
    getDashboardTemplateSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        $schema: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["KeylessRateLimited"];
            500: components["responses"]["KeylessInternalError"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description A comma list of pending, running, completed, failed, cancelled.
                 * @example pending,running
                 */
                status?: components["parameters"]["status"];
                /**
                 * @description Only runs of this agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id?: string;
                /**
                 * @description Only runs of this conversation.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003
                 */
                conversation_id?: string;
                /**
                 * @description Only runs for this person.
                 * @example u_42
                 */
                end_user?: string;
                /**
                 * @description Only runs accepted after this time.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                created_after?: components["parameters"]["created_after"];
                /**
                 * @description Only runs accepted before this time.
                 * @example 2036-01-01T00:00:00.000Z
                 */
                created_before?: components["parameters"]["created_before"];
                /**
                 * @description `metadata[key]=value`: only runs with each of these pairs.
                 * @example {
                 *       "customer": "c_42"
                 *     }
                 */
                metadata?: components["parameters"]["metadata"];
                /** @description Only runs that this run has started, an agent's or the super-agent's. */
                parent_run_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunRequest"];
            };
        };
        responses: {
            /** @description The run, pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AgentNotFoundOrConversationNotFoundOrVersionNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusyOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: {
                /**
                 * @description `true` adds the whole transcript as `result.raw_output`.
                 * @example true
                 */
                raw_output?: components["parameters"]["raw_output"];
                /**
                 * @description `true` adds what the run was given as `input`.
                 * @example true
                 */
                include_input?: components["parameters"]["include_input"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRunRequest"];
            };
        };
        responses: {
            /** @description The run. While `requires_action` still says `budget`, it needs more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrRunNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRunTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTrace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayRunRequest"];
            };
        };
        responses: {
            /** @description The new run, pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["RunNotFoundOrVersionNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run had ended before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Cancelled by this call. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitToolResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolResultsRequest"];
            };
        };
        responses: {
            /** @description The run, with the calls that are still open. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRunMessages: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunMessagePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedMessage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["ConversationNotFoundOrRunNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyConflictOrRunNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRunFiles: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFilePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRunFileContent: {
        parameters: {
            query: {
                /**
                 * @description The file's path.
                 * @example cleaned/orders.csv
                 */
                path: string;
            };
            header?: {
                /**
                 * @description One range of bytes; several, or another unit, are ignored. Beyond the end: 416 `RANGE_NOT_SATISFIABLE`.
                 * @example bytes=0-3
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description With `Range`: the whole file is sent when its `ETag` is another by now.
                 * @example "none-yet"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
                /**
                 * @description An `ETag` that you have: 304 without a body when it still holds.
                 * @example "none-yet"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `*\/*`: The bytes, by the file's own media type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description `*\/*`: The range of the bytes that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["FileNotFoundOrRunNotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRunEvents: {
        parameters: {
            query?: {
                /** @description The last sequence number that you have; -1 (the default) for all. */
                starting_after?: components["parameters"]["starting_after"];
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description `application/x-ndjson`: One JSON object a line.
             *
             *     A page; `next_cursor` is the next `starting_after`.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "application/json": components["schemas"]["RunEventPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRealtimeRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RealtimeRunRequest"];
            };
        };
        responses: {
            /** @description `application/x-ndjson`: One JSON object a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AgentNotFoundOrConversationNotFoundOrVersionNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusy"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The artifact, by the `id` that the run's result lists it with.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0012
                 */
                artifact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAccountUsage: {
        parameters: {
            query?: {
                /** @description What to tell usage apart by, with commas between them: `day`, `end_user`, `key`, `model`, `agent`. Where `from`, `to` or `end_user` is given, and of a table, by day without it. */
                group_by?: string;
                /**
                 * @description Of the groups: the first day (UTC), at most 31 with the last one. Without it, 29 days before the last one.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description Of the groups: the last day. Without it, today.
                 * @example 2026-01-31
                 */
                to?: string;
                /**
                 * @description Of the groups: only what this person's runs used.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description Balance and spend, in credits.
             *
             *     `text/csv`: The groups as a table (RFC 4180), its first line the names of the columns. A text that a spreadsheet would compute begins with an apostrophe.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountUsage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Minutes for which the secret before signs along.
                     * @default 1440
                     */
                    overlap_minutes?: number;
                };
            };
        };
        responses: {
            /** @description The fresh secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workspaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description The workspace. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["WorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["WorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    assignWorkspaceAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is one of the workspace's agents. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrWorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unassignWorkspaceAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
                /**
                 * @description The agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id: components["parameters"]["agent_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is not one of the workspace's agents. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AgentNotFoundOrWorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkspaceAgents: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentMetadataPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["WorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only paths that start with it.
                 * @example data/
                 */
                prefix?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFilePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["WorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadFile: {
        parameters: {
            query?: {
                /**
                 * @description For a raw body: where the file lies, relative, at most 1,024 bytes.
                 * @example data/sales.csv
                 */
                path?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
            };
            cookie?: never;
        };
        /**
         * @description `multipart/form-data`: The field `file`, once, and optionally `path`.
         *
         *     `application/octet-stream`: The file's bytes; where it lies is in the query.
         */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file's bytes.
                     */
                    file: string;
                    /** @description Where the file lies, relative, at most 1,024 bytes; without it the file's name. */
                    path?: string;
                };
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file, which replaced one of this path. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFile"];
                };
            };
            /** @description The file. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFile"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
                /**
                 * @description The file.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0005
                 */
                file_id: components["parameters"]["file_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFile"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["FileNotFoundOrWorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
                /**
                 * @description The file.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0005
                 */
                file_id: components["parameters"]["file_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["FileNotFoundOrWorkspaceNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFileContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description One range of bytes; several, or another unit, are ignored. Beyond the end: 416 `RANGE_NOT_SATISFIABLE`.
                 * @example bytes=0-3
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description With `Range`: the whole file is sent when its `ETag` is another by now.
                 * @example "none-yet"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
                /**
                 * @description An `ETag` that you have: 304 without a body when it still holds.
                 * @example "none-yet"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The workspace.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0004
                 */
                workspace_id: components["parameters"]["workspace_id"];
                /**
                 * @description The file.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0005
                 */
                file_id: components["parameters"]["file_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `*\/*`: The bytes, by the file's own media type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description `*\/*`: The range of the bytes that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["FileNotFoundOrWorkspaceNotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description That of this person. Left out: the account's.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSecretRequest"];
            };
        };
        responses: {
            /** @description The secret, without its value. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSecret: {
        parameters: {
            query?: {
                /**
                 * @description That of this person. Left out: the account's.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name by which connectors refer to the secret.
                 * @example CRM_KEY
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret, without its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SecretNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSecret: {
        parameters: {
            query?: {
                /**
                 * @description That of this person. Left out: the account's.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name by which connectors refer to the secret.
                 * @example CRM_KEY
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSecretRequest"];
            };
        };
        responses: {
            /** @description The secret, without its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SecretNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSecret: {
        parameters: {
            query?: {
                /**
                 * @description That of this person. Left out: the account's.
                 * @example u_42
                 */
                end_user?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The name by which connectors refer to the secret.
                 * @example CRM_KEY
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SecretNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSkills: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of skills. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    installSkill: {
        parameters: {
            query?: {
                /**
                 * @description Whether to replace a skill of this name.
                 * @example true
                 */
                replace?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * @description `application/json`: The skill's text.
         *
         *     `multipart/form-data`: The skill as a zip.
         */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallSkillRequest"];
                "multipart/form-data": components["schemas"]["InstallSkillUpload"];
            };
        };
        responses: {
            /** @description The skill. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The skill.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0010
                 */
                skill_id: components["parameters"]["skill_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetail"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SkillNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The skill.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0010
                 */
                skill_id: components["parameters"]["skill_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SkillNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The skill.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0010
                 */
                skill_id: components["parameters"]["skill_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SkillNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The skill.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0010
                 */
                skill_id: components["parameters"]["skill_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["SkillNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only those of this category.
                 * @example data
                 */
                category?: "data" | "research" | "documents" | "extraction" | "reporting" | "monitoring" | "writing" | "connectors";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
            400: components["responses"]["KeylessInvalidInput"];
            429: components["responses"]["KeylessRateLimited"];
            500: components["responses"]["KeylessInternalError"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The template's name.
                 * @example table-questions
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDetail"];
                };
            };
            400: components["responses"]["KeylessInvalidInput"];
            404: components["responses"]["KeylessTemplateNotFound"];
            429: components["responses"]["KeylessRateLimited"];
            500: components["responses"]["KeylessInternalError"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description A comma list of pending, approved, rejected, expired.
                 * @example pending
                 */
                status?: string;
                /**
                 * @description Only this run's.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The approval.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0008
                 */
                approval_id: components["parameters"]["approval_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["ApprovalNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The approval.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0008
                 */
                approval_id: components["parameters"]["approval_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveApprovalRequest"];
            };
        };
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["ApprovalNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only this run's.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id?: string;
                /**
                 * @description Only what went to this endpoint.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
                 */
                endpoint_id?: string;
                /**
                 * @description Only deliveries in this state.
                 * @example delivered
                 */
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The delivery.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0009
                 */
                delivery_id: components["parameters"]["delivery_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["DeliveryNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The delivery.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0009
                 */
                delivery_id: components["parameters"]["delivery_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, pending again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["DeliveryNotFoundOrEndpointNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook endpoint.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
                 */
                endpoint_id: components["parameters"]["endpoint_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook endpoint.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
                 */
                endpoint_id: components["parameters"]["endpoint_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook endpoint.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
                 */
                endpoint_id: components["parameters"]["endpoint_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndpointNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook endpoint.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
                 */
                endpoint_id: components["parameters"]["endpoint_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookEndpointSecretRequest"];
            };
        };
        responses: {
            /** @description The endpoint, with its fresh secret this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndpointNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook endpoint.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0016
                 */
                endpoint_id: components["parameters"]["endpoint_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The last `sequence` that you have; 0 (the default), and -1 as of a run's events, from the oldest kept. */
                starting_after?: number;
                /** @description Only events of these types, with commas between them. */
                types?: string;
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description A page; `next_cursor` is the next `starting_after`.
             *
             *     `application/x-ndjson`: One JSON object a line.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEventPage"];
                    "application/x-ndjson": components["schemas"]["AccountEvent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProductProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductProfileOutput"];
                };
            };
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putProductProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductProfile"];
            };
        };
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductProfileOutput"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSuperAgentRuns: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description A comma list of pending, running, completed, failed, cancelled.
                 * @example pending,running
                 */
                status?: components["parameters"]["status"];
                /**
                 * @description Only runs of this conversation.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003
                 */
                conversation_id?: string;
                /**
                 * @description Only runs for this person.
                 * @example u_42
                 */
                end_user?: string;
                /**
                 * @description Only runs accepted after this time.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                created_after?: components["parameters"]["created_after"];
                /**
                 * @description Only runs accepted before this time.
                 * @example 2036-01-01T00:00:00.000Z
                 */
                created_before?: components["parameters"]["created_before"];
                /**
                 * @description `metadata[key]=value`: only runs with each of these pairs.
                 * @example {
                 *       "customer": "c_42"
                 *     }
                 */
                metadata?: components["parameters"]["metadata"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSuperAgentRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSuperAgentRunRequest"];
            };
        };
        responses: {
            /** @description The run, pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlockedOrSuperAgentAccessDenied"];
            404: components["responses"]["ConversationNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusyOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSuperAgentRealtimeRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuperAgentRealtimeRunRequest"];
            };
        };
        responses: {
            /** @description `application/x-ndjson`: One JSON object a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlockedOrSuperAgentAccessDenied"];
            404: components["responses"]["ConversationNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusy"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSuperAgentRun: {
        parameters: {
            query?: {
                /**
                 * @description `true` adds the whole transcript as `result.raw_output`.
                 * @example true
                 */
                raw_output?: components["parameters"]["raw_output"];
                /**
                 * @description `true` adds what the run was given as `input`.
                 * @example true
                 */
                include_input?: components["parameters"]["include_input"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSuperAgentRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRunRequest"];
            };
        };
        responses: {
            /** @description The run. While `requires_action` still says `budget`, it needs more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            404: components["responses"]["RunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrRunNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSuperAgentRunEvents: {
        parameters: {
            query?: {
                /** @description The last sequence number that you have; -1 (the default) for all. */
                starting_after?: components["parameters"]["starting_after"];
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description `application/x-ndjson`: One JSON object a line.
             *
             *     A page; `next_cursor` is the next `starting_after`.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "application/json": components["schemas"]["RunEventPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelSuperAgentRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run had ended before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description Cancelled by this call. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSuperAgentRunMessages: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunMessagePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            403: components["responses"]["SuperAgentAccessDenied"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendSuperAgentMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                run_id: components["parameters"]["run_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedMessage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlockedOrSuperAgentAccessDenied"];
            404: components["responses"]["ConversationNotFoundOrRunNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyConflictOrRunNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["KeylessRateLimited"];
            500: components["responses"]["KeylessInternalError"];
        };
    };
    listAppRuns: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description A comma list of pending, running, completed, failed, cancelled.
                 * @example pending,running
                 */
                status?: components["parameters"]["status"];
                /**
                 * @description Only runs of this conversation.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003
                 */
                conversationId?: string;
                /**
                 * @description Only runs for this person.
                 * @example u_42
                 */
                endUser?: string;
                /**
                 * @description Only runs accepted after this time.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                createdAfter?: string;
                /**
                 * @description Only runs accepted before this time.
                 * @example 2036-01-01T00:00:00.000Z
                 */
                createdBefore?: string;
                /**
                 * @description `metadata[key]=value`: only runs with each of these pairs.
                 * @example {
                 *       "customer": "c_42"
                 *     }
                 */
                metadata?: components["parameters"]["metadata"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRunPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAppRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAppRunRequest"];
            };
        };
        responses: {
            /** @description The run, pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AppNotFoundOrConversationNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrConversationBusyOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAppRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrRunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAppRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAppRunRequest"];
            };
        };
        responses: {
            /** @description The run. While `requiresAction` still says `budget`, it needs more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrRunNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelAppRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run had ended before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRun"];
                };
            };
            /** @description Cancelled by this call. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrRunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitAppToolResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppToolResultsRequest"];
            };
        };
        responses: {
            /** @description The run, with the calls that are still open. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppRun"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrRunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendAppMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of your own, kept for 24 hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 `IDEMPOTENCY_CONFLICT`.
                 * @example order-4711
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppSendMessageRequest"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppAcceptedMessage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["AccountBlocked"];
            404: components["responses"]["AppNotFoundOrConversationNotFoundOrRunNotFoundOrWorkspaceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyConflictOrRunNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAppRunEvents: {
        parameters: {
            query?: {
                /** @description The last sequence number that you have; -1 (the default) for all. */
                startingAfter?: number;
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The run.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description `application/x-ndjson`: One JSON object a line.
             *
             *     A page; `nextCursor` is the next `startingAfter`.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["AppRunEvent"];
                    "application/json": components["schemas"]["AppRunEventPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrRunNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAppApprovals: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description A comma list of pending, approved, rejected, expired.
                 * @example pending
                 */
                status?: string;
                /**
                 * @description Only this run's.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                runId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppApprovalPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAppApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The approval.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0008
                 */
                approvalId: components["parameters"]["approvalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppApproval"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrApprovalNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveAppApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent that the key is for, by its `agent_id`.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                appId: components["parameters"]["appId"];
                /**
                 * @description The approval.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0008
                 */
                approvalId: components["parameters"]["approvalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveAppApprovalRequest"];
            };
        };
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppApproval"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["AuthenticationRequired"];
            404: components["responses"]["AppNotFoundOrApprovalNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    runFinished: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same for every attempt and redelivery: the run's id.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002
                 */
                "webhook-id": string;
                /**
                 * @description Of the attempt, in seconds since 1970. Refuse old ones.
                 * @example 1767225600
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,<base64 HMAC-SHA256>` over `id.timestamp.body`; several, separated by spaces, while the secret is being rotated.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunWebhook"];
            };
        };
        responses: {
            /** @description Stop sending this run's end. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
