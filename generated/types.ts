// Generated from spec/ by `npm run generate`. Do not edit.

export interface paths {
    "/auth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key for tokens
         * @description Returns an access token and a refresh token for an API key and its secret. The tokens act as the key's user, and the exchange counts as that user's sign-in. `Idempotency-Key` is ignored: each exchange returns new tokens. Organization tokens are preferred, because they need no exchange.
         */
        post: operations["exchangeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the tokens
         * @description Returns a new access token and a new refresh token, and uses up the given refresh token. It can be used again for 10 seconds, in case the response was lost. Later reuse revokes all tokens from the same exchange. Refresh tokens are valid until 30 days after the exchange, and for 7 days without use.
         */
        post: operations["refreshTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/webhooks/key/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the key, equal to the `kid` in a webhook's JWS header.
                 * @example d4c3b2a1-0f9e-4d8c-b7a6-5948372615f1
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook public key
         * @description Returns the public key that verifies webhooks with this `kid` in their JWS header. No token is needed, and the key can be cached. A retired key is served until all signatures made with it have expired.
         */
        get: operations["getWebhookKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cases
         * @description Returns the cases of the workspaces in which the caller has `can_view_workspace`, in order of creation. A case is what a single-use link is created for. Any valid token can call this operation; the list may be empty.
         */
        get: operations["listCases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a single-use link
         * @description Returns a link with which a person can start the workflow for the case, once, within 7 days. Opening the link only shows a page; confirming on that page uses up the link. The platform does not store the link, so only this response contains it.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/link/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create and email a single-use link
         * @description Creates a link like `POST /link` and emails it to the case's contact. The email is stored with the link and sent in the background, with retries. A contact receives at most 10 links per hour.
         */
        post: operations["sendLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's roles
         * @description Returns the roles that users can have in the organization, in order of creation.
         */
        get: operations["listOrganizationRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users
         * @description Returns one page of the organization's users, including terminated users, in order of creation. There is no [search](#/get-access).
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        /**
         * Get a user
         * @description Returns a user with its profile.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users/{userId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a user's profile
         * @description Replaces the first name, last name or title, or several of them. An absent field keeps its value. The title may be empty, names may not. Names can use any script.
         */
        put: operations["updateUserProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users/{userId}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reinstate a terminated user
         * @description Makes a terminated user active again, with the given role. `lastSignedInAt` is null until the next sign-in. Only an owner can reinstate a user who was or becomes an owner; only an owner or admin can reinstate a user who was or becomes an admin.
         */
        post: operations["reinstateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users/{userId}/reset-mfa": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a user's second factors
         * @description Removes the user's enrolled second factors, and immediately revokes the user's refresh tokens and the access tokens made from them. The identity provider is notified in the background. The response is the same for a user without factors. Only an owner can reset the factors of an owner; only an owner or admin can reset those of an admin.
         */
        post: operations["resetUserMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a user's organization role
         * @description Changes the user's role in the organization. The last active owner must stay owner. Only an owner can change the role of an owner or make someone an owner. Only an owner or admin can change the role of an admin. Other callers can only assign the role `member`, and only to members.
         */
        put: operations["changeUserRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/users/{userId}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Terminate a user
         * @description Revokes the user's access immediately: tokens, API keys, access and refresh tokens stop working, and reinstatement does not restore them. Terminating a terminated user changes nothing and returns the same response. Only an owner can terminate an owner; only an owner or admin can terminate an admin.
         */
        post: operations["terminateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces
         * @description Returns the workspaces in which the caller has `can_view_workspace`, in order of creation. Any valid token can call this operation; the list may be empty.
         */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/workspaces/{workspaceId}/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workspace.
                 * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List all members of a workspace
         * @description Returns the workspace's direct memberships, and the memberships that the organization's owners and admins inherit in every workspace. Both lists are in order of creation. A user can be in both.
         */
        get: operations["listMemberships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/workspaces/{workspaceId}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workspace.
                 * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List a workspace's roles
         * @description Returns the roles that members of the workspace can have, with their permissions, in order of creation.
         */
        get: operations["listWorkspaceRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a parameter set
         * @description Stores parameters of a workflow definition for single-use links. They are stored unchanged, and validated against the definition's input schema when a link is created with them and when a person starts the workflow with it. The caller needs the permission on the definition's workspace.
         */
        post: operations["createParameterSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/parameters/{parametersId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the parameter set.
                 * @example 8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101
                 */
                parametersId: components["parameters"]["ParametersId"];
            };
            cookie?: never;
        };
        /**
         * Get a parameter set
         * @description Returns a stored parameter set. The caller needs the permission on the workspace of its definition. The status of a successful response is 201, although nothing is created.
         */
        get: operations["getParameterSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description Stores a file in the token's home workspace, where the caller needs the permission. The name and media type come from the `file` part; without a media type, the file is stored as `application/octet-stream`. Uploads have a separate rate limit. Default: 60 per minute.
         */
        post: operations["uploadResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/resources/{resourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the resource.
                 * @example c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01
                 */
                resourceId: components["parameters"]["ResourceId"];
            };
            cookie?: never;
        };
        /**
         * Download a file
         * @description Returns the file with its media type. The caller needs the permission on the workspace of the resource. The file of a resource never changes: revalidate a cached copy with `If-None-Match`, and resume an interrupted download with `Range`.
         */
        get: operations["downloadResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables
         * @description Returns the tables on which the caller has `can_view_workspace`, which a role can grant on the table, its workspace or the organization, in order of creation. Any valid token can call this operation; the list may be empty.
         */
        get: operations["listTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables/{tableId}/records": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the table.
                 * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
                 */
                tableId: components["parameters"]["TableId"];
            };
            cookie?: never;
        };
        /**
         * List a table's records
         * @description Returns the records of a table, in order of creation.
         */
        get: operations["listRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables/{tableId}/records/{recordId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the record.
                 * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
                 */
                recordId: components["parameters"]["RecordId"];
                /**
                 * @description Identifier of the table.
                 * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
                 */
                tableId: components["parameters"]["TableId"];
            };
            cookie?: never;
        };
        /**
         * List a record's attachments
         * @description Returns all attachments of the record in order of creation. The caller needs the permission on the table.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach a file to a record
         * @description Stores a file with the record, with optional tags. A record has at most 10,000 attachments. The caller needs the permission on the table. The name and media type come from the `file` part; without a media type, the file is stored as `application/octet-stream`. Uploads have a separate rate limit. Default: 60 per minute.
         */
        post: operations["createAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tables/{tableId}/records/{recordId}/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the attachment.
                 * @example e1d2c3b4-a596-4788-8c6b-5f4e3d2c1b01
                 */
                attachmentId: components["parameters"]["AttachmentId"];
                /**
                 * @description Identifier of the record.
                 * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
                 */
                recordId: components["parameters"]["RecordId"];
                /**
                 * @description Identifier of the table.
                 * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
                 */
                tableId: components["parameters"]["TableId"];
            };
            cookie?: never;
        };
        /**
         * Get a signed URL
         * @description Returns a signed URL that gives access to the file without a token. Default validity: 15 minutes. Deleting the attachment invalidates it immediately. The caller needs the permission on the table.
         */
        get: operations["getAttachmentLink"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description Permanently deletes the attachment and its file. Its signed URLs stop working immediately. The caller needs the permission on the table.
         */
        delete: operations["deleteAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll for events (sandbox only)
         * @description Returns the events of your organization in the order in which the platform records them, each with the headers and the body of its webhook, signed when you fetch it. `npx wrp-listen` uses it to forward events to your machine. Start without `cursor`, then send the `nextCursor` of each response as the `cursor` of the next request, also after a failed request: you get every event of the last 24 hours at least once. Only the sandbox has this operation; production returns 403 `sandbox_only`.
         */
        get: operations["pollWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflow definitions
         * @description Returns the workflow definitions that the caller can start: those of the workspaces in which it has `can_view_workspace`, in order of creation. Each has the input schema that the parameters of an execution must match. Any valid token can call this operation; the list may be empty.
         */
        get: operations["listWorkflowDefinitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflow executions
         * @description Returns the executions of the workspaces in which the caller has `can_view_workspace`, newest first, without their parameters and display hints. Any valid token can call this operation; the list may be empty.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Start a workflow
         * @description Starts an execution of a workflow definition and returns it immediately with the status `RUNNING`. Its steps run in the background. The caller needs the permission on the definition's workspace.
         */
        post: operations["startWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workflow execution.
                 * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
                 */
                workflowId: components["parameters"]["WorkflowId"];
            };
            cookie?: never;
        };
        /**
         * Get a workflow execution
         * @description Returns the current state of the execution. `executionVersion` increases with each change, so you can order two responses.
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workflow execution.
                 * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c04
                 */
                workflowId: components["parameters"]["RunningWorkflowId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a workflow execution
         * @description Cancels a running execution: its status becomes `CANCELLED`, and no further steps start. Cancelling a cancelled execution changes nothing and returns the same response. An execution that ended otherwise does not change.
         */
        post: operations["cancelWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workflow execution.
                 * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
                 */
                workflowId: components["parameters"]["WorkflowId"];
            };
            cookie?: never;
        };
        /**
         * List the history of a workflow execution
         * @description Returns what the execution has done so far, oldest first: each state with its input, result, assigned variables
         *     and output, and each attempt with its error. It is complete when the execution has ended, and deleted 30 days
         *     later, as the result is. A page may have fewer entries than `size` although there is a next page.
         *
         *     The end of an execution has no entry: its `status` says how it ended. The history of a cancelled or expired
         *     execution ends with what it did last.
         *
         *     To follow a running execution, request the last page, which has no `nextCursor`, again with the same `cursor`,
         *     and ignore entries whose `id` you know. While branches run in parallel, an entry can appear a moment after one
         *     that follows it: for a complete copy, list the history again once the execution has ended.
         *
         *     `can_view_workspace` is not enough: the history has what results leave out, such as the requests to other
         *     systems and their responses. Owners and admins have `can_view_history`; members need a role that the operator
         *     declares. Secrets are replaced by `[redacted]`.
         */
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workflow execution.
                 * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
                 */
                workflowId: components["parameters"]["WorkflowId"];
            };
            cookie?: never;
        };
        /**
         * Get the result of a workflow execution
         * @description Returns the result of a completed execution, for 30 days after its end. A result of up to 9,000,000 bytes is the response body, as `application/json`. For a larger result, the body is a redirect object with the media type `application/vnd.wrp.result-redirect+json`. Use the `Content-Type` to distinguish them, because a result can have any fields.
         */
        get: operations["getWorkflowResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspaceId}/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the workspace.
                 * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List a workspace's direct memberships
         * @description Returns the memberships granted in this workspace, in order of creation.
         */
        get: operations["listDirectMemberships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspaceId}/memberships/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the user.
                 * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
                 */
                userId: components["parameters"]["UserId"];
                /**
                 * @description Identifier of the workspace.
                 * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member or change the member's role
         * @description Grants the user a role in the workspace, or replaces the user's current role. The `userId` in the body must equal the one in the path. If the new or the current role has permissions on the organization or another workspace, the caller must hold those permissions there.
         */
        put: operations["setMembership"];
        post?: never;
        /**
         * Remove a member
         * @description Removes the user's direct membership. Memberships inherited by owners and admins remain. If its role has permissions on the organization or another workspace, the caller must hold those permissions there.
         */
        delete: operations["removeMembership"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "attachment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A file was attached to a record
         * @description Sent when the file is stored. Get a signed URL for it with `GET /tables/{tableId}/records/{recordId}/attachments/{attachmentId}`.
         */
        post: operations["onAttachmentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "attachment.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An attachment was deleted
         * @description The file is deleted, and its signed URLs no longer work.
         */
        post: operations["onAttachmentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A single-use link was created
         * @description The event does not contain the link's URL.
         */
        post: operations["onLinkCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A single-use link was emailed
         * @description Sent when the mail server has accepted the email to the case's contact.
         */
        post: operations["onLinkSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.used": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A single-use link was used
         * @description A person confirmed on the link's page, and the workflow started. Opening the page sends no event.
         */
        post: operations["onLinkUsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "membership.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A membership was removed
         * @description The user no longer has a direct membership in the workspace.
         */
        post: operations["onMembershipRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "membership.set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A membership was added or changed
         * @description Sent when a user receives a new role in a workspace.
         */
        post: operations["onMembershipSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "parameters.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A parameter set was stored
         * @description The event does not contain the parameters. Get them with `GET /parameters/{parametersId}`.
         */
        post: operations["onParametersCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "resource.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A file resource was created
         * @description Sent for uploads and for files created by workflows.
         */
        post: operations["onResourceCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.mfa_reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user's second factors were reset
         * @description The enrolled factors are removed, and the user's refresh tokens are revoked.
         */
        post: operations["onUserMfaReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.reinstated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was reinstated
         * @description The user is active again with the role in the event. Former credentials stay revoked.
         */
        post: operations["onUserReinstated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.role_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user's organization role changed
         * @description Sent when `PUT /organizations/users/{userId}/role` changes the role.
         */
        post: operations["onUserRoleChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.terminated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was terminated
         * @description The user and the user's credentials no longer have access.
         */
        post: operations["onUserTerminated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user's profile changed
         * @description Sent when `PUT /organizations/users/{userId}/profile` replaces the profile.
         */
        post: operations["onUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow was cancelled
         * @description Sent once for each execution cancelled by a caller.
         */
        post: operations["onWorkflowCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow completed
         * @description Get the result with `GET /workflows/{workflowId}/result`.
         */
        post: operations["onWorkflowCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow expired
         * @description The execution was still running when `expiresAt` passed.
         */
        post: operations["onWorkflowExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow failed
         * @description A step failed, and the definition does not catch the error.
         */
        post: operations["onWorkflowFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A workflow was started
         * @description Sent once for each execution, whether started by the API or a link.
         */
        post: operations["onWorkflowStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ApiKeyCredentials: ApiKeyCredentials;
        Attachment: Attachment;
        AttachmentCreated: AttachmentCreated;
        AttachmentCreatedEventData: AttachmentCreatedEventData;
        AttachmentDeleted: AttachmentDeleted;
        AttachmentDeletedEventData: AttachmentDeletedEventData;
        AttachmentForm: AttachmentForm;
        AttachmentLink: AttachmentLink;
        Case: Case;
        CasePage: CasePage;
        Cursor: Cursor;
        DateTime: DateTime;
        DefinitionName: DefinitionName;
        DefinitionRevision: DefinitionRevision;
        Error: Error;
        ErrorCode: ErrorCode;
        ErrorItem: ErrorItem;
        EventBatch: EventBatch;
        EventId: EventId;
        ExecutionFailure: ExecutionFailure;
        ExecutionOrigin: ExecutionOrigin;
        ExecutionParameters: ExecutionParameters;
        ExecutionStatus: ExecutionStatus;
        ExecutionType: ExecutionType;
        ExecutionVersion: ExecutionVersion;
        FileContent: FileContent;
        FileName: FileName;
        HistoryEntryType: HistoryEntryType;
        HistoryJson: HistoryJson;
        HistoryValue: HistoryValue;
        InheritedMembership: InheritedMembership;
        InputSchema: InputSchema;
        JobTitle: JobTitle;
        LinkCreated: LinkCreated;
        LinkCreatedEventData: LinkCreatedEventData;
        LinkRequest: LinkRequest;
        LinkSent: LinkSent;
        LinkSentEventData: LinkSentEventData;
        LinkUsed: LinkUsed;
        LinkUsedEventData: LinkUsedEventData;
        Locale: Locale;
        MediaType: MediaType;
        Membership: Membership;
        MembershipChoice: MembershipChoice;
        MembershipRemoved: MembershipRemoved;
        MembershipRemovedEventData: MembershipRemovedEventData;
        MembershipRole: MembershipRole;
        MembershipSet: MembershipSet;
        MembershipSetEventData: MembershipSetEventData;
        NewParameterSet: NewParameterSet;
        OrganizationRole: OrganizationRole;
        OrganizationRoleChoice: OrganizationRoleChoice;
        OrganizationRoleName: OrganizationRoleName;
        ParametersCreated: ParametersCreated;
        ParametersCreatedEventData: ParametersCreatedEventData;
        ParameterSet: ParameterSet;
        ParameterSetRequest: ParameterSetRequest;
        ParametersValue: ParametersValue;
        PersonName: PersonName;
        Profile: Profile;
        ProfileUpdate: ProfileUpdate;
        RecordPage: RecordPage;
        Resource: Resource;
        ResourceCreated: ResourceCreated;
        ResourceCreatedEventData: ResourceCreatedEventData;
        ResourceForm: ResourceForm;
        ResultRedirect: ResultRedirect;
        RolePermission: RolePermission;
        SignedEvent: SignedEvent;
        SignedEventHeaders: SignedEventHeaders;
        Table: Table;
        TablePage: TablePage;
        TableRecord: TableRecord;
        Tag: Tag;
        Tags: Tags;
        TokenRefresh: TokenRefresh;
        Tokens: Tokens;
        UiOptions: UiOptions;
        User: User;
        UserMfaReset: UserMfaReset;
        UserMfaResetEventData: UserMfaResetEventData;
        UserPage: UserPage;
        UserReinstated: UserReinstated;
        UserReinstatedEventData: UserReinstatedEventData;
        UserRoleChanged: UserRoleChanged;
        UserRoleChangedEventData: UserRoleChangedEventData;
        UserStatus: UserStatus;
        UserTerminated: UserTerminated;
        UserTerminatedEventData: UserTerminatedEventData;
        UserUpdated: UserUpdated;
        UserUpdatedEventData: UserUpdatedEventData;
        Uuid: Uuid;
        WebhookKeyDer: WebhookKeyDer;
        WebhookKeyPem: WebhookKeyPem;
        WorkflowCancelled: WorkflowCancelled;
        WorkflowCompleted: WorkflowCompleted;
        WorkflowDefinition: WorkflowDefinition;
        WorkflowDefinitionPage: WorkflowDefinitionPage;
        WorkflowEventData: WorkflowEventData;
        WorkflowExecution: WorkflowExecution;
        WorkflowExecutionPage: WorkflowExecutionPage;
        WorkflowExecutionSummary: WorkflowExecutionSummary;
        WorkflowExpired: WorkflowExpired;
        WorkflowFailed: WorkflowFailed;
        WorkflowFailedEventData: WorkflowFailedEventData;
        WorkflowHistoryEntry: WorkflowHistoryEntry;
        WorkflowHistoryPage: WorkflowHistoryPage;
        WorkflowLink: WorkflowLink;
        WorkflowResult: WorkflowResult;
        WorkflowStart: WorkflowStart;
        WorkflowStarted: WorkflowStarted;
        Workspace: Workspace;
        WorkspaceMemberships: WorkspaceMemberships;
        WorkspaceRole: WorkspaceRole;
        WorkspaceRoleName: WorkspaceRoleName;
        WorkspaceRoleType: WorkspaceRoleType;
        WorkspaceType: WorkspaceType;
    };
    responses: {
        /** @description No such table, record or attachment in the organization. */
        AttachmentNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        BodyTooLarge: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The receiver wants no more events, and the platform stops delivering to this endpoint. After any other response, or none, it retries the delivery. */
        EventsUnwanted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver accepted the event. The response body is ignored. */
        EventTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No such workflow execution in the organization. */
        ExecutionNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file exceeds the size limit (default: 100 MiB) or the organization's storage quota. */
        FileTooLarge: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller does not have the permission on the object. */
        Forbidden: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller does not have the permission on the object, or the change exceeds the caller's own permissions. */
        ForbiddenChange: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A request with this `Idempotency-Key` is still in progress. */
        IdempotencyConflict: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` was already used for a different request. */
        IdempotencyMismatch: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An internal error. */
        InternalError: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is invalid. */
        InvalidAuthRequest: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A path, query or header parameter is invalid. */
        InvalidParameters: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is invalid. */
        InvalidRequest: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such workspace in the organization, or the user has no direct membership in it. */
        MembershipNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such parameter set in the organization. */
        ParametersNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The object has another version than those in `If-Match`. Nothing was changed. */
        PreconditionFailed: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such table or record in the organization. */
        RecordNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body stalled. Default timeout: 30 seconds. */
        RequestTimeout: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such resource in the organization. */
        ResourceNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The platform is temporarily unavailable. Retry later. */
        ServiceUnavailable: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description Seconds to wait before a retry.
                 * @example 1
                 */
                "Retry-After": number;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such table in the organization. */
        TableNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rate limit is exceeded, or the credentials are invalid and there were too many invalid attempts from this IP address. */
        TooManyRequests: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description Seconds to wait before a retry.
                 * @example 1
                 */
                "Retry-After": number;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is missing, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description The accepted authentication scheme (RFC 9110).
                 * @example Bearer realm="Workflow and Records Platform"
                 */
                "WWW-Authenticate": string;
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The operation does not support this `Content-Type`, or the body has a `Content-Encoding`. */
        UnsupportedContentType: {
            headers: {
                "Accept-Encoding": components["headers"]["AcceptEncoding"];
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A service that the platform depends on is unavailable. */
        UpstreamUnavailable: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such user in the organization. */
        UserNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such workflow definition in the organization. */
        WorkflowDefinitionNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such workspace in the organization. */
        WorkspaceNotFound: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifier of the attachment.
         * @example e1d2c3b4-a596-4788-8c6b-5f4e3d2c1b01
         */
        AttachmentId: string;
        /**
         * @description Returns only executions that started at this time or later. RFC 3339 with an offset or `Z`.
         * @example 2026-11-19T00:00:00Z
         */
        CreatedSinceFilter: string;
        /**
         * @description Returns only executions that started before this time. RFC 3339 with an offset or `Z`.
         * @example 2026-11-20T00:00:00Z
         */
        CreatedUntilFilter: string;
        /**
         * @description Returns only the executions of this workflow definition.
         * @example 4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a05
         */
        DefinitionFilter: components["schemas"]["Uuid"];
        /**
         * @description Returns only executions that failed with this error, the `failure.error` of the execution.
         * @example Claims.Refused
         */
        ErrorFilter: string;
        /**
         * @description Maximum number of events in the response.
         * @example 20
         */
        EventBatchSize: number;
        /**
         * @description The `nextCursor` of an earlier response, or the ID of an event: returns the events after it. The nil UUID (`00000000-0000-0000-0000-000000000000`) is before the first event. Events older than 24 hours are skipped.
         * @example 00000000-0000-0000-0000-000000000000
         */
        EventCursor: components["schemas"]["Uuid"];
        /**
         * @description Returns only this event, if it is not older than 24 hours, for example to send it again.
         * @example 5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a06
         */
        EventFilter: components["schemas"]["Uuid"];
        /**
         * @description Starts this number of seconds ago, at most 24 hours; ignored with `cursor`. Without both, the response has no events, only a `nextCursor` to continue from now.
         * @example 3600
         */
        EventsSince: number;
        /**
         * @description If there is no new event, the response waits for one, for at most this number of seconds. It may be earlier, for example if the platform restarts.
         * @example 1
         */
        EventWait: number;
        /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
        IdempotencyKey: string;
        /**
         * @description Prevents lost updates: the `ETag` of the version that you read, or several, separated by commas, or `*` for any version (RFC 9110). If none of them is current, the response is 412 `precondition_failed` and nothing changes. Without this header, the last change wins.
         * @example *
         */
        IfMatch: string;
        /**
         * @description One or more `ETag` values of your copies, separated by commas, or `*` (RFC 9110). If one of them is current, the response is 304 without a body.
         * @example "nokxx4GtoW4hCAPfEfq-pYUKYPgEQuCHBinElO7PbFk"
         */
        IfNoneMatch: string;
        /**
         * @description Identifier of the key, equal to the `kid` in a webhook's JWS header.
         * @example d4c3b2a1-0f9e-4d8c-b7a6-5948372615f1
         */
        KeyId: string;
        /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
        ListCursor: components["schemas"]["Cursor"];
        /**
         * @description Returns only entries with exactly this name.
         * @example Claims
         */
        NameFilter: string;
        /**
         * @description Page number, counted from 0.
         * @example 0
         */
        Page: number;
        /**
         * @description Number of entries per page.
         * @example 20
         */
        PageSize: number;
        /**
         * @description Identifier of the parameter set.
         * @example 8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101
         */
        ParametersId: string;
        /**
         * @description The format of the key: `true` for PEM, `false` for one line of base64 (DER-encoded SubjectPublicKeyInfo).
         * @example false
         */
        Pem: boolean;
        /**
         * @description Requests a part of the file (RFC 9110): one range of bytes, for example `bytes=0-1023`, `bytes=1024-` or `bytes=-500` for the last 500. For multiple ranges or another unit, the response is the whole file.
         * @example bytes=0-7
         */
        Range: string;
        /**
         * @description Returns only executions about this record.
         * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
         */
        RecordFilter: components["schemas"]["Uuid"];
        /**
         * @description Identifier of the record.
         * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
         */
        RecordId: string;
        /**
         * @description Identifier of the resource.
         * @example c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01
         */
        ResourceId: string;
        /**
         * @description Identifier of the workflow execution.
         * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c04
         */
        RunningWorkflowId: string;
        /**
         * @description Returns only executions with this status.
         * @example FAILED
         */
        StatusFilter: components["schemas"]["ExecutionStatus"];
        /**
         * @description Identifier of the table.
         * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
         */
        TableId: string;
        /**
         * @description Identifier of the user.
         * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
         */
        UserId: string;
        /**
         * @description One or more `ETag` values of your copies, separated by commas, or `*` (RFC 9110). If one of them is current, the response is 304 without a body.
         * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
         */
        UserIfNoneMatch: string;
        /**
         * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
         * @example true
         */
        WebhookSandbox: "true";
        /**
         * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
         * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
         */
        WebhookSignature: string;
        /**
         * @description Identifier of the workflow execution.
         * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
         */
        WorkflowId: string;
        /**
         * @description Returns only the entries of this workspace.
         * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
         */
        WorkspaceFilter: components["schemas"]["Uuid"];
        /**
         * @description Identifier of the workspace.
         * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
         */
        WorkspaceId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Sent if the body has a `Content-Encoding`; only bodies without one are accepted (RFC 9110, 15.5.16).
         * @example identity
         */
        AcceptEncoding: "identity";
        /**
         * @description The file supports range requests.
         * @example bytes
         */
        AcceptRanges: "bytes";
        /**
         * @description Prevents caches from storing the response (RFC 9111).
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description Always `attachment`, with the file name (RFC 6266, and RFC 8187 for any script).
         * @example attachment; filename="policy-terms.pdf"; filename*=UTF-8''policy-terms.pdf
         */
        ContentDisposition: string;
        /**
         * @description The range of bytes, and the size of the file.
         * @example bytes 0-7/636
         */
        ContentRange: string;
        /**
         * @description Prevents browsers from running the file's content.
         * @example sandbox
         */
        ContentSecurityPolicy: "sandbox";
        /**
         * @description When the authentication method was deprecated (RFC 9745). Sent if the caller uses the legacy JWT.
         * @example @1793491200
         */
        Deprecation: string;
        /**
         * @description The page that explains the migration (RFC 8288). Sent if the caller uses the legacy JWT.
         * @example </docs/versioning>; rel="deprecation"; type="text/html"
         */
        DeprecationLink: string;
        /**
         * @description Identifies the content of the file (RFC 9110). Send it back in `If-None-Match`.
         * @example "nokxx4GtoW4hCAPfEfq-pYUKYPgEQuCHBinElO7PbFk"
         */
        ETag: string;
        /**
         * @description Only the caller may store the file, and revalidates it with `If-None-Match` before each use.
         * @example private, no-cache
         */
        FileCacheControl: "private, no-cache";
        /**
         * @description `true` if this is the stored response to an earlier request with the same `Idempotency-Key`; absent otherwise.
         * @example true
         */
        IdempotencyReplayed: "true";
        /**
         * @description How long the key can be cached. A key never changes under the same ID.
         * @example public, max-age=3600
         */
        KeyCacheControl: string;
        /**
         * @description The remaining rate limit per policy: `r` requests for the next `t` seconds (IETF draft-ietf-httpapi-ratelimit-headers).
         * @example "requests";r=598;t=41
         */
        RateLimit: string;
        /**
         * @description The rate limit: `q` requests in a window of `w` seconds.
         * @example "requests";q=600;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
         * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
         */
        RequestId: string;
        /**
         * @description Seconds to wait before a retry.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description Browsers use only https for this host (RFC 6797). Sent if the platform is served over https.
         * @example max-age=31536000
         */
        StrictTransportSecurity: string;
        /**
         * @description When the authentication method stops working (RFC 8594). Sent if the caller uses the legacy JWT.
         * @example Mon, 01 Nov 2027 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description The size of the file.
         * @example bytes *\/636
         */
        UnsatisfiedContentRange: string;
        /**
         * @description Identifies this version of the user, for `If-Match` and `If-None-Match` (RFC 9110).
         * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
         */
        UserETag: string;
        /**
         * @description Caches keep responses to different origins apart.
         * @example Origin
         */
        Vary: "Origin";
        /**
         * @description The accepted authentication scheme (RFC 9110).
         * @example Bearer realm="Workflow and Records Platform"
         */
        WwwAuthenticate: string;
        /**
         * @description Prevents browsers from guessing the media type.
         * @example nosniff
         */
        XContentTypeOptions: "nosniff";
    };
    pathItems: never;
}
export interface operations {
    exchangeApiKey: exchangeApiKey;
    refreshTokens: refreshTokens;
    getWebhookKey: getWebhookKey;
    listCases: listCases;
    createLink: createLink;
    sendLink: sendLink;
    listOrganizationRoles: listOrganizationRoles;
    listUsers: listUsers;
    getUser: getUser;
    updateUserProfile: updateUserProfile;
    reinstateUser: reinstateUser;
    resetUserMfa: resetUserMfa;
    changeUserRole: changeUserRole;
    terminateUser: terminateUser;
    listWorkspaces: listWorkspaces;
    listMemberships: listMemberships;
    listWorkspaceRoles: listWorkspaceRoles;
    createParameterSet: createParameterSet;
    getParameterSet: getParameterSet;
    uploadResource: uploadResource;
    downloadResource: downloadResource;
    listTables: listTables;
    listRecords: listRecords;
    listAttachments: listAttachments;
    createAttachment: createAttachment;
    getAttachmentLink: getAttachmentLink;
    deleteAttachment: deleteAttachment;
    pollWebhookEvents: pollWebhookEvents;
    listWorkflowDefinitions: listWorkflowDefinitions;
    listWorkflows: listWorkflows;
    startWorkflow: startWorkflow;
    getWorkflow: getWorkflow;
    cancelWorkflow: cancelWorkflow;
    listHistory: listHistory;
    getWorkflowResult: getWorkflowResult;
    listDirectMemberships: listDirectMemberships;
    setMembership: setMembership;
    removeMembership: removeMembership;
    onAttachmentCreated: onAttachmentCreated;
    onAttachmentDeleted: onAttachmentDeleted;
    onLinkCreated: onLinkCreated;
    onLinkSent: onLinkSent;
    onLinkUsed: onLinkUsed;
    onMembershipRemoved: onMembershipRemoved;
    onMembershipSet: onMembershipSet;
    onParametersCreated: onParametersCreated;
    onResourceCreated: onResourceCreated;
    onUserMfaReset: onUserMfaReset;
    onUserReinstated: onUserReinstated;
    onUserRoleChanged: onUserRoleChanged;
    onUserTerminated: onUserTerminated;
    onUserUpdated: onUserUpdated;
    onWorkflowCancelled: onWorkflowCancelled;
    onWorkflowCompleted: onWorkflowCompleted;
    onWorkflowExpired: onWorkflowExpired;
    onWorkflowFailed: onWorkflowFailed;
    onWorkflowStarted: onWorkflowStarted;
}
/** @description An API key and its secret, both shown when the key is created. */
export type ApiKeyCredentials = {
    /** @description The API key. It identifies the key and is not secret. */
    key: string;
    /** @description The secret of the key. Keep it out of logs and URLs. */
    secret: string;
};
/** @description A file attached to a record. */
export type Attachment = {
    /** @description A timestamp in ISO 8601 format, in UTC with fractional seconds. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    /** @description The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark. */
    name: components["schemas"]["FileName"];
    /** @description Identifier of the record. */
    recordId: components["schemas"]["Uuid"];
    /**
     * Format: int64
     * @description Size of the file in bytes.
     */
    size: number;
    /** @description The tags of the attachment; `[]` if there are none. */
    tags: components["schemas"]["Tags"];
    /** @description The media type declared by the uploaded part, never guessed from the bytes. Default: `application/octet-stream`. */
    type: components["schemas"]["MediaType"];
};
/** @description A file was attached to a record. */
export type AttachmentCreated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The attachment. */
    data: components["schemas"]["AttachmentCreatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "attachment.created";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The attachment. */
export type AttachmentCreatedEventData = {
    /** @description A UUID in its canonical form. */
    attachmentId: components["schemas"]["Uuid"];
    /** @description The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark. */
    name: components["schemas"]["FileName"];
    /** @description A UUID in its canonical form. */
    recordId: components["schemas"]["Uuid"];
    /**
     * Format: int64
     * @description Size of the file in bytes.
     */
    size: number;
    /** @description A UUID in its canonical form. */
    tableId: components["schemas"]["Uuid"];
    /** @description Tags in the given order; at most 20. */
    tags: components["schemas"]["Tags"];
    /** @description The media type declared by the uploaded part, never guessed from the bytes. Default: `application/octet-stream`. */
    type: components["schemas"]["MediaType"];
};
/** @description An attachment was deleted. */
export type AttachmentDeleted = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The deleted attachment. */
    data: components["schemas"]["AttachmentDeletedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "attachment.deleted";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The deleted attachment. */
export type AttachmentDeletedEventData = {
    /** @description A UUID in its canonical form. */
    attachmentId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    recordId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    tableId: components["schemas"]["Uuid"];
};
/** @description The file to attach. */
export type AttachmentForm = {
    /**
     * Format: binary
     * @description A part with a file name. Its `Content-Type` becomes the media type of the attachment.
     */
    file: Blob;
    /** @description One `tags` part for each tag. Default: no tags. */
    tags?: components["schemas"]["Tags"];
};
/** @description A signed URL of an attachment. */
export type AttachmentLink = {
    /**
     * Format: uri
     * @description The signed URL. Fetch it with GET, without a token, and follow redirects: it may respond with 307 and a URL of the file storage that is valid for a minute. Anyone who has the URL can read the file until it expires, so keep it secret.
     */
    link: string;
};
/** @description What a single-use link is created for. */
export type Case = {
    /** @description When the case was created. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description Whether the case has a contact with an email address, to whom links can be sent. */
    hasContact: boolean;
    /** @description Identifier of the case. */
    id: components["schemas"]["Uuid"];
    /** @description Name of the case. */
    name: string;
    /** @description The record of the case; absent if there is none. */
    recordId?: components["schemas"]["Uuid"];
    /** @description The workspace of the case. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description One page of cases. */
export type CasePage = {
    content: components["schemas"]["Case"][];
    /** @description The `cursor` of the next page; absent on the last page. */
    nextCursor?: components["schemas"]["Cursor"];
};
/** @description A position in a list. Callers should not interpret it. */
export type Cursor = string;
/**
 * Format: date-time
 * @description A timestamp in ISO 8601 format, in UTC with fractional seconds.
 */
export type DateTime = string;
/** @description Name of a workflow definition. */
export type DefinitionName = string;
/** @description Revision of a workflow definition. */
export type DefinitionRevision = string;
/** @description The body of every error response. */
export type Error = {
    /** @description The errors; at least one. */
    errors: components["schemas"]["ErrorItem"][];
    /**
     * Format: uuid
     * @description Identifies this occurrence. Equal to the `Request-Id` header and to the request ID in the platform's log. Quote it when you contact support.
     */
    fingerprint: string;
};
/**
 * @description The error code. Minor versions may add codes, so handle an unknown code by the HTTP status. The errors guide has an entry for each code.
 * @enum {string}
 */
export type ErrorCode = "request_malformed" | "request_timeout" | "headers_too_large" | "parameter_invalid" | "body_malformed" | "body_invalid" | "multipart_malformed" | "role_unknown" | "user_id_mismatch" | "expiry_out_of_range" | "parameters_mismatch" | "record_mismatch" | "case_has_no_contact" | "link_objects_mismatch" | "credentials_missing" | "credentials_invalid" | "token_expired" | "permission_denied" | "beyond_own_permissions" | "sandbox_only" | "path_not_found" | "user_not_found" | "workspace_not_found" | "membership_not_found" | "resource_not_found" | "table_not_found" | "record_not_found" | "attachment_not_found" | "workflow_definition_not_found" | "execution_not_found" | "result_not_available" | "parameters_not_found" | "case_not_found" | "webhook_key_not_found" | "link_not_found" | "method_not_allowed" | "user_not_terminated" | "last_owner" | "own_user" | "execution_already_ended" | "too_many_attachments" | "too_many_members" | "idempotency_key_in_use" | "link_expired" | "link_used" | "precondition_failed" | "body_too_large" | "file_too_large" | "storage_quota_exceeded" | "content_type_unsupported" | "range_not_satisfiable" | "idempotency_key_reused" | "rate_limit_exceeded" | "mail_limit_exceeded" | "internal_error" | "upstream_unavailable" | "service_unavailable";
/** @description One error. */
export type ErrorItem = {
    /** @description The error code. Minor versions may add codes, so handle an unknown code by the HTTP status. The errors guide has an entry for each code. */
    code: components["schemas"]["ErrorCode"];
    /** @description A message for humans. Branch on the code, never on the message. */
    message: string;
    /** @description The name of the path, query or header parameter. */
    parameter?: string;
    /** @description The location in the request body, as a JSON Pointer (RFC 6901). */
    pointer?: string;
};
/** @description Events, and where to continue. */
export type EventBatch = {
    /** @description The events, oldest first; may be empty. */
    events: components["schemas"]["SignedEvent"][];
    /** @description The `cursor` of the next request. */
    nextCursor: components["schemas"]["Uuid"];
};
/**
 * Format: uuid
 * @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates.
 */
export type EventId = string;
/** @description Why an execution failed. */
export type ExecutionFailure = {
    /** @description The cause in words, for people; empty if the definition gives none. */
    cause: string;
    /** @description Name of the error, as defined by Amazon States Language or the workflow definition; `Fail` if a Fail state names none. */
    error: string;
    /** @description True if the execution exceeded the `TimeoutSeconds` of its definition; absent otherwise. The timeout of a task has the error `States.Timeout` too. */
    timedOut?: boolean;
};
/** @description Where the execution was started. */
export type ExecutionOrigin = {
    /**
     * @description `API` for `POST /workflows`, `LINK` for a single-use link.
     * @enum {string}
     */
    type: "API" | "LINK";
    /** @description The token's home workspace for `API`, the case's workspace for `LINK`. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The parameters: any JSON object that matches the definition's input schema. The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400. */
export type ExecutionParameters = {
    [key: string]: unknown;
};
/**
 * @description `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again.
 * @enum {string}
 */
export type ExecutionStatus = "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED";
/**
 * @description `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link.
 * @enum {string}
 */
export type ExecutionType = "BACKGROUND" | "INTERACTIVE";
/**
 * Format: int64
 * @description Starts at 1 and increases with every stored change of the execution.
 */
export type ExecutionVersion = number;
/**
 * Format: binary
 * @description The bytes of a file, which may be empty. Default size limit: 100 MiB; maximum: 5 GiB.
 */
export type FileContent = Blob;
/** @description The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark. */
export type FileName = string;
/**
 * @description `STATE_COMPLETED`: a state led to the next one or to the end. `STATE_FAILED`: it failed, and nothing caught its error. `RETRY_SCHEDULED`: it failed, and is tried again. `TASK_STARTED`: an attempt of a task began. `WAIT_STARTED`: a Wait state waits. `BRANCHES_STARTED`: a Parallel or Map state started its branches or iterations. `EXECUTION_RETRIED`: the execution had failed, and the operator continued it. Types may be added.
 * @enum {string}
 */
export type HistoryEntryType = "STATE_COMPLETED" | "STATE_FAILED" | "RETRY_SCHEDULED" | "TASK_STARTED" | "WAIT_STARTED" | "BRANCHES_STARTED" | "EXECUTION_RETRIED";
/** @description Any JSON value. */
export type HistoryJson = unknown;
/** @description A value of a state. */
export type HistoryValue = {
    /**
     * Format: int64
     * @description Size of the value as JSON, in bytes.
     */
    size: number;
    /** @description The value, with secrets replaced by `[redacted]`; absent above 65,536 bytes. The operator can read larger values. */
    value?: components["schemas"]["HistoryJson"];
};
/** @description The membership of an owner or admin, inherited in every workspace of the organization. */
export type InheritedMembership = {
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @description Identifier of the user's organization role. */
    roleId: components["schemas"]["Uuid"];
    /** @description Status of the user. Terminated users are listed but have no access. */
    status: components["schemas"]["UserStatus"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/** @description The JSON Schema (2020-12) that the `parameters` of an execution must match; `{}` if any object does. */
export type InputSchema = {
    [key: string]: unknown;
};
/** @description A job title; may be empty. */
export type JobTitle = string;
/** @description A single-use link was created. */
export type LinkCreated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The link, its case and workflow definition, and its expiry. */
    data: components["schemas"]["LinkCreatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "link.created";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The link, its case and workflow definition, and its expiry. */
export type LinkCreatedEventData = {
    /** @description A UUID in its canonical form. */
    caseId: components["schemas"]["Uuid"];
    /** @description When the link stops working. */
    expiresAt: components["schemas"]["DateTime"];
    /** @description Identifier of the link, not its URL. */
    linkId: components["schemas"]["Uuid"];
    /** @description The parameter set of the link; absent if there is none. */
    parametersId?: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description The case and the workflow of a link. */
export type LinkRequest = {
    /** @description Identifier of a case in the definition's workspace. */
    caseId: components["schemas"]["Uuid"];
    /** @description Identifier of a stored parameter set of that definition, to start the workflow with. Default: `{}` as parameters. */
    parametersId?: components["schemas"]["Uuid"];
    /** @description Identifier of the workflow definition that the link starts. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description A single-use link was emailed. */
export type LinkSent = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The link, its case and its workflow definition. */
    data: components["schemas"]["LinkSentEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "link.sent";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The link, its case and its workflow definition. */
export type LinkSentEventData = {
    /** @description A UUID in its canonical form. */
    caseId: components["schemas"]["Uuid"];
    /** @description Identifier of the link, not its URL. */
    linkId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description A single-use link was used and started a workflow. */
export type LinkUsed = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The link, its case and workflow definition, and the started execution. */
    data: components["schemas"]["LinkUsedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "link.used";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The link, its case and workflow definition, and the started execution. */
export type LinkUsedEventData = {
    /** @description A UUID in its canonical form. */
    caseId: components["schemas"]["Uuid"];
    /** @description Identifier of the link, not its URL. */
    linkId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    workflowDefinitionId: components["schemas"]["Uuid"];
    /** @description Identifier of the execution. */
    workflowId: components["schemas"]["Uuid"];
};
/** @description A language tag (BCP 47), for example `en`, `fr` or `de-CH`. */
export type Locale = string;
/** @description The media type declared by the uploaded part, never guessed from the bytes. Default: `application/octet-stream`. */
export type MediaType = string;
/** @description A direct membership: a user's role in a workspace. */
export type Membership = {
    /** @description The member's role. `GET /organizations/workspaces/{workspaceId}/roles` lists its permissions. */
    role: components["schemas"]["MembershipRole"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The user's new workspace role. */
export type MembershipChoice = {
    /** @description Identifier of a role of this workspace. */
    roleId: components["schemas"]["Uuid"];
    /** @description The user in the path. */
    userId: components["schemas"]["Uuid"];
};
/** @description A workspace membership was removed. */
export type MembershipRemoved = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The user. */
    data: components["schemas"]["MembershipRemovedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "membership.removed";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The user. */
export type MembershipRemovedEventData = {
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/** @description The member's role. `GET /organizations/workspaces/{workspaceId}/roles` lists its permissions. */
export type MembershipRole = {
    /** @description When the role was created, not the membership. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    /** @description Name of the role, unique in its workspace. */
    name: components["schemas"]["WorkspaceRoleName"];
    /** @description `WORKSPACE` for the built-in roles of every workspace, `CUSTOM` for roles declared by the operator. */
    type: components["schemas"]["WorkspaceRoleType"];
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description A workspace membership was added or changed. */
export type MembershipSet = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The user and the new workspace role. */
    data: components["schemas"]["MembershipSetEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "membership.set";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The user and the new workspace role. */
export type MembershipSetEventData = {
    /** @description A UUID in its canonical form. */
    roleId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/** @description The former name of `ParameterSetRequest`, kept for generated code. */
export type NewParameterSet = components["schemas"]["ParameterSetRequest"];
/** @description A role in the organization. */
export type OrganizationRole = {
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    /** @description `owner` and `admin` have every permission in every workspace of the organization. `member` has the permissions of the user's workspace roles. */
    name: components["schemas"]["OrganizationRoleName"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
};
/** @description The user's new organization role. */
export type OrganizationRoleChoice = {
    /** @description Identifier of the user's new organization role. */
    roleId: components["schemas"]["Uuid"];
};
/**
 * @description `owner` and `admin` have every permission in every workspace of the organization. `member` has the permissions of the user's workspace roles.
 * @enum {string}
 */
export type OrganizationRoleName = "owner" | "admin" | "member";
/** @description A parameter set was stored. */
export type ParametersCreated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The parameter set and its workflow definition. */
    data: components["schemas"]["ParametersCreatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "parameters.created";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The parameter set and its workflow definition. */
export type ParametersCreatedEventData = {
    /** @description A UUID in its canonical form. */
    parametersId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description Stored parameters of a workflow definition. */
export type ParameterSet = {
    /** @description The parameters: any JSON value, usually an object with numbers, booleans and strings. Numbers are stored in double precision (RFC 8259, section 6). The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400. */
    parameters: components["schemas"]["ParametersValue"];
    /** @description Identifier of the parameter set. */
    parametersId: components["schemas"]["Uuid"];
    /** @description Identifier of the workflow definition. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description The workflow definition and the parameters. */
export type ParameterSetRequest = {
    /** @description The parameters: any JSON value, usually an object with numbers, booleans and strings. Numbers are stored in double precision (RFC 8259, section 6). The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400. */
    parameters: components["schemas"]["ParametersValue"];
    /** @description Identifier of the workflow definition. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description The parameters: any JSON value, usually an object with numbers, booleans and strings. Numbers are stored in double precision (RFC 8259, section 6). The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400. */
export type ParametersValue = unknown;
/** @description Normalized to Unicode NFC. */
export type PersonName = string;
/** @description The user's profile. */
export type Profile = {
    /** @description A timestamp in ISO 8601 format, in UTC with fractional seconds. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description Normalized to Unicode NFC. */
    firstName: components["schemas"]["PersonName"];
    /** @description Identifier of the profile, not of the user. */
    id: components["schemas"]["Uuid"];
    /** @description Normalized to Unicode NFC. */
    lastName: components["schemas"]["PersonName"];
    /**
     * Format: date-time
     * @description The last exchange of an API key; null before the first, and after reinstatement.
     */
    lastSignedInAt: string | null;
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @description Equal to the user's `roleId`. */
    roleId: components["schemas"]["Uuid"];
    /** @description Terminated users keep their data but have no access. */
    status: components["schemas"]["UserStatus"];
    /** @description A job title; may be empty. */
    title: components["schemas"]["JobTitle"];
};
/** @description The fields to replace, at least one. An absent field keeps its value. */
export type ProfileUpdate = {
    /** @description Normalized to Unicode NFC. */
    firstName?: components["schemas"]["PersonName"];
    /** @description Normalized to Unicode NFC. */
    lastName?: components["schemas"]["PersonName"];
    /** @description A job title; may be empty. */
    title?: components["schemas"]["JobTitle"];
};
/** @description One page of records. */
export type RecordPage = {
    content: components["schemas"]["TableRecord"][];
    /** @description The `cursor` of the next page; absent on the last page. */
    nextCursor?: components["schemas"]["Cursor"];
};
/** @description A stored file. */
export type Resource = {
    /** @description A UUID in its canonical form. */
    resourceId: components["schemas"]["Uuid"];
    /** @description The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark. */
    resourceName: components["schemas"]["FileName"];
    /**
     * Format: uri-reference
     * @description Path to download the file, relative to the API's base URL.
     */
    resourcePath: string;
};
/** @description A file resource was created. */
export type ResourceCreated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The file resource. */
    data: components["schemas"]["ResourceCreatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "resource.created";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The file resource. */
export type ResourceCreatedEventData = {
    /** @description The media type declared by the uploaded part, never guessed from the bytes. Default: `application/octet-stream`. */
    contentType: components["schemas"]["MediaType"];
    /** @description The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark. */
    name: components["schemas"]["FileName"];
    /** @description A UUID in its canonical form. */
    resourceId: components["schemas"]["Uuid"];
    /** @description SHA-256 of the file in lowercase hexadecimal. */
    sha256: string;
    /**
     * Format: int64
     * @description Size of the file in bytes.
     */
    size: number;
};
/** @description The file to store. */
export type ResourceForm = {
    /**
     * Format: binary
     * @description A part with a file name. Its `Content-Type` becomes the media type of the resource.
     */
    file: Blob;
};
/** @description A redirect to a result above 9,000,000 bytes. */
export type ResultRedirect = {
    /** @description When the URL expires: 15 minutes after the response. Repeat the request for a new one. */
    expiresAt: components["schemas"]["DateTime"];
    /**
     * Format: uri
     * @description The signed URL of the result. Fetch it with GET, without a token, and follow redirects: it may respond with 307 and a URL of the file storage that is valid for a minute. Anyone who has the URL can read the result until `expiresAt`, so keep it secret.
     */
    redirectUrl: string;
    /** @description SHA-256 of the result's bytes in lowercase hexadecimal. */
    sha256: string;
    /**
     * Format: int64
     * @description Size of the result in bytes.
     */
    size: number;
};
/** @description One permission on one object. */
export type RolePermission = {
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    /** @description The permission, for example `can_view_workspace` or `can_edit_attachments`. A role may have permissions that this API does not use, for example `can_edit_data`. */
    relation: string;
    /** @description Identifier of the object. */
    resourceId: components["schemas"]["Uuid"];
    /**
     * @description The type of the object.
     * @enum {string}
     */
    resourceType: "organization" | "workspace" | "table";
};
/** @description An event with the headers and the body of its webhook. */
export type SignedEvent = {
    /** @description The exact text of the webhook's body, a JSON object. The signature covers its UTF-8 bytes. */
    body: string;
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The headers of the webhook. */
    headers: components["schemas"]["SignedEventHeaders"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description The event type, for example `user.updated`. Minor versions may add types. */
    type: string;
};
/** @description The headers of the webhook. */
export type SignedEventHeaders = {
    /** @enum {string} */
    "Content-Type": "application/json";
    /** @description The `traceparent` of the request that caused the event; absent if there was none. */
    traceparent?: string;
    /** @enum {string} */
    "Webhook-Sandbox": "true";
    /** @description A detached JWS over the body, signed for this response and valid for 5 minutes. */
    "Webhook-Signature": string;
};
/** @description A list of records. */
export type Table = {
    /** @description When the table was created. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description Identifier of the table. */
    id: components["schemas"]["Uuid"];
    /** @description Name of the table. */
    name: string;
    /** @description The workspace of the table. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description One page of tables. */
export type TablePage = {
    content: components["schemas"]["Table"][];
    /** @description The `cursor` of the next page; absent on the last page. */
    nextCursor?: components["schemas"]["Cursor"];
};
/** @description An entry of a table, which can have attachments. */
export type TableRecord = {
    /** @description When the record was created. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description Identifier of the record. */
    id: components["schemas"]["Uuid"];
    /** @description Name of the record. */
    name: string;
    /** @description The table of the record. */
    tableId: components["schemas"]["Uuid"];
};
/** @description A tag in any script, normalized to Unicode NFC. */
export type Tag = string;
/** @description Tags in the given order; at most 20. */
export type Tags = components["schemas"]["Tag"][];
/** @description The refresh token to use. */
export type TokenRefresh = {
    /** @description The refresh token from the last response. */
    refreshToken: string;
};
/** @description An access token, and a refresh token to get the next one. */
export type Tokens = {
    /** @description A JWT for the header `Authorization: Bearer <accessToken>`. Do not rely on its content. */
    accessToken: string;
    /** @description Seconds until the access token expires, counted from the response. Default: 300. */
    expiryDuration: number;
    /** @description A JWT for `POST /auth/refresh`. It can be used once. */
    refreshToken: string;
    /**
     * @description The authentication scheme of the access token.
     * @enum {string}
     */
    tokenType: "Bearer";
};
/** @description Display hints from the definition for a page that shows the execution: any JSON object. Default: `{}`. The platform's link pages use `title`, `description` and `fields`; see the guide on running workflows. */
export type UiOptions = {
    [key: string]: unknown;
};
/** @description A user of the organization: a person or a service account. */
export type User = {
    /** @description A timestamp in ISO 8601 format, in UTC with fractional seconds. */
    createdDateTime: components["schemas"]["DateTime"];
    /** Format: email */
    email: string;
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    /** @description Identifier at the identity provider. */
    idpId: components["schemas"]["Uuid"];
    /** @description The user's profile. */
    profile: components["schemas"]["Profile"];
    /** @description Identifier of the user's organization role. */
    roleId: components["schemas"]["Uuid"];
};
/** @description A user's second factors were reset. */
export type UserMfaReset = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The user. */
    data: components["schemas"]["UserMfaResetEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "user.mfa_reset";
};
/** @description The user. */
export type UserMfaResetEventData = {
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/** @description One page of users, ordered by creation, then by id. */
export type UserPage = {
    content: components["schemas"]["User"][];
    /** @description The page number, counted from 0. */
    number: number;
    /** @description The page size. */
    size: number;
    /**
     * Format: int64
     * @description Number of users in all pages.
     */
    totalElements: number;
    /** Format: int64 */
    totalPages: number;
};
/** @description A terminated user was reinstated. */
export type UserReinstated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The user, the new role and the new status. */
    data: components["schemas"]["UserReinstatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "user.reinstated";
};
/** @description The user, the new role and the new status. */
export type UserReinstatedEventData = {
    /** @description A UUID in its canonical form. */
    roleId: components["schemas"]["Uuid"];
    /** @description Terminated users keep their data but have no access. */
    status: components["schemas"]["UserStatus"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/** @description A user's organization role was changed. */
export type UserRoleChanged = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The user and the new organization role. */
    data: components["schemas"]["UserRoleChangedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "user.role_changed";
};
/** @description The user and the new organization role. */
export type UserRoleChangedEventData = {
    /** @description A UUID in its canonical form. */
    roleId: components["schemas"]["Uuid"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/**
 * @description Terminated users keep their data but have no access.
 * @enum {string}
 */
export type UserStatus = "ACTIVE" | "TERMINATED";
/** @description A user was terminated. */
export type UserTerminated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The user and the new status. */
    data: components["schemas"]["UserTerminatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "user.terminated";
};
/** @description The user and the new status. */
export type UserTerminatedEventData = {
    /** @description Terminated users keep their data but have no access. */
    status: components["schemas"]["UserStatus"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/** @description A user's profile was changed. */
export type UserUpdated = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The new profile: all three fields, whichever changed. */
    data: components["schemas"]["UserUpdatedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "user.updated";
};
/** @description The new profile: all three fields, whichever changed. */
export type UserUpdatedEventData = {
    /** @description Normalized to Unicode NFC. */
    firstName: components["schemas"]["PersonName"];
    /** @description Normalized to Unicode NFC. */
    lastName: components["schemas"]["PersonName"];
    /** @description A job title; may be empty. */
    title: components["schemas"]["JobTitle"];
    /** @description A UUID in its canonical form. */
    userId: components["schemas"]["Uuid"];
};
/**
 * Format: uuid
 * @description A UUID in its canonical form.
 */
export type Uuid = string;
/** @description The key as one line of base64: DER-encoded SubjectPublicKeyInfo (RFC 5280). */
export type WebhookKeyDer = string;
/** @description The key as PEM text (RFC 7468), label `PUBLIC KEY`. */
export type WebhookKeyPem = string;
/** @description A workflow execution was cancelled. */
export type WorkflowCancelled = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The execution after the change. */
    data: components["schemas"]["WorkflowEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "workflow.cancelled";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description A workflow execution completed and has a result. */
export type WorkflowCompleted = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The execution after the change. */
    data: components["schemas"]["WorkflowEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "workflow.completed";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description A workflow definition at its current revision. */
export type WorkflowDefinition = {
    /** @description When the definition was created. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description What the workflow is for, in the definition's locale: the definition's `uiOptions.description`; absent if there is none. */
    description?: string;
    /** @description Identifier of the definition, used as `workflowDefinitionId` in other operations. */
    id: components["schemas"]["Uuid"];
    /** @description The JSON Schema (2020-12) that the `parameters` of an execution must match; `{}` if any object does. */
    inputSchema: components["schemas"]["InputSchema"];
    /** @description The language of executions that do not set one. */
    locale: components["schemas"]["Locale"];
    /** @description Name of a workflow definition. */
    name: components["schemas"]["DefinitionName"];
    /** @description The revision with which new executions start. */
    revision: components["schemas"]["DefinitionRevision"];
    /** @description Title for people, in the definition's locale: the definition's `uiOptions.title`, or its name if there is none. */
    title: string;
    /** @description The workspace of the definition and of its executions. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description One page of workflow definitions. */
export type WorkflowDefinitionPage = {
    content: components["schemas"]["WorkflowDefinition"][];
    /** @description The `cursor` of the next page; absent on the last page. */
    nextCursor?: components["schemas"]["Cursor"];
};
/** @description The execution after the change. */
export type WorkflowEventData = {
    /** @description `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link. */
    executionType: components["schemas"]["ExecutionType"];
    /**
     * Format: int64
     * @description Version of the execution after the change. Events can arrive out of order; use the version to order them.
     */
    executionVersion: number;
    /** @description The record of the execution; absent if there is none. */
    recordId?: components["schemas"]["Uuid"];
    /** @description `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again. */
    status: components["schemas"]["ExecutionStatus"];
    /** @description A UUID in its canonical form. */
    workflowDefinitionId: components["schemas"]["Uuid"];
    /** @description Identifier of the execution. */
    workflowId: components["schemas"]["Uuid"];
};
/** @description An execution of a workflow definition. */
export type WorkflowExecution = {
    /** @description When the execution started. */
    createdDateTime: components["schemas"]["DateTime"];
    /**
     * Format: date-time
     * @description When the execution ended; absent while it is running.
     */
    endedDateTime?: string;
    /** @description `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link. */
    executionType: components["schemas"]["ExecutionType"];
    /** @description Starts at 1 and increases with every stored change of the execution. */
    executionVersion: components["schemas"]["ExecutionVersion"];
    /** @description When the execution expires if it is still running. */
    expiresAt: components["schemas"]["DateTime"];
    /** @description Why the execution failed; absent unless its status is `FAILED`. Kept as long as the execution. */
    failure?: components["schemas"]["ExecutionFailure"];
    /** @description Identifier of the execution, used as `workflowId` in other operations. */
    id: components["schemas"]["Uuid"];
    /** @description A language tag (BCP 47), for example `en`, `fr` or `de-CH`. */
    locale: components["schemas"]["Locale"];
    /** @description Name of the definition when the execution started. */
    name: components["schemas"]["DefinitionName"];
    /** @description Where the execution was started. */
    origin: components["schemas"]["ExecutionOrigin"];
    /** @description The parameters: any JSON object that matches the definition's input schema. The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400. */
    parameters: components["schemas"]["ExecutionParameters"];
    /** @description The record of the execution; absent if there is none. */
    recordId?: components["schemas"]["Uuid"];
    /** @description Revision of the definition. An execution keeps its revision when the definition changes. */
    revision: components["schemas"]["DefinitionRevision"];
    /** @description `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again. */
    status: components["schemas"]["ExecutionStatus"];
    /** @description Display hints from the definition for a page that shows the execution: any JSON object. Default: `{}`. The platform's link pages use `title`, `description` and `fields`; see the guide on running workflows. */
    uiOptions: components["schemas"]["UiOptions"];
    /** @description Identifier of the workflow definition. */
    workflowDefinitionId: components["schemas"]["Uuid"];
    /** @description The workspace of the definition. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description One page of executions, newest first. */
export type WorkflowExecutionPage = {
    content: components["schemas"]["WorkflowExecutionSummary"][];
    /** @description The `cursor` of the next page; absent on the last page. */
    nextCursor?: components["schemas"]["Cursor"];
};
/** @description An execution of a workflow definition without its parameters and display hints. */
export type WorkflowExecutionSummary = {
    /** @description When the execution started. */
    createdDateTime: components["schemas"]["DateTime"];
    /**
     * Format: date-time
     * @description When the execution ended; absent while it is running.
     */
    endedDateTime?: string;
    /** @description `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link. */
    executionType: components["schemas"]["ExecutionType"];
    /** @description Starts at 1 and increases with every stored change of the execution. */
    executionVersion: components["schemas"]["ExecutionVersion"];
    /** @description When the execution expires if it is still running. */
    expiresAt: components["schemas"]["DateTime"];
    /** @description Why the execution failed; absent unless its status is `FAILED`. Kept as long as the execution. */
    failure?: components["schemas"]["ExecutionFailure"];
    /** @description Identifier of the execution, used as `workflowId` in other operations. */
    id: components["schemas"]["Uuid"];
    /** @description A language tag (BCP 47), for example `en`, `fr` or `de-CH`. */
    locale: components["schemas"]["Locale"];
    /** @description Name of the definition when the execution started. */
    name: components["schemas"]["DefinitionName"];
    /** @description Where the execution was started. */
    origin: components["schemas"]["ExecutionOrigin"];
    /** @description The record of the execution; absent if there is none. */
    recordId?: components["schemas"]["Uuid"];
    /** @description Revision of the definition. An execution keeps its revision when the definition changes. */
    revision: components["schemas"]["DefinitionRevision"];
    /** @description `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again. */
    status: components["schemas"]["ExecutionStatus"];
    /** @description Identifier of the workflow definition. */
    workflowDefinitionId: components["schemas"]["Uuid"];
    /** @description The workspace of the definition. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description A workflow execution expired. */
export type WorkflowExpired = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The execution after the change. */
    data: components["schemas"]["WorkflowEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "workflow.expired";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description A workflow execution failed. */
export type WorkflowFailed = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The execution after the change, and the error that ended it. */
    data: components["schemas"]["WorkflowFailedEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "workflow.failed";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description The execution after the change, and the error that ended it. */
export type WorkflowFailedEventData = {
    /** @description Name of the error, as defined by Amazon States Language or the workflow definition; `Fail` if a Fail state names none. */
    error: string;
    /** @description `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link. */
    executionType: components["schemas"]["ExecutionType"];
    /**
     * Format: int64
     * @description Version of the execution after the change. Events can arrive out of order; use the version to order them.
     */
    executionVersion: number;
    /** @description The record of the execution; absent if there is none. */
    recordId?: components["schemas"]["Uuid"];
    /** @description `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again. */
    status: components["schemas"]["ExecutionStatus"];
    /** @description True if the execution exceeded the `TimeoutSeconds` of its definition; absent otherwise. The timeout of a task has the error `States.Timeout` too. */
    timedOut?: boolean;
    /** @description A UUID in its canonical form. */
    workflowDefinitionId: components["schemas"]["Uuid"];
    /** @description Identifier of the execution. */
    workflowId: components["schemas"]["Uuid"];
};
/** @description One entry of the history of an execution. Which fields it has depends on its type. */
export type WorkflowHistoryEntry = {
    /** @description The arguments of the started task. */
    arguments?: components["schemas"]["HistoryValue"];
    /** @description The variables that the state set, by name; absent if it set none. */
    assigned?: components["schemas"]["HistoryValue"];
    /**
     * Format: int64
     * @description Number of the attempt, from 1.
     */
    attempt?: number;
    /** @description The branch or iteration that the state is in, for example `Checks[0]` or `Checks[0]/Items[2]`; absent outside of a Parallel or Map state. */
    branch?: string;
    /** @description The number of started branches or iterations. */
    branches?: number;
    /** @description When it happened. */
    createdDateTime: components["schemas"]["DateTime"];
    /**
     * Format: date-time
     * @description When the completed state was entered.
     */
    enteredDateTime?: string;
    /** @description The error of the attempt, or the one that was caught. */
    failure?: components["schemas"]["ExecutionFailure"];
    /** @description Identifier of the entry. */
    id: components["schemas"]["Uuid"];
    /** @description The input of the completed or failed state. */
    input?: components["schemas"]["HistoryValue"];
    /** @description The output of the completed state. */
    output?: components["schemas"]["HistoryValue"];
    /** @description The resource of the started task, such as `wrp:http:call`. */
    resource?: string;
    /** @description The raw result of the task, branches or iterations; absent if it is the output, or if there is none. */
    result?: components["schemas"]["HistoryValue"];
    /** @description Name of the state. */
    state: string;
    /** @description Type of the completed state, such as `Task`. */
    stateType?: string;
    /** @description `STATE_COMPLETED`: a state led to the next one or to the end. `STATE_FAILED`: it failed, and nothing caught its error. `RETRY_SCHEDULED`: it failed, and is tried again. `TASK_STARTED`: an attempt of a task began. `WAIT_STARTED`: a Wait state waits. `BRANCHES_STARTED`: a Parallel or Map state started its branches or iterations. `EXECUTION_RETRIED`: the execution had failed, and the operator continued it. Types may be added. */
    type: components["schemas"]["HistoryEntryType"];
    /**
     * Format: date-time
     * @description The end of the wait, or when the state is tried again.
     */
    until?: string;
    /** @description The field of the state that decided what came next: `Choices/0` for its first rule, `Catch/0` for its first Catcher, `Retry/0` for its first Retrier; absent for `Next`, `Default` and the end. */
    via?: string;
};
/** @description One page of the history of an execution, oldest first. */
export type WorkflowHistoryPage = {
    content: components["schemas"]["WorkflowHistoryEntry"][];
    /** @description The `cursor` of the next page; absent on the last page. */
    nextCursor?: components["schemas"]["Cursor"];
};
/** @description A link that starts a workflow once. */
export type WorkflowLink = {
    /** @description When the link expires. */
    expiresAt: components["schemas"]["DateTime"];
    /**
     * Format: uri
     * @description The URL for the person, valid for 7 days. Anyone who has it can start the workflow, so treat it like a password.
     */
    link: string;
    /** @description Identifier of the link, not its URL. The events `link.created`, `link.sent` and `link.used` have the same `linkId`, and the operator can revoke the link by it. */
    linkId: components["schemas"]["Uuid"];
};
/** @description The result: any JSON object, defined by the workflow definition. Returned here up to 9,000,000 bytes. */
export type WorkflowResult = {
    [key: string]: unknown;
};
/** @description The workflow definition to start, and its input. */
export type WorkflowStart = {
    /**
     * Format: date-time
     * @description When the execution expires if it is still running: between 30 minutes and 30 days after the request, inclusive, by the platform's clock. RFC 3339 with an offset or `Z`. Default: 30 days.
     */
    expiresAt?: string;
    /** @description Language of the execution: a language tag (BCP 47), for example `en` or `fr`. Default: the definition's locale, or `en`. */
    locale?: components["schemas"]["Locale"];
    /** @description The parameters: any JSON object that matches the definition's input schema. Default: `{}`. The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400. */
    parameters?: components["schemas"]["ExecutionParameters"];
    /** @description The record of the execution. It must belong to the definition's workspace. */
    recordId?: components["schemas"]["Uuid"];
    /** @description Identifier of the workflow definition. */
    workflowDefinitionId: components["schemas"]["Uuid"];
};
/** @description A workflow execution started. */
export type WorkflowStarted = {
    /** @description When the change occurred. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The execution after the change. */
    data: components["schemas"]["WorkflowEventData"];
    /** @description Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates. */
    id: components["schemas"]["EventId"];
    /** @description A UUID in its canonical form. */
    organizationId: components["schemas"]["Uuid"];
    /** @enum {string} */
    type: "workflow.started";
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description A part of the organization with its own roles, members, tables and workflow definitions. */
export type Workspace = {
    /** @description The purpose of the workspace; may be empty. */
    description: string;
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    name: string;
    /** @description `LIVE` for production use. Emails and webhooks from a `SANDBOX` workspace are marked. The sandbox environment has only `SANDBOX` workspaces. */
    workspaceType: components["schemas"]["WorkspaceType"];
};
/** @description All memberships of a workspace. */
export type WorkspaceMemberships = {
    /** @description Memberships granted in this workspace, in order of creation. */
    directMemberships: components["schemas"]["Membership"][];
    /** @description Memberships of the organization's owners and admins, in order of the users' creation. */
    inheritedMemberships: components["schemas"]["InheritedMembership"][];
};
/** @description A role in a workspace with its permissions. */
export type WorkspaceRole = {
    /** @description A timestamp in ISO 8601 format, in UTC with fractional seconds. */
    createdDateTime: components["schemas"]["DateTime"];
    /** @description The purpose of the role; may be empty. */
    description: string;
    /** @description A UUID in its canonical form. */
    id: components["schemas"]["Uuid"];
    /** @description Name of the role, unique in its workspace. */
    name: components["schemas"]["WorkspaceRoleName"];
    /** @description The permissions of the role, ordered by identifier; may be empty. */
    permissions: components["schemas"]["RolePermission"][];
    /** @description `WORKSPACE` for the built-in roles of every workspace, `CUSTOM` for roles declared by the operator. */
    type: components["schemas"]["WorkspaceRoleType"];
    /** @description A UUID in its canonical form. */
    workspaceId: components["schemas"]["Uuid"];
};
/** @description Name of the role, unique in its workspace. */
export type WorkspaceRoleName = string;
/**
 * @description `WORKSPACE` for the built-in roles of every workspace, `CUSTOM` for roles declared by the operator.
 * @enum {string}
 */
export type WorkspaceRoleType = "WORKSPACE" | "CUSTOM";
/**
 * @description `LIVE` for production use. Emails and webhooks from a `SANDBOX` workspace are marked. The sandbox environment has only `SANDBOX` workspaces.
 * @enum {string}
 */
export type WorkspaceType = "LIVE" | "SANDBOX";
type exchangeApiKey = {
    parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["ApiKeyCredentials"];
        };
    };
    responses: {
        /** @description The tokens. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Tokens"];
            };
        };
        400: components["responses"]["InvalidAuthRequest"];
        /** @description The key is unknown or revoked, the secret is wrong, or the key's user is terminated. */
        401: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description The accepted authentication scheme (RFC 9110).
                 * @example Bearer realm="Workflow and Records Platform"
                 */
                "WWW-Authenticate": string;
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        408: components["responses"]["RequestTimeout"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        502: components["responses"]["UpstreamUnavailable"];
    };
};
type refreshTokens = {
    parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["TokenRefresh"];
        };
    };
    responses: {
        /** @description The new tokens. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Tokens"];
            };
        };
        400: components["responses"]["InvalidAuthRequest"];
        /** @description The refresh token is unknown, already used, revoked or expired, or its user is terminated. */
        401: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description The accepted authentication scheme (RFC 9110).
                 * @example Bearer realm="Workflow and Records Platform"
                 */
                "WWW-Authenticate": string;
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        408: components["responses"]["RequestTimeout"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        502: components["responses"]["UpstreamUnavailable"];
    };
};
type getWebhookKey = {
    parameters: {
        query?: {
            /**
             * @description The format of the key: `true` for PEM, `false` for one line of base64 (DER-encoded SubjectPublicKeyInfo).
             * @example false
             */
            pem?: components["parameters"]["Pem"];
        };
        header?: never;
        path: {
            /**
             * @description Identifier of the key, equal to the `kid` in a webhook's JWS header.
             * @example d4c3b2a1-0f9e-4d8c-b7a6-5948372615f1
             */
            keyId: components["parameters"]["KeyId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The public key (elliptic curve P-256) in the requested format. */
        200: {
            headers: {
                /**
                 * @description How long the key can be cached. A key never changes under the same ID.
                 * @example public, max-age=3600
                 */
                "Cache-Control": string;
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/x-pem-file": components["schemas"]["WebhookKeyPem"];
                "text/plain": components["schemas"]["WebhookKeyDer"];
            };
        };
        /** @description The key ID or `pem` is invalid. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such key, or a key so old that no signature made with it can be valid. */
        404: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        502: components["responses"]["UpstreamUnavailable"];
    };
};
type listCases = {
    parameters: {
        query?: {
            /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
            cursor?: components["parameters"]["ListCursor"];
            /**
             * @description Returns only entries with exactly this name.
             * @example Claims
             */
            name?: components["parameters"]["NameFilter"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
            /**
             * @description Returns only the entries of this workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId?: components["parameters"]["WorkspaceFilter"];
        };
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Cases. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CasePage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type createLink = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["LinkRequest"];
        };
    };
    responses: {
        /** @description The link. */
        201: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowLink"];
            };
        };
        /** @description The request is invalid, or the case, the parameter set and the workflow definition do not belong together. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        /** @description No such case, workflow definition or parameter set in the organization. */
        404: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        408: components["responses"]["RequestTimeout"];
        409: components["responses"]["IdempotencyConflict"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type sendLink = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["LinkRequest"];
        };
    };
    responses: {
        /** @description The link. Its email is queued. */
        201: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowLink"];
            };
        };
        /** @description The request is invalid; the case, the parameter set and the workflow definition do not belong together; or the case has no contact. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        /** @description No such case, workflow definition or parameter set in the organization. */
        404: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        408: components["responses"]["RequestTimeout"];
        409: components["responses"]["IdempotencyConflict"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        /** @description The rate limit is exceeded, or the contact received 10 links within an hour. The request creates no link and does not use its `Idempotency-Key`. */
        429: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description Seconds to wait before a retry.
                 * @example 1
                 */
                "Retry-After": number;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listOrganizationRoles = {
    parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description All roles of the organization. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrganizationRole"][];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listUsers = {
    parameters: {
        query?: {
            /**
             * @description Page number, counted from 0.
             * @example 0
             */
            page?: components["parameters"]["Page"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
        };
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description A page of users. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserPage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type getUser = {
    parameters: {
        query?: never;
        header?: {
            /**
             * @description One or more `ETag` values of your copies, separated by commas, or `*` (RFC 9110). If one of them is current, the response is 304 without a body.
             * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
             */
            "If-None-Match"?: components["parameters"]["UserIfNoneMatch"];
        };
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The user. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies this version of the user, for `If-Match` and `If-None-Match` (RFC 9110).
                 * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        /** @description The version in `If-None-Match` is current. */
        304: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies this version of the user, for `If-Match` and `If-None-Match` (RFC 9110).
                 * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content?: never;
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["UserNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type updateUserProfile = {
    parameters: {
        query?: never;
        header?: {
            /**
             * @description Prevents lost updates: the `ETag` of the version that you read, or several, separated by commas, or `*` for any version (RFC 9110). If none of them is current, the response is 412 `precondition_failed` and nothing changes. Without this header, the last change wins.
             * @example *
             */
            "If-Match"?: components["parameters"]["IfMatch"];
        };
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
        };
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["ProfileUpdate"];
        };
    };
    responses: {
        /** @description The user with the new profile. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies this version of the user, for `If-Match` and `If-None-Match` (RFC 9110).
                 * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        400: components["responses"]["InvalidRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["UserNotFound"];
        408: components["responses"]["RequestTimeout"];
        412: components["responses"]["PreconditionFailed"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type reinstateUser = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
        };
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["OrganizationRoleChoice"];
        };
    };
    responses: {
        /** @description The reinstated user. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        /** @description The request is invalid, or the role is of another organization. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenChange"];
        404: components["responses"]["UserNotFound"];
        408: components["responses"]["RequestTimeout"];
        /** @description The user is active, or the first request with this key is in progress. */
        409: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type resetUserMfa = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Accepted. */
        202: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content?: never;
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenChange"];
        404: components["responses"]["UserNotFound"];
        409: components["responses"]["IdempotencyConflict"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type changeUserRole = {
    parameters: {
        query?: never;
        header?: {
            /**
             * @description Prevents lost updates: the `ETag` of the version that you read, or several, separated by commas, or `*` for any version (RFC 9110). If none of them is current, the response is 412 `precondition_failed` and nothing changes. Without this header, the last change wins.
             * @example *
             */
            "If-Match"?: components["parameters"]["IfMatch"];
        };
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
        };
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["OrganizationRoleChoice"];
        };
    };
    responses: {
        /** @description The user with the new role. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies this version of the user, for `If-Match` and `If-None-Match` (RFC 9110).
                 * @example "83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        /** @description The request is invalid, or the role is of another organization. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenChange"];
        404: components["responses"]["UserNotFound"];
        408: components["responses"]["RequestTimeout"];
        /** @description The user is the last active owner. */
        409: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        412: components["responses"]["PreconditionFailed"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type terminateUser = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The terminated user. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["User"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenChange"];
        404: components["responses"]["UserNotFound"];
        /** @description The user is the caller, or the first request with this key is still in progress. */
        409: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listWorkspaces = {
    parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The workspaces that the caller can view. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Workspace"][];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listMemberships = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId: components["parameters"]["WorkspaceId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The direct and the inherited memberships. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkspaceMemberships"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["WorkspaceNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listWorkspaceRoles = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId: components["parameters"]["WorkspaceId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description All roles of the workspace. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkspaceRole"][];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["WorkspaceNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type createParameterSet = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["ParameterSetRequest"];
        };
    };
    responses: {
        /** @description The stored parameter set. */
        201: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ParameterSet"];
            };
        };
        400: components["responses"]["InvalidRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["WorkflowDefinitionNotFound"];
        408: components["responses"]["RequestTimeout"];
        409: components["responses"]["IdempotencyConflict"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type getParameterSet = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the parameter set.
             * @example 8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101
             */
            parametersId: components["parameters"]["ParametersId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The parameter set. */
        201: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ParameterSet"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["ParametersNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type uploadResource = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "multipart/form-data": components["schemas"]["ResourceForm"];
        };
    };
    responses: {
        /** @description The stored file. `resourcePath` is the path to download it. */
        201: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Resource"];
            };
        };
        /** @description The form is invalid or malformed. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        408: components["responses"]["RequestTimeout"];
        409: components["responses"]["IdempotencyConflict"];
        413: components["responses"]["FileTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type downloadResource = {
    parameters: {
        query?: never;
        header?: {
            /**
             * @description One or more `ETag` values of your copies, separated by commas, or `*` (RFC 9110). If one of them is current, the response is 304 without a body.
             * @example "nokxx4GtoW4hCAPfEfq-pYUKYPgEQuCHBinElO7PbFk"
             */
            "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            /**
             * @description Requests a part of the file (RFC 9110): one range of bytes, for example `bytes=0-1023`, `bytes=1024-` or `bytes=-500` for the last 500. For multiple ranges or another unit, the response is the whole file.
             * @example bytes=0-7
             */
            Range?: components["parameters"]["Range"];
        };
        path: {
            /**
             * @description Identifier of the resource.
             * @example c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01
             */
            resourceId: components["parameters"]["ResourceId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The whole file, with its own `Content-Type`. */
        200: {
            headers: {
                /**
                 * @description The file supports range requests.
                 * @example bytes
                 */
                "Accept-Ranges": "bytes";
                /**
                 * @description Only the caller may store the file, and revalidates it with `If-None-Match` before each use.
                 * @example private, no-cache
                 */
                "Cache-Control": "private, no-cache";
                /**
                 * @description Always `attachment`, with the file name (RFC 6266, and RFC 8187 for any script).
                 * @example attachment; filename="policy-terms.pdf"; filename*=UTF-8''policy-terms.pdf
                 */
                "Content-Disposition": string;
                /**
                 * @description Prevents browsers from running the file's content.
                 * @example sandbox
                 */
                "Content-Security-Policy": "sandbox";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies the content of the file (RFC 9110). Send it back in `If-None-Match`.
                 * @example "nokxx4GtoW4hCAPfEfq-pYUKYPgEQuCHBinElO7PbFk"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "*/*": components["schemas"]["FileContent"];
                "application/octet-stream": components["schemas"]["FileContent"];
            };
        };
        /** @description The requested range, with the file's own `Content-Type`. */
        206: {
            headers: {
                /**
                 * @description The file supports range requests.
                 * @example bytes
                 */
                "Accept-Ranges": "bytes";
                /**
                 * @description Only the caller may store the file, and revalidates it with `If-None-Match` before each use.
                 * @example private, no-cache
                 */
                "Cache-Control": "private, no-cache";
                /**
                 * @description Always `attachment`, with the file name (RFC 6266, and RFC 8187 for any script).
                 * @example attachment; filename="policy-terms.pdf"; filename*=UTF-8''policy-terms.pdf
                 */
                "Content-Disposition": string;
                /**
                 * @description The range of bytes, and the size of the file.
                 * @example bytes 0-7/636
                 */
                "Content-Range": string;
                /**
                 * @description Prevents browsers from running the file's content.
                 * @example sandbox
                 */
                "Content-Security-Policy": "sandbox";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies the content of the file (RFC 9110). Send it back in `If-None-Match`.
                 * @example "nokxx4GtoW4hCAPfEfq-pYUKYPgEQuCHBinElO7PbFk"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "*/*": components["schemas"]["FileContent"];
                "application/octet-stream": components["schemas"]["FileContent"];
            };
        };
        /** @description The copy in `If-None-Match` is current. */
        304: {
            headers: {
                /**
                 * @description Only the caller may store the file, and revalidates it with `If-None-Match` before each use.
                 * @example private, no-cache
                 */
                "Cache-Control": "private, no-cache";
                Deprecation: components["headers"]["Deprecation"];
                /**
                 * @description Identifies the content of the file (RFC 9110). Send it back in `If-None-Match`.
                 * @example "nokxx4GtoW4hCAPfEfq-pYUKYPgEQuCHBinElO7PbFk"
                 */
                ETag: string;
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content?: never;
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["ResourceNotFound"];
        /** @description The range starts beyond the end of the file. */
        416: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                /**
                 * @description The size of the file.
                 * @example bytes *\/636
                 */
                "Content-Range": string;
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listTables = {
    parameters: {
        query?: {
            /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
            cursor?: components["parameters"]["ListCursor"];
            /**
             * @description Returns only entries with exactly this name.
             * @example Claims
             */
            name?: components["parameters"]["NameFilter"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
            /**
             * @description Returns only the entries of this workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId?: components["parameters"]["WorkspaceFilter"];
        };
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Tables. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablePage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listRecords = {
    parameters: {
        query?: {
            /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
            cursor?: components["parameters"]["ListCursor"];
            /**
             * @description Returns only entries with exactly this name.
             * @example Claims
             */
            name?: components["parameters"]["NameFilter"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
        };
        header?: never;
        path: {
            /**
             * @description Identifier of the table.
             * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
             */
            tableId: components["parameters"]["TableId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Records of the table. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RecordPage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["TableNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listAttachments = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the record.
             * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
             */
            recordId: components["parameters"]["RecordId"];
            /**
             * @description Identifier of the table.
             * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
             */
            tableId: components["parameters"]["TableId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description All attachments of the record. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Attachment"][];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["RecordNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type createAttachment = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path: {
            /**
             * @description Identifier of the record.
             * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
             */
            recordId: components["parameters"]["RecordId"];
            /**
             * @description Identifier of the table.
             * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
             */
            tableId: components["parameters"]["TableId"];
        };
        cookie?: never;
    };
    requestBody: {
        content: {
            "multipart/form-data": components["schemas"]["AttachmentForm"];
        };
    };
    responses: {
        /** @description The new attachment. */
        201: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Attachment"];
            };
        };
        /** @description The form is invalid or malformed. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["RecordNotFound"];
        408: components["responses"]["RequestTimeout"];
        /** @description The record has 10,000 attachments, or a request with this `Idempotency-Key` is still in progress. */
        409: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        413: components["responses"]["FileTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type getAttachmentLink = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the attachment.
             * @example e1d2c3b4-a596-4788-8c6b-5f4e3d2c1b01
             */
            attachmentId: components["parameters"]["AttachmentId"];
            /**
             * @description Identifier of the record.
             * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
             */
            recordId: components["parameters"]["RecordId"];
            /**
             * @description Identifier of the table.
             * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
             */
            tableId: components["parameters"]["TableId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description A signed URL of the file. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AttachmentLink"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["AttachmentNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type deleteAttachment = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the attachment.
             * @example e1d2c3b4-a596-4788-8c6b-5f4e3d2c1b01
             */
            attachmentId: components["parameters"]["AttachmentId"];
            /**
             * @description Identifier of the record.
             * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
             */
            recordId: components["parameters"]["RecordId"];
            /**
             * @description Identifier of the table.
             * @example 9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01
             */
            tableId: components["parameters"]["TableId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Deleted. */
        204: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content?: never;
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["AttachmentNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type pollWebhookEvents = {
    parameters: {
        query?: {
            /**
             * @description The `nextCursor` of an earlier response, or the ID of an event: returns the events after it. The nil UUID (`00000000-0000-0000-0000-000000000000`) is before the first event. Events older than 24 hours are skipped.
             * @example 00000000-0000-0000-0000-000000000000
             */
            cursor?: components["parameters"]["EventCursor"];
            /**
             * @description Returns only this event, if it is not older than 24 hours, for example to send it again.
             * @example 5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a06
             */
            eventId?: components["parameters"]["EventFilter"];
            /**
             * @description Starts this number of seconds ago, at most 24 hours; ignored with `cursor`. Without both, the response has no events, only a `nextCursor` to continue from now.
             * @example 3600
             */
            since?: components["parameters"]["EventsSince"];
            /**
             * @description Maximum number of events in the response.
             * @example 20
             */
            size?: components["parameters"]["EventBatchSize"];
            /**
             * @description If there is no new event, the response waits for one, for at most this number of seconds. It may be earlier, for example if the platform restarts.
             * @example 1
             */
            wait?: components["parameters"]["EventWait"];
        };
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Events, oldest first; none if there is no new one. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventBatch"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        /** @description The caller does not have the permission, or this is production. */
        403: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listWorkflowDefinitions = {
    parameters: {
        query?: {
            /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
            cursor?: components["parameters"]["ListCursor"];
            /**
             * @description Returns only entries with exactly this name.
             * @example Claims
             */
            name?: components["parameters"]["NameFilter"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
            /**
             * @description Returns only the entries of this workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId?: components["parameters"]["WorkspaceFilter"];
        };
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Workflow definitions. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowDefinitionPage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listWorkflows = {
    parameters: {
        query?: {
            /**
             * @description Returns only executions that started at this time or later. RFC 3339 with an offset or `Z`.
             * @example 2026-11-19T00:00:00Z
             */
            createdSince?: components["parameters"]["CreatedSinceFilter"];
            /**
             * @description Returns only executions that started before this time. RFC 3339 with an offset or `Z`.
             * @example 2026-11-20T00:00:00Z
             */
            createdUntil?: components["parameters"]["CreatedUntilFilter"];
            /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
            cursor?: components["parameters"]["ListCursor"];
            /**
             * @description Returns only executions that failed with this error, the `failure.error` of the execution.
             * @example Claims.Refused
             */
            error?: components["parameters"]["ErrorFilter"];
            /**
             * @description Returns only executions about this record.
             * @example 2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01
             */
            recordId?: components["parameters"]["RecordFilter"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
            /**
             * @description Returns only executions with this status.
             * @example FAILED
             */
            status?: components["parameters"]["StatusFilter"];
            /**
             * @description Returns only the executions of this workflow definition.
             * @example 4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a05
             */
            workflowDefinitionId?: components["parameters"]["DefinitionFilter"];
            /**
             * @description Returns only the entries of this workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId?: components["parameters"]["WorkspaceFilter"];
        };
        header?: never;
        path?: never;
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Workflow executions. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowExecutionPage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type startWorkflow = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["WorkflowStart"];
        };
    };
    responses: {
        /** @description The new execution. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowExecution"];
            };
        };
        /** @description The request is invalid, `expiresAt` is out of range, the parameters do not match the definition's input schema, or the record does not belong to the definition's workspace. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["WorkflowDefinitionNotFound"];
        408: components["responses"]["RequestTimeout"];
        409: components["responses"]["IdempotencyConflict"];
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type getWorkflow = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the workflow execution.
             * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
             */
            workflowId: components["parameters"]["WorkflowId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The execution. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowExecution"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["ExecutionNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type cancelWorkflow = {
    parameters: {
        query?: never;
        header?: {
            /** @description Makes retries safe: for 24 hours, the same request with the same key returns the first response. Use a new random value, for example a UUID, for each new request. */
            "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        };
        path: {
            /**
             * @description Identifier of the workflow execution.
             * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c04
             */
            workflowId: components["parameters"]["RunningWorkflowId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The execution is cancelled. */
        204: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content?: never;
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["ExecutionNotFound"];
        /** @description The execution has completed, failed or expired, or the first request with this key is still in progress. */
        409: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        422: components["responses"]["IdempotencyMismatch"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listHistory = {
    parameters: {
        query?: {
            /** @description The `nextCursor` of the previous page, to continue after it with the same filters. Default: the first page. */
            cursor?: components["parameters"]["ListCursor"];
            /**
             * @description Number of entries per page.
             * @example 20
             */
            size?: components["parameters"]["PageSize"];
        };
        header?: never;
        path: {
            /**
             * @description Identifier of the workflow execution.
             * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
             */
            workflowId: components["parameters"]["WorkflowId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Entries of the history. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowHistoryPage"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["ExecutionNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type getWorkflowResult = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the workflow execution.
             * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
             */
            workflowId: components["parameters"]["WorkflowId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The result, or a redirect object. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WorkflowResult"];
                "application/vnd.wrp.result-redirect+json": components["schemas"]["ResultRedirect"];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        /** @description No such workflow execution in the organization, or it has no result: it has not completed, or its result is older than 30 days. */
        404: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type listDirectMemberships = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId: components["parameters"]["WorkspaceId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description The direct memberships. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Membership"][];
            };
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["WorkspaceNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type setMembership = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
            /**
             * @description Identifier of the workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId: components["parameters"]["WorkspaceId"];
        };
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["MembershipChoice"];
        };
    };
    responses: {
        /** @description The membership. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Membership"];
            };
        };
        /** @description The request is invalid, the role does not belong to the workspace, or the body specifies another user than the path. */
        400: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenChange"];
        /** @description No such workspace or no such user in the organization. */
        404: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        408: components["responses"]["RequestTimeout"];
        /** @description The workspace has 10,000 members, the maximum. */
        409: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        413: components["responses"]["BodyTooLarge"];
        415: components["responses"]["UnsupportedContentType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type removeMembership = {
    parameters: {
        query?: never;
        header?: never;
        path: {
            /**
             * @description Identifier of the user.
             * @example 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
             */
            userId: components["parameters"]["UserId"];
            /**
             * @description Identifier of the workspace.
             * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
             */
            workspaceId: components["parameters"]["WorkspaceId"];
        };
        cookie?: never;
    };
    requestBody?: never;
    responses: {
        /** @description Removed. The response has no body. */
        200: {
            headers: {
                /**
                 * @description Prevents caches from storing the response (RFC 9111).
                 * @example no-store
                 */
                "Cache-Control": "no-store";
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["DeprecationLink"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Identifies this request. Equal to the `fingerprint` of an error response and to the request ID in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                Sunset: components["headers"]["Sunset"];
                /**
                 * @description Caches keep responses to different origins apart.
                 * @example Origin
                 */
                Vary: "Origin";
                /**
                 * @description Prevents browsers from guessing the media type.
                 * @example nosniff
                 */
                "X-Content-Type-Options": "nosniff";
                [name: string]: unknown;
            };
            content?: never;
        };
        400: components["responses"]["InvalidParameters"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenChange"];
        404: components["responses"]["MembershipNotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalError"];
        503: components["responses"]["ServiceUnavailable"];
    };
};
type onAttachmentCreated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["AttachmentCreated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onAttachmentDeleted = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["AttachmentDeleted"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onLinkCreated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["LinkCreated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onLinkSent = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["LinkSent"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onLinkUsed = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["LinkUsed"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onMembershipRemoved = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["MembershipRemoved"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onMembershipSet = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["MembershipSet"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onParametersCreated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["ParametersCreated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onResourceCreated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["ResourceCreated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onUserMfaReset = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["UserMfaReset"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onUserReinstated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["UserReinstated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onUserRoleChanged = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["UserRoleChanged"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onUserTerminated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["UserTerminated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onUserUpdated = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["UserUpdated"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onWorkflowCancelled = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["WorkflowCancelled"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onWorkflowCompleted = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["WorkflowCompleted"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onWorkflowExpired = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["WorkflowExpired"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onWorkflowFailed = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["WorkflowFailed"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
type onWorkflowStarted = {
    parameters: {
        query?: never;
        header: {
            /**
             * @description `true` if the event comes from a `SANDBOX` workspace or the sandbox environment, or is a test sent by the operator; absent otherwise. Not covered by the signature.
             * @example true
             */
            "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
            /**
             * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header has `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (the time of signing, in seconds since 1970). The signature covers `BASE64URL(header).BASE64URL(body)`, with the exact bytes of the received body. Reject a request whose signature has anything between the two dots, and one whose `iat` is more than 5 minutes away from your clock.
             * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
             */
            "Webhook-Signature": components["parameters"]["WebhookSignature"];
        };
        path?: never;
        cookie?: never;
    };
    requestBody: {
        content: {
            "application/json": components["schemas"]["WorkflowStarted"];
        };
    };
    responses: {
        "2XX": components["responses"]["EventTaken"];
        410: components["responses"]["EventsUnwanted"];
    };
};
