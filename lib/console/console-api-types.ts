// Generated from the document of the API. Never edit it; after a change of an operation run:
//   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
export interface paths {
    "/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account
         * @description Makes an account with its first user and the starting credits. Where mail is set up it is made when the address is proven by the mailed link, and the answer is the same for one that has an account.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an e-mail address by a mailed link
         * @description Makes the account of a sign-up, with its starting credits. The first proof of an account that was made before ends every key and session of it but this browser's. The link works once.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail another link to confirm the e-mail address
         * @description To the signed-in user's own address.
         */
        post: operations["requestEmailProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Ends every other session of the user; with `revoke_keys` every key of the account too.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a new password
         * @description Mails a link to choose a new password by, where the address has an account. The answer is the same where it has none.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password by a mailed link
         * @description Ends every session of the user. The link works once.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the user's sessions
         * @description Where the signed-in user is signed in, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session
         * @description Ends one session of the signed-in user.
         */
        post: operations["endSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all other sessions
         * @description Ends every session of the user but this one.
         */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out everywhere
         * @description Ends every session of the user, this one too.
         */
        post: operations["endSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The user's second factors
         * @description What the signed-in user has beside the password.
         */
        get: operations["getSecondFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin with an authenticator app
         * @description Gives what the app is to be told. It counts for nothing until a code of it has come back.
         */
        post: operations["beginTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use the authenticator app from now on
         * @description By a first code of it. Every other session of the user ends; recovery codes are given with the user's first second factor, once.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the authenticator app off
         * @description By a code of it, a recovery code or a passkey.
         */
        post: operations["removeTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/passkeys/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin with a passkey
         * @description Gives what the browser is to ask its authenticator.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a passkey
         * @description That the browser's authenticator made. Recovery codes are given with the user's first second factor, once.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description How the user calls it.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/second-factor/passkeys/{passkey_id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a passkey
         * @description By a code of the authenticator app, a recovery code or a passkey.
         */
        post: operations["removePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description Ten of them, shown once; those before are void.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/passkey-question": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a passkey
         * @description What the browser is to ask its authenticator, to sign in or to show that the user is there. It can be answered once, for five minutes.
         */
        post: operations["requestPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the user's name
         * @description How the signed-in user is called here; an empty name shows the e-mail address instead.
         */
        patch: operations["renameUser"];
        trace?: never;
    };
    "/notifications/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch mails of events on or off
         * @description Whether the signed-in user is mailed what happens in the account: calls that wait for approval, endpoints that were switched off. The end of a run that was started with `should_notify` is mailed all the same.
         */
        patch: operations["setEventMails"];
        trace?: never;
    };
    "/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account
         * @description With everything it owns, for good. Confirmed by the password, or where the user has none by the e-mail address. Keys, sessions and runs stop at once.
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description The account's keys without their secrets.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The key's text is in this answer and never shown again.
         *
         *     An account may have at most 100 keys that have neither expired nor been revoked; beyond that, 409 `CONFLICT`. Revoke one first.
         *
         *     An agent may have at most 20 app keys that have neither expired nor been revoked; beyond that, 409 `CONFLICT`. Revoke one first.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description The key stops working at once.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Makes a successor; the old key works `overlap_minutes` longer.
         *
         *     An account may have at most 100 keys that have neither expired nor been revoked; beyond that, 409 `CONFLICT`. Revoke one first.
         *
         *     An agent may have at most 20 app keys that have neither expired nor been revoked; beyond that, 409 `CONFLICT`. Revoke one first.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description The published list, with what is switched on in this deployment.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications
         * @description What runs with `should_notify` reported, newest first.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{notification_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a notification as read
         * @description Again changes nothing.
         */
        post: operations["readNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Marks the notification `up_to` and all older ones; what came since stays unread.
         */
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what waits for a person
         * @description Approvals to decide and unread notifications, each counted up to 100.
         */
        get: operations["getAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secret-uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where secrets are used
         * @description Each active agent whose connectors name a secret, and the hosts that they lead to.
         */
        get: operations["listSecretUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connection-uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which agents sign in where
         * @description Each active agent whose config signs in to an MCP server, whether or not the account has that connection.
         */
        get: operations["listConnectionUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish a sign-in at an MCP server
         * @description Takes the authorization server's answer from the browser of who began the sign-in, and leads to the page of connections.
         */
        get: operations["finishConnectionSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a link
         * @description Where the end user signs in who follows it, and for which account. It uses nothing up: programs look at links before people do.
         */
        post: operations["findSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in by a link
         * @description Uses up a link by which an end user signs in at an MCP server, and has this browser keep what the sign-in ends with.
         */
        post: operations["openSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every account
         * @description The service's accounts, newest first; for admins.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Puts an account on the super-agent's allowlist or takes it off, blocks it, gives it credits; for admins.
         */
        patch: operations["administerAccount"];
        trace?: never;
    };
    "/admin/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every invitation
         * @description Newest first; for admins.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Mails a link to make an account by. Where no mail could be sent, the link is in this answer and never shown again; for admins.
         */
        post: operations["inviteByEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/invitations/{invitation_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an invitation
         * @description Its link opens nothing any more; for admins.
         */
        post: operations["revokeInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened in the account
         * @description The account's audit log, newest first: who did what, when, from where, and what changed.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened in every account
         * @description The whole service's audit log, newest first; for admins.
         */
        get: operations["listAllAuditEvents"];
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
        /**
         * @description A model of the published list, as `provider/name`, or an alias that stands for the newest of its family, such as `anthropic/latest-sonnet`.
         * @enum {string}
         */
        ModelId: string;
        KnownModelId: "openai/gpt-6.1-sol" | "openai/gpt-6.1-terra" | "openai/gpt-6-luna" | "openai/gpt-6-astra" | "openai/gpt-6-sol" | "openai/gpt-5.6-sol" | "openai/gpt-5.6-terra" | "openai/gpt-5.6-luna" | "openai/gpt-5.5" | "openai/gpt-5.4" | "openai/gpt-5.4-mini" | "openai/gpt-5.4-nano" | "openai/gpt-5.2" | "openai/gpt-5.1" | "openai/gpt-5" | "openai/gpt-5-mini" | "openai/gpt-5-nano" | "openai/gpt-4.1" | "openai/gpt-4.1-mini" | "anthropic/claude-fable-5-2" | "anthropic/claude-fable-5-1" | "anthropic/claude-opus-5-5" | "anthropic/claude-sonnet-5-5" | "anthropic/claude-haiku-5-5" | "anthropic/claude-fable-5" | "anthropic/claude-opus-5" | "anthropic/claude-sonnet-5" | "anthropic/claude-opus-4-8" | "anthropic/claude-opus-4-7" | "anthropic/claude-opus-4-6" | "anthropic/claude-sonnet-4-6" | "anthropic/claude-haiku-4-5" | "anthropic/claude-opus-4-5" | "anthropic/claude-sonnet-4-5" | "google/gemini-4-carbon" | "google/gemini-4-argon" | "google/gemini-4-hydrogen" | "google/gemini-3.8-flash" | "google/gemini-3.7-flash" | "google/gemini-3.6-flash" | "google/gemini-3.5-flash" | "google/gemini-3.5-flash-lite" | "google/gemini-3.1-flash-lite" | "google/gemini-3.1-pro-preview" | "google/gemini-2.5-pro" | "google/gemini-2.5-flash" | "google/gemini-2.5-flash-lite" | "builtin/offline" | "openai/latest-sol" | "openai/latest-terra" | "openai/latest-luna" | "anthropic/latest-fable" | "anthropic/latest-opus" | "anthropic/latest-sonnet" | "anthropic/latest-haiku" | "google/latest-flash" | "google/latest-flash-lite";
        SessionPage: {
            data: components["schemas"]["Session"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Session: {
            /** Format: uuid */
            session_id: string;
            address: string;
            user_agent: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            expires_at: string;
            current: boolean;
        };
        Passkey: {
            /** Format: uuid */
            passkey_id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ApiKey: {
            /** Format: uuid */
            key_id: string;
            name: string;
            /** @enum {string} */
            kind: "account" | "app";
            /** Format: uuid */
            agent_id: string | null;
            agent_version: number | null;
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        CreatedApiKey: {
            /** Format: uuid */
            key_id: string;
            name: string;
            /** @enum {string} */
            kind: "account" | "app";
            /** Format: uuid */
            agent_id: string | null;
            agent_version: number | null;
            prefix: string;
            last_four: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            api_key: string;
        };
        ModelInfo: {
            model: components["schemas"]["ModelId"];
            provider: string;
            name: string;
            description: string;
            available: boolean;
            default: boolean;
            capabilities: string[];
            context_window: number;
            price: {
                input: number;
                output: number;
                unit: string;
            };
            /**
             * @description `ending`: its vendor ends it within sixty days; `gone`: it has.
             * @enum {string}
             */
            life: "active" | "ending" | "gone";
            /** @description The first day (UTC) on which its vendor no longer serves it. */
            retires: string | null;
            successor: string | null;
            /** @description Ids that stand for it now. */
            aliases: string[];
        };
        ConsoleNotificationPage: {
            data: components["schemas"]["ConsoleNotification"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        ConsoleNotification: {
            /** Format: uuid */
            notification_id: string;
            /** Format: uuid */
            run_id: string | null;
            /** @description Where in the console it is looked at; null: at its run. */
            path: string | null;
            run_kind: ("agent" | "agent_creation" | "agent_edit" | "super_agent" | "app") | null;
            agent_name: string | null;
            title: string;
            body: string;
            /** Format: date-time */
            read_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        SecretUse: {
            secret_name: string;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
            hosts: string[];
        };
        ConnectionUse: {
            server_url: string;
            /** Format: uuid */
            agent_id: string;
            agent_name: string;
        };
        /** @description What a link leads to; null: it is good no more. */
        FoundSignInLink: {
            link: {
                host: string;
                account_name: string;
            } | null;
        };
        /** @description Where this browser goes to sign in. */
        OpenedSignInLink: {
            authorization_url: string;
        };
        AdminAccountPage: {
            data: components["schemas"]["AdminAccount"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AdminAccount: {
            /** Format: uuid */
            account_id: string;
            name: string;
            email: string;
            admin: boolean;
            super_agent_access: boolean;
            blocked: boolean;
            credits: number;
            read_per_minute: number | null;
            runs_per_minute: number | null;
            write_per_hour: number | null;
            /** Format: date-time */
            created_at: string;
        };
        InvitationPage: {
            data: components["schemas"]["Invitation"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        Invitation: {
            /** Format: uuid */
            invitation_id: string;
            email: string;
            /** @enum {string} */
            status: "pending" | "accepted" | "revoked" | "expired";
            mailed: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        CreatedInvitation: {
            /** Format: uuid */
            invitation_id: string;
            email: string;
            /** @enum {string} */
            status: "pending" | "accepted" | "revoked" | "expired";
            mailed: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            link: string | null;
        };
        AuditEventPage: {
            data: components["schemas"]["AuditEvent"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AuditEvent: {
            /** Format: uuid */
            audit_event_id: string;
            action: string;
            actor: {
                /** @enum {string} */
                kind: "user" | "key" | "admin" | "operator" | "system" | "anonymous";
                /** Format: uuid */
                id: string | null;
                label: string | null;
            };
            address: string | null;
            user_agent: string | null;
            object: {
                kind: string;
                /** Format: uuid */
                id: string | null;
                label: string | null;
            } | null;
            changes: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
        };
        AdminAuditEventPage: {
            data: components["schemas"]["AdminAuditEvent"][];
            has_more: boolean;
            /** @description `cursor` of the next page; null on the last. */
            next_cursor: string | null;
        };
        AdminAuditEvent: {
            /** Format: uuid */
            audit_event_id: string;
            action: string;
            actor: {
                /** @enum {string} */
                kind: "user" | "key" | "admin" | "operator" | "system" | "anonymous";
                /** Format: uuid */
                id: string | null;
                label: string | null;
            };
            address: string | null;
            user_agent: string | null;
            object: {
                kind: string;
                /** Format: uuid */
                id: string | null;
                label: string | null;
            } | null;
            changes: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            account_id: string | null;
            account_email: string | null;
        };
    };
    responses: never;
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
        passkey_id: string;
        key_id: string;
        action: "account.created" | "account.deletion_requested" | "account.deleted" | "account.displaced" | "account.renamed" | "account.blocked" | "account.unblocked" | "account.limits_changed" | "admin.granted" | "admin.removed" | "super_agent.allowed" | "super_agent.denied" | "credits.added" | "credits.set" | "sign_in.succeeded" | "sign_in.failed" | "sign_in.locked" | "session.signed_out" | "session.ended" | "session.others_ended" | "session.all_ended" | "email.proven" | "password.changed" | "password.reset" | "password.reset_by_mail" | "second_factor.added" | "second_factor.removed" | "second_factor.codes_renewed" | "second_factor.reset" | "invitation.created" | "invitation.revoked" | "key.created" | "key.rotated" | "key.revoked" | "secret.created" | "secret.updated" | "secret.deleted" | "connection.created" | "connection.signed_in" | "connection.deleted" | "webhook_secret.shown" | "webhook_secret.rotated" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.disabled" | "approval.approved" | "approval.rejected" | "approval.forgotten" | "agent.autonomy_changed" | "agent.permissions_changed" | "run.limit_raised" | "run.deleted" | "artifact.deleted" | "end_user.limits_changed" | "end_user.erasure_requested" | "end_user.erased" | "key_ring.rotated";
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    name?: string;
                    invitation?: string;
                };
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        account_id: string;
                        email: string;
                    };
                };
            };
            /** @description A mail to this address says how to go on. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                    };
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Confirmed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                    };
                };
            };
        };
    };
    requestEmailProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mail is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                    revoke_keys?: boolean;
                };
            };
        };
        responses: {
            /** @description Changed; this session goes on. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description If there is such an account, a mail is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Set; sign in with it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
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
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended; this session goes on. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended; sign in again. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The second factors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totp: boolean;
                        passkeys: components["schemas"]["Passkey"][];
                        recovery_codes_left: number;
                        takes_passkeys: boolean;
                        missing: boolean;
                    };
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description For the app. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        uri: string;
                        secret: string;
                    };
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description In use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                    };
                };
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                } | {
                    passkey: {
                        /** Format: uuid */
                        challenge_id: string;
                        response: {
                            id: string;
                            rawId: string;
                            /** @constant */
                            type: "public-key";
                            response: {
                                clientDataJSON: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @default {} */
                            clientExtensionResults?: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Turned off. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description For the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        challenge_id: string;
                        options: {
                            challenge: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    challenge_id: string;
                    name: string;
                    response: {
                        id: string;
                        rawId: string;
                        /** @constant */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @default {} */
                        clientExtensionResults?: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Kept. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                        passkey: components["schemas"]["Passkey"];
                    };
                };
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: components["parameters"]["passkey_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Renamed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: components["parameters"]["passkey_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                } | {
                    passkey: {
                        /** Format: uuid */
                        challenge_id: string;
                        response: {
                            id: string;
                            rawId: string;
                            /** @constant */
                            type: "public-key";
                            response: {
                                clientDataJSON: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @default {} */
                            clientExtensionResults?: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                } | {
                    passkey: {
                        /** Format: uuid */
                        challenge_id: string;
                        response: {
                            id: string;
                            rawId: string;
                            /** @constant */
                            type: "public-key";
                            response: {
                                clientDataJSON: string;
                            } & {
                                [key: string]: unknown;
                            };
                            /** @default {} */
                            clientExtensionResults?: {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                    };
                };
            };
        };
    };
    requestPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For the browser. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        challenge_id: string;
                        options: {
                            challenge: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    renameUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setEventMails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event_mails: boolean;
                };
            };
        };
        responses: {
            /** @description Kept. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    email?: string;
                };
            };
        };
        responses: {
            /** @description It is being deleted; every session has ended. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only the app keys of this agent.
                 * @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001
                 */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** Format: uuid */
                    agent_id?: string | null;
                    version?: (string | number) | null;
                    expires_in_days?: number | null;
                };
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: components["parameters"]["key_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: components["parameters"]["key_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    overlap_minutes: number;
                };
            };
        };
        responses: {
            /** @description The successor. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelInfo"][];
                        default_model: string;
                    };
                };
            };
        };
    };
    listNotifications: {
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
            /** @description A page of notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleNotificationPage"];
                };
            };
        };
    };
    readNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    up_to: string;
                };
            };
        };
        responses: {
            /** @description Read. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pending_approvals: number;
                        unread_notifications: number;
                    };
                };
            };
        };
    };
    listSecretUses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SecretUse"][];
                    };
                };
            };
        };
    };
    listConnectionUses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectionUse"][];
                    };
                };
            };
        };
    };
    finishConnectionSignIn: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                error?: string;
                error_description?: string;
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    findSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    link: string;
                };
            };
        };
        responses: {
            /** @description What it leads to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundSignInLink"];
                };
            };
        };
    };
    openSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    link: string;
                };
            };
        };
        responses: {
            /** @description Where to sign in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedSignInLink"];
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                /** @description A part of the e-mail address. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountPage"];
                };
            };
        };
    };
    administerAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0013 */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    super_agent_access?: boolean;
                    blocked?: boolean;
                    /** @description The most that this run may cost, in credits. */
                    add_credits?: number;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccount"];
                };
            };
        };
    };
    listInvitations: {
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
            /** @description A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    inviteByEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                action?: components["parameters"]["action"];
                created_after?: string;
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
        };
    };
    listAllAuditEvents: {
        parameters: {
            query?: {
                /** @description Rows a page. */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
                action?: components["parameters"]["action"];
                created_after?: string;
                created_before?: string;
                /** @example 01939d3b-7c1a-7b60-9f5e-3f7a2c1d0013 */
                account_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditEventPage"];
                };
            };
        };
    };
}
