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
         */
        delete: operations["archiveAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Replaces the fields that are given and keeps the outcome as a new version. `config` and `config_content` always say the same: changing one rewrites the other. A change of nothing answers 200 and stores no version; it still counts as a write.
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
         * @description A new, active agent with the same skill, config, dashboard and write autonomy, named after the original with ` (copy)`, at version 1.0.0 with a history of its own. An archived agent can be copied too.
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
         * @description The agent as one YAML document, with the comments of its config; `POST /v1/agents/import` takes it, here or elsewhere.
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
         * @description Stores the agent of an exported document as a new one, without a run. `kind`, `format`, `name` and `skill_content` are required; without `write_autonomy` the agent asks before it writes. Anchors, aliases and tags are refused; errors say line and column.
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
         * @description Starts an asynchronous run of an agent, or without `agent_id` a general run. Poll it, follow its events, or have it sent to a webhook.
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
    "/v1/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow or page a run's events
         * @description The stored events after `starting_after`, then live ones until the terminal line, as NDJSON. With `Accept: application/json` one page, oldest first. Kept for 24 hours after the end.
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
         */
        post: operations["createRealtimeRun"];
        delete?: never;
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
         * @description The wallet's balance less what running runs have reserved, and the spend of the last 24 hours by model and agent, and of 30 days by day.
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
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace
         * @description Replaces the fields that are given.
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
         */
        put: operations["assignWorkspaceAgent"];
        post?: never;
        /**
         * Remove an agent from a workspace
         * @description Removing an agent that is not there changes nothing.
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
         * @description The account's secrets, newest first, without their values.
         */
        get: operations["listSecrets"];
        put?: never;
        /**
         * Add a secret
         * @description Stores a value that connectors send for a run and that nothing ever shows again. A name that is taken answers 409. An account has at most 1,000 secrets and 384 KiB of values together.
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
         * @description Replaces the value of a secret that exists. `description` and `allowed_hosts` stay as they are when they are left out; null clears them.
         */
        put: operations["updateSecret"];
        post?: never;
        /**
         * Delete a secret
         * @description Removes the secret. Connectors that name it fail from then on.
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
         */
        post: operations["disableSkill"];
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
         * @description The tool call with its arguments, and what was decided.
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
         * @description Approves or rejects the call, and the run goes on. The same decision again answers 200; another one, or one that comes after the approval expired, 409.
         */
        post: operations["resolveApproval"];
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
         * @description Has the agent run by the clock. Each firing starts one ordinary run at most; what was missed while the service was down is made up for by one run. A firing that cannot start (no credits, a blocked account, an archived agent) is skipped.
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
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description Replaces the fields that are given. Other times, or switching it on, plan the next firing anew from now.
         */
        patch: operations["updateSchedule"];
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
         * @description What was sent to the webhooks of the account's runs, newest first, with every attempt.
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
         * @description Sends it at once, with attempts of its own, whatever became of it before. The `webhook-id` stays the same.
         */
        post: operations["redeliverWebhook"];
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
        patch?: never;
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
         * @description The stored events after `starting_after`, then live ones until the terminal line, as NDJSON. With `Accept: application/json` one page, oldest first. Kept for 24 hours after the end.
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
         * @description Starts an asynchronous run of the one agent that the app key is for. Poll it, or have it sent to a webhook.
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
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateAgentRequest: {
            /**
             * @description What you want, in plain language.
             * @example An agent that summarises a CSV of sales by region
             */
            input: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id?: string;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
        };
        UpdateAgentRequest: {
            name?: string;
            description?: string | null;
            /** @example 1.1.0 */
            version?: string;
            /** @description Replacement Markdown skill definition, at most 256 KB of UTF-8. */
            skill_content?: string;
            /**
             * @description Replacement config as YAML; its comments are kept. With `config` given too, `config` wins.
             * @example version: 1
             */
            config_content?: string;
            /**
             * @description Replacement config; its JSON Schema is `/v1/schemas/agent-config.json`.
             * @example {
             *       "version": 1
             *     }
             */
            config?: {
                [key: string]: unknown;
            };
            /** @description Replaces the dashboard, null clears it; its JSON Schema is `/v1/schemas/dashboard-template.json`. */
            dashboard_template?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            write_autonomy?: "full_auto" | "approval_required" | "blocked";
            /**
             * @description Changelog note, kept with the version.
             * @example Answers in German.
             */
            release_note?: string | null;
        };
        DuplicateAgentRequest: Record<string, never>;
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
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
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
        };
        CreateRunRequest: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
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
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id?: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            workspace_id?: string;
            model?: string;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /** @description Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends. */
            should_notify?: boolean;
        };
        RealtimeRunRequest: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
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
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id?: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            workspace_id?: string;
            model?: string;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
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
             * @description 1 to 65,536 bytes of UTF-8. Stored encrypted and never returned.
             * @example sk-test-123
             */
            value: string;
            description?: string | null;
            /**
             * @description The hosts (`host` or `host:port`) that the value may be sent to. Without them: only the host of the connector that names the secret.
             * @example [
             *       "api.example.com"
             *     ]
             */
            allowed_hosts?: string[] | null;
        };
        UpdateSecretRequest: {
            /**
             * @description 1 to 65,536 bytes of UTF-8. Stored encrypted and never returned.
             * @example sk-test-123
             */
            value: string;
            description?: string | null;
            /**
             * @description The hosts (`host` or `host:port`) that the value may be sent to. Without them: only the host of the connector that names the secret.
             * @example [
             *       "api.example.com"
             *     ]
             */
            allowed_hosts?: string[] | null;
        };
        InstallSkillRequest: {
            /**
             * @description A SKILL.md: frontmatter with name and description, then Markdown; at most 262144 bytes of UTF-8.
             * @example ---
             *     name: invoice-check
             *     description: Checks invoices. Use it for any bill.
             *     ---
             *
             *     # Checking
             *
             *     1. Add the lines up.
             */
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
        };
        CreateScheduleRequest: {
            /**
             * @description Five fields: minute, hour, day of month, month, day of week.
             * @example 0 9 * * mon
             */
            cron: string;
            /**
             * @description An IANA time zone; the default is UTC.
             * @default UTC
             * @example Europe/Berlin
             */
            timezone: string;
            /**
             * @description Named inputs to the agent; checked against its `inputs` schema when it has one.
             * @default {}
             * @example {
             *       "question": "What were the best three months?"
             *     }
             */
            input: {
                [key: string]: unknown;
            };
            /** @default true */
            enabled: boolean;
        };
        UpdateScheduleRequest: {
            /**
             * @description Five fields: minute, hour, day of month, month, day of week.
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
            enabled?: boolean;
        };
        /** @description Persona and brand of the account's product; the super-agent knows it. */
        ProductProfile: {
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
                /** @default null */
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
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id?: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            workspace_id?: string;
            model?: string;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhook_url?: string;
            /** @description Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends. */
            should_notify?: boolean;
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
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id?: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            workspace_id?: string;
            model?: string;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description The most that this run may cost, in credits. */
            max_credits?: number;
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
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversationId?: string;
            /**
             * Format: uri
             * @description Public http or https URL that is sent the terminal result.
             * @example https://example.com/hooks/runs
             */
            webhookUrl?: string;
            shouldNotify?: boolean;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            workspaceId?: string;
            model?: string;
            /**
             * @description Your own pairs; `GET /v1/runs` filters by them.
             * @example {
             *       "customer": "c_42"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description The most that this run may cost, in credits. */
            maxCredits?: number;
        };
        Run: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** @enum {string} */
            kind: "agent" | "agent_creation" | "agent_edit" | "super_agent" | "app";
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            agent_id: string | null;
            conversation_id: string | null;
            workspace_id: string | null;
            model: string;
            metadata: {
                [key: string]: string;
            };
            requires_action: {
                /** @constant */
                type: "approval";
                /**
                 * Format: uuid
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
                 */
                approval_id: string;
            } | null;
            /** @description What the run was given; only where the run is fetched singly. */
            input?: {
                [key: string]: unknown;
            };
            result: components["schemas"]["RunResult"] | null;
            usage: components["schemas"]["Usage"];
            error: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
            webhook_delivered_at: string | null;
        };
        RunResult: {
            text: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agent_id?: string;
            agent_name?: string;
            artifacts: components["schemas"]["Artifact"][];
            data?: unknown;
            raw_output?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run. */
        Artifact: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            id: string;
            title: string;
            type: string;
            url: string;
            name: string;
            size_bytes: number;
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
                cached_input_tokens: number;
                units: number;
                credits: number;
            }[];
        };
        RunError: {
            /** @enum {string} */
            code: "EXECUTION_FAILED" | "MODEL_UNAVAILABLE" | "MODEL_RATE_LIMITED" | "TIMEOUT" | "STEP_LIMIT_EXCEEDED" | "BUDGET_EXCEEDED" | "INSUFFICIENT_CREDITS" | "APPROVAL_EXPIRED" | "INVALID_AGENT_CONFIG" | "AGENT_BUILD_FAILED" | "RUN_CANCELLED";
            message: string;
        };
        /** @description What happened, what it means and what to do. `error` is stable; `message` is for people. */
        Error: {
            /** @enum {string} */
            error: "INVALID_INPUT" | "AUTHENTICATION_REQUIRED" | "INSUFFICIENT_CREDITS" | "ACCOUNT_BLOCKED" | "SUPER_AGENT_ACCESS_DENIED" | "NOT_FOUND" | "AGENT_NOT_FOUND" | "APP_NOT_FOUND" | "APPROVAL_NOT_FOUND" | "CONVERSATION_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "FILE_NOT_FOUND" | "RUN_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "SECRET_NOT_FOUND" | "SKILL_NOT_FOUND" | "VERSION_NOT_FOUND" | "WORKSPACE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "CONVERSATION_BUSY" | "IDEMPOTENCY_CONFLICT" | "VERSION_CONFLICT" | "PAYLOAD_TOO_LARGE" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
            message: string;
            details?: {
                path: string;
                message: string;
                line?: number;
                column?: number;
            }[];
            available?: number;
            required?: number;
            retryAfterSeconds?: number;
        } & {
            [key: string]: unknown;
        };
        AgentMetadata: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agent_id: string;
            name: string;
            description: string | null;
            version: string;
            /** @enum {string} */
            status: "active" | "archived";
            /** @enum {string} */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Agent: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agent_id: string;
            name: string;
            description: string | null;
            version: string;
            /** @enum {string} */
            status: "active" | "archived";
            /** @enum {string} */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            skill_content: string;
            config_content: string;
            config: {
                [key: string]: unknown;
            };
            inputs_schema: {
                [key: string]: unknown;
            } | null;
            dashboard_template: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            current_version_id: string;
        };
        AgentDocument: {
            /** @constant */
            kind: "agent";
            /** @constant */
            format: 1;
            name: string;
            /** @default null */
            description: string | null;
            /** @default 1.0.0 */
            version: string;
            /**
             * @default approval_required
             * @enum {string}
             */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            skill_content: string;
            /**
             * @default {
             *       "version": 1
             *     }
             */
            config: {
                [key: string]: unknown;
            };
            /** @default null */
            dashboard_template: {
                [key: string]: unknown;
            } | null;
        };
        AgentVersionMetadata: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            version_id: string;
            /** @description Counts up from 1 within the agent. */
            number: number;
            version: string;
            release_note: string | null;
            /** @enum {string} */
            source: "create" | "patch" | "edit" | "restore";
            /** @description The creation or edit run that made it; null where none did. */
            run_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description An agent as it was. Immutable. */
        AgentVersion: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            version_id: string;
            /** @description Counts up from 1 within the agent. */
            number: number;
            version: string;
            release_note: string | null;
            /** @enum {string} */
            source: "create" | "patch" | "edit" | "restore";
            /** @description The creation or edit run that made it; null where none did. */
            run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agent_id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            write_autonomy: "full_auto" | "approval_required" | "blocked";
            skill_content: string;
            config_content: string;
            config: {
                [key: string]: unknown;
            };
            dashboard_template: {
                [key: string]: unknown;
            } | null;
        };
        EditRun: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agent_id: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            conversation_id: string | null;
            result: components["schemas"]["RunResult"] | null;
            usage: components["schemas"]["Usage"];
            error: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
        };
        Conversation: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id: string;
            /**
             * @description Which runs may continue it: creations and edits, agent runs, or the super-agent's.
             * @enum {string}
             */
            family: "creation" | "agent" | "super_agent";
            /** @description What was said first, cut. */
            title: string;
            /** @description The run that has not ended; until then no other is accepted. */
            active_run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationWithMessages: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            conversation_id: string;
            /**
             * @description Which runs may continue it: creations and edits, agent runs, or the super-agent's.
             * @enum {string}
             */
            family: "creation" | "agent" | "super_agent";
            /** @description What was said first, cut. */
            title: string;
            /** @description The run that has not ended; until then no other is accepted. */
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
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            message_id: string;
            /** @enum {string} */
            role: "user" | "assistant";
            text: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description One line of a run's stream. */
        RunEvent: {
            /** @constant */
            type: "run.created";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @constant */
            render_protocol: 1;
            status: string;
            agent_id: string | null;
            conversation_id: string | null;
        } | {
            /** @constant */
            type: "message.created";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            message_id: string;
            /** @constant */
            role: "assistant";
            replaces?: string;
        } | {
            /** @constant */
            type: "output_text.delta";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            message_id: string;
            delta: string;
        } | {
            /** @constant */
            type: "thinking.delta";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            card_id: string;
            delta: string;
        } | {
            /** @constant */
            type: "card.created";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            card: components["schemas"]["Card"];
        } | {
            /** @constant */
            type: "card.updated";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            card: components["schemas"]["Card"];
        } | {
            /** @constant */
            type: "tool.started";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            tool_call_id: string;
            name: string;
        } | {
            /** @constant */
            type: "tool.completed";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            tool_call_id: string;
            name: string;
            /** @enum {string} */
            status: "succeeded" | "failed";
        } | {
            /** @constant */
            type: "artifact.created";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            artifact: components["schemas"]["Artifact"];
        } | {
            /** @constant */
            type: "approval.requested";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            approval_id: string;
            tool_name: string;
            summary: string;
        } | {
            /** @constant */
            type: "approval.resolved";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            approval_id: string;
            tool_name: string;
            summary: string;
            /** @enum {string} */
            decision: "approve" | "reject" | "expired";
        } | {
            /** @constant */
            type: "usage.updated";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            usage: components["schemas"]["Usage"];
        } | {
            /** @constant */
            type: "run.completed";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @constant */
            status: "completed";
            result: components["schemas"]["RunResult"];
            usage: components["schemas"]["Usage"];
            agent_id: string | null;
        } | {
            /** @constant */
            type: "run.failed";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            /** @constant */
            status: "failed";
            error: components["schemas"]["RunError"];
            usage?: components["schemas"]["Usage"];
        } | {
            /** @constant */
            type: "error";
            sequence_number: number;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
            code: string;
            message: string;
        } | {
            /** @constant */
            type: "ping";
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            /** Format: date-time */
            created_at: string;
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
            } | {
                title: string;
                url: string;
            })[];
        };
        Account: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
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
        };
        Workspace: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            workspace_id: string;
            name: string;
            description: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WorkspaceFile: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
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
        /** @description An account secret. Its value is write-only. */
        Secret: {
            /**
             * @description The name by which connectors refer to the secret.
             * @example CRM_KEY
             */
            name: string;
            description: string | null;
            allowed_hosts: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description When a run last sent it. */
            last_used_at: string | null;
        };
        Skill: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
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
        SkillDetail: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
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
        /** @description A tool call that waits for a person, or waited. */
        Approval: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            approval_id: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
            agent_id: string | null;
            tool_call_id: string;
            tool_name: string;
            /** @description What the model wants to call the tool with. */
            arguments: unknown;
            /** @description What the call would do, in one line. */
            summary: string;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "expired";
            /** @description What was said with the decision. */
            message: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            decided_at: string | null;
        };
        /** @description Each firing starts an ordinary run whose `metadata.schedule_id` names the schedule. */
        Schedule: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            schedule_id: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agent_id: string;
            cron: string;
            timezone: string;
            input: {
                [key: string]: unknown;
            };
            enabled: boolean;
            /** @description Null while switched off. */
            next_run_at: string | null;
            last_run_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            delivery_id: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            run_id: string;
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
        /** @description A run of the app-scoped path. */
        AppRun: {
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            runId: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            appId: string;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            conversationId: string | null;
            /** @description The same as `conversationId`. */
            threadId: string | null;
            workspaceId: string | null;
            model: string;
            metadata: {
                [key: string]: string;
            };
            requiresAction: {
                /** @constant */
                type: "approval";
                /**
                 * Format: uuid
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
                 */
                approvalId: string;
            } | null;
            result: components["schemas"]["AppRunResult"] | null;
            usage: {
                credits: number;
                breakdown: {
                    model: string;
                    /** @enum {string} */
                    capability: "chat" | "vision" | "image" | "video" | "speech";
                    inputTokens: number;
                    outputTokens: number;
                    cachedInputTokens: number;
                    units: number;
                    credits: number;
                }[];
            };
            error: {
                /** @enum {string} */
                code: "EXECUTION_FAILED" | "MODEL_UNAVAILABLE" | "MODEL_RATE_LIMITED" | "TIMEOUT" | "STEP_LIMIT_EXCEEDED" | "BUDGET_EXCEEDED" | "INSUFFICIENT_CREDITS" | "APPROVAL_EXPIRED" | "INVALID_AGENT_CONFIG" | "AGENT_BUILD_FAILED" | "RUN_CANCELLED";
                message: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            completedAt: string | null;
            webhookDeliveredAt: string | null;
        };
        AppRunResult: {
            text: string;
            /**
             * Format: uuid
             * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
             */
            agentId?: string;
            agentName?: string;
            artifacts: {
                /**
                 * Format: uuid
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d4e5f
                 */
                id: string;
                title: string;
                type: string;
                url: string;
                name: string;
                sizeBytes: number;
            }[];
            data?: unknown;
        } & {
            [key: string]: unknown;
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
                /** @default null */
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
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                status?: "active" | "archived";
                /** @description Looks into name and description. */
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
                    "application/json": {
                        data: components["schemas"]["AgentMetadata"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Kept for 24 hours: the same key and body start one run. */
                "Idempotency-Key"?: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_CONFLICT`, `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archiveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The record's `ETag`: when the agent was changed since, nothing is stored and the answer is 412. */
                "If-Match"?: string;
            };
            path: {
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_CONFLICT` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    duplicateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": components["schemas"]["AgentDocument"];
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/yaml": string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": {
                        data: components["schemas"]["AgentVersionMetadata"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                version_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `VERSION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                version_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `VERSION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAgentEdits: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": {
                        data: components["schemas"]["EditRun"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAgentEdit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Kept for 24 hours: the same key and body start one run. */
                "Idempotency-Key"?: string;
            };
            path: {
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT`, `IDEMPOTENCY_CONFLICT`, `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgentEdit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                run_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                /** @description Only this family. */
                family?: "creation" | "agent" | "super_agent";
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
                    "application/json": {
                        data: components["schemas"]["Conversation"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: {
                /** @description Messages a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                conversation_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                status?: string;
                agent_id?: string;
                conversation_id?: string;
                created_after?: string;
                created_before?: string;
                /** @description `metadata[key]=value`: only runs with each of these pairs. */
                metadata?: {
                    [key: string]: string;
                };
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
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Kept for 24 hours: the same key and body start one run. */
                "Idempotency-Key"?: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `WORKSPACE_NOT_FOUND`, `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT`, `IDEMPOTENCY_CONFLICT`, `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description `true` adds the whole transcript as `result.raw_output`. */
                raw_output?: "true" | "false";
            };
            header?: never;
            path: {
                run_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRunEvents: {
        parameters: {
            query?: {
                /** @description The last sequence number that you have; -1 (the default) for all. */
                starting_after?: number;
                /** @description Rows a page. */
                limit?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `next_cursor` is the next `starting_after`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "application/json": {
                        data: components["schemas"]["RunEvent"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description One JSON object a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `WORKSPACE_NOT_FOUND`, `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT`, `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAccountUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Balance and spend, in credits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountUsage"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
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
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    assignWorkspaceAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unassignWorkspaceAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorkspaceAgents: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                workspace_id: string;
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
                    "application/json": {
                        data: components["schemas"]["AgentMetadata"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                /** @description Only paths that start with it. */
                prefix?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
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
                    "application/json": {
                        data: components["schemas"]["WorkspaceFile"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query?: {
                /** @description For a raw body: where the file lies, relative, at most 1,024 bytes. */
                path?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                file_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `FILE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                file_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `FILE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFileContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description A range of the bytes. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `FILE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RANGE_NOT_SATISFIABLE` */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
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
                    "application/json": {
                        data: components["schemas"]["Secret"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name by which connectors refer to the secret. */
                name: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SECRET_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name by which connectors refer to the secret. */
                name: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SECRET_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name by which connectors refer to the secret. */
                name: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SECRET_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
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
                    "application/json": {
                        data: components["schemas"]["Skill"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    installSkill: {
        parameters: {
            query?: {
                /** @description Whether to replace a skill of this name. */
                replace?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                skill_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SKILL_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                skill_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SKILL_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enableSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                skill_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SKILL_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                skill_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SKILL_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                /** @description A comma list of pending, approved, rejected, expired. */
                status?: string;
                /** @description Only this run's. */
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
                    "application/json": {
                        data: components["schemas"]["Approval"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APPROVAL_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resolveApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APPROVAL_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                agent_id: string;
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
                    "application/json": {
                        data: components["schemas"]["Schedule"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                schedule_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `SCHEDULE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                schedule_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AGENT_NOT_FOUND`, `SCHEDULE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                run_id?: string;
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
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `DELIVERY_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `DELIVERY_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSuperAgentRuns: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                status?: string;
                conversation_id?: string;
                created_after?: string;
                created_before?: string;
                /** @description `metadata[key]=value`: only runs with each of these pairs. */
                metadata?: {
                    [key: string]: string;
                };
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
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSuperAgentRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Kept for 24 hours: the same key and body start one run. */
                "Idempotency-Key"?: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED`, `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONVERSATION_BUSY`, `IDEMPOTENCY_CONFLICT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description One JSON object a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED`, `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WORKSPACE_NOT_FOUND`, `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSuperAgentRun: {
        parameters: {
            query?: {
                /** @description `true` adds the whole transcript as `result.raw_output`. */
                raw_output?: "true" | "false";
            };
            header?: never;
            path: {
                run_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSuperAgentRunEvents: {
        parameters: {
            query?: {
                /** @description The last sequence number that you have; -1 (the default) for all. */
                starting_after?: number;
                /** @description Rows a page. */
                limit?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; `next_cursor` is the next `starting_after`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "application/json": {
                        data: components["schemas"]["RunEvent"][];
                        has_more: boolean;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelSuperAgentRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUPER_AGENT_ACCESS_DENIED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppRuns: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string | null;
                status?: string;
                conversationId?: string;
                createdAfter?: string;
                createdBefore?: string;
                /** @description `metadata[key]=value`: only runs with each of these pairs. */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                appId: string;
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
                    "application/json": {
                        data: components["schemas"]["AppRun"][];
                        hasMore: boolean;
                        nextCursor: string | null;
                    };
                };
            };
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAppRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Kept for 24 hours: the same key and body start one run. */
                "Idempotency-Key"?: string;
            };
            path: {
                appId: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS` */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ACCOUNT_BLOCKED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `WORKSPACE_NOT_FOUND`, `CONVERSATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CONFLICT`, `IDEMPOTENCY_CONFLICT`, `CONVERSATION_BUSY` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                runId: string;
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
            /** @description `INVALID_INPUT` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTHENTICATION_REQUIRED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `RUN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL_ERROR` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SERVICE_UNAVAILABLE` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
