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
         * @description Gives an access token and a refresh token for an API key and its secret. The tokens act as the user that the key belongs to, and the exchange counts as that user's sign-in. `Idempotency-Key` is ignored here: every exchange gives new tokens. Prefer an organization token, which needs no exchange.
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
         * @description Gives a new access token and a new refresh token for a refresh token, which is thereby used up. The same refresh token may be tried again for 10 seconds, in case the answer was lost; used later than that, it revokes every token that came from the same exchange. Refresh tokens live for 30 days after the exchange, and for 7 days without use.
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
         * Fetch a public key of webhook signatures
         * @description Gives the public key that verifies webhooks whose JWS header names it as `kid`. Needs no token and may be cached. A retired key is served until no signature made with it can be valid any more.
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
         * @description Gives a link from which a person can start the workflow for the case, once, within 7 days. Opening the link only shows a page; the person's confirmation there uses it up. The platform keeps no copy of the link: this answer is the place to take it from.
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
         * Create a single-use link and mail it
         * @description Does what `POST /link` does, and e-mails the link to the case's contact. The answer comes before the mail: the message is stored together with the link and delivered in the background, again after a failure. At most 10 links an hour are mailed to one contact.
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
         * @description Gives the roles that a user can have in the organization, in the order of their creation.
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
         * @description Gives one page of the organization's users, terminated ones included, in the order of their creation.
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
         * Read a user
         * @description Gives one user of the organization, with the profile.
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
         * Replace a user's profile
         * @description Replaces first name, last name and title. Names are kept exactly as given, in any script.
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
         * @description Makes a terminated user active again, with the given role. `lastSignedInAt` is null until the next sign-in. Only an owner can reinstate a user who was an owner or becomes one; only an owner or admin a user who was an admin or becomes one.
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
         * @description Removes the second factors that the user enrolled, and ends the user's refresh tokens and the access tokens made from them at once; the identity provider is told in the background. A user without factors is answered the same. Only an owner can reset the factors of an owner, only an owner or admin those of an admin.
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
         * @description Gives the user another role of the organization. The last active owner keeps the role. Only an owner can change the role of an owner or make someone an owner, only an owner or admin that of an admin; any other caller can give members the role `member` only.
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
         * @description Ends the user's access at once: tokens, API keys, access and refresh tokens stop working, and do not come back with a reinstatement. A repeat on a terminated user changes nothing and answers the same. Only an owner can terminate an owner, only an owner or admin an admin.
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
         * @description Gives the workspaces in which the caller has `can_view_workspace`, in the order of their creation. Any token may ask; one that may see no workspace gets an empty list.
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
         * List everybody with access to a workspace
         * @description Gives the workspace's direct memberships, and beside them the memberships that the organization's owners and admins inherit in every workspace. Both lists are in the order of creation. A user can be in both.
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
         * @description Gives the roles that a member of the workspace can have, with what each of them permits, in the order of their creation.
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
         * @description Stores parameters of a workflow definition, to be used again. They are kept exactly as given, and checked against the definition's input schema only when an execution starts with them. The caller needs the permission on the definition's workspace.
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
         * Read a parameter set
         * @description Gives a stored parameter set. The caller needs the permission on the workspace of its definition. The status of success is 201, not 200, although nothing is created.
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
         * @description Stores a file in the home workspace of the token, where the caller needs the permission. Name and media type are kept as the part declares them; a part without a media type is stored as `application/octet-stream`. Uploads have a budget of their own, 60 a minute unless configured otherwise.
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
         * @description Gives the bytes of the file, with the media type that it was uploaded with. The caller needs the permission on the workspace of the resource. A file never changes under the same identifier: a copy may be kept and checked with `If-None-Match`, and a broken download may be continued with `Range`.
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
         * @description Gives all attachments of the record, in the order of their creation. The caller needs the permission on the table.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach a file to a record
         * @description Stores a file with the record, with tags if wanted. A record has at most 10,000 attachments. The caller needs the permission on the table. Name and media type are kept as the part declares them; a part without a media type is stored as `application/octet-stream`. Uploads have a budget of their own, 60 a minute unless configured otherwise.
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
         * Get a download link
         * @description Gives an address from which the attached file can be read without a token, for 15 minutes unless configured otherwise. Deleting the attachment ends its links at once. The caller needs the permission on the table.
         */
        get: operations["getAttachmentLink"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description Deletes the attachment and its file for good; links to it stop working at once. The caller needs the permission on the table.
         */
        delete: operations["deleteAttachment"];
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
        get?: never;
        put?: never;
        /**
         * Start a workflow
         * @description Starts an execution of a workflow definition and gives it back at once, `RUNNING`; the steps run in the background. The caller needs the permission on the definition's workspace.
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
         * Read a workflow execution
         * @description Gives the execution as it stands. `executionVersion` grows with every change, so two readings can be put in order.
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
                 * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
                 */
                workflowId: components["parameters"]["WorkflowId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a workflow execution
         * @description Ends a running execution: it becomes `CANCELLED`, and no further step starts. A repeat on a cancelled execution changes nothing and answers the same; an execution that ended in another way stays as it is.
         */
        post: operations["cancelWorkflow"];
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
         * Fetch the result of a workflow execution
         * @description Gives what a completed execution produced, for 30 days after its end. A result of up to 9,000,000 bytes is the body itself, as `application/json`. A larger one is replaced by a redirect object with a media type of its own, `application/vnd.wrp.result-redirect+json`: look at the `Content-Type` to tell the two apart, for a result may hold any fields.
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
         * @description Gives the memberships that were given to users in this workspace, in the order of their creation.
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
         * @description Gives the user a role in the workspace. A user who is a member already has the new role instead of the old one. The body names the user again, and must name the same one as the path. Where the new role or the old one carries permissions on the organization or on another workspace, the caller must hold those permissions there.
         */
        put: operations["setMembership"];
        post?: never;
        /**
         * Remove a member
         * @description Takes the user's own membership in the workspace away. What an owner or admin inherits stays. Where its role carries permissions on the organization or on another workspace, the caller must hold those permissions there.
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
         * @description Sent when the file is stored; fetch it with `GET /tables/{tableId}/records/{recordId}/attachments/{attachmentId}`.
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
         * @description The file and all its download links are gone.
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
         * @description The event does not hold the link itself.
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
         * A single-use link was mailed
         * @description Sent when the mail server has taken the message to the contact of the case.
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
         * @description A person confirmed on the page of the link, and the workflow was started. Opening the page alone sends nothing.
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
         * @description The user has no role of its own in the workspace any more.
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
         * @description Sent when a user got a role in a workspace, for the first time or in place of another.
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
         * @description The values are not part of the event; read them with `GET /parameters/{parametersId}`.
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
         * @description Sent for an upload and for a file that a workflow made.
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
         * @description The enrolled factors are removed and the refresh tokens of the user have ended.
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
         * @description The user is active again, with the role in the event; the former credentials stay dead.
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
         * @description Sent when `PUT /organizations/users/{userId}/role` gave the user another role.
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
         * @description The user and all credentials of the user have lost their access.
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
         * @description Sent when `PUT /organizations/users/{userId}/profile` replaced the profile.
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
         * @description Sent once for each execution that a caller cancelled.
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
         * @description The result can be fetched with `GET /workflows/{workflowId}/result`.
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
         * @description A step failed and the definition does not catch the error.
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
         * @description Sent once for each execution, started by the API or from a link.
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
        /** @description An API key and its secret, as they were shown when the key was made. */
        ApiKeyCredentials: {
            /** @description The API key; it names the key and is no secret. */
            key: string;
            /** @description The secret of the key. Keep it out of logs and addresses. */
            secret: string;
        };
        /** @description A file attached to a record. */
        Attachment: {
            /** @description A moment, ISO 8601 in UTC with fractional seconds. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            /** @description Name of the file, in any script, normalised to Unicode NFC. Directories before it are cut off (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is a quotation mark; all else is kept as given. */
            name: components["schemas"]["FileName"];
            /** @description Identifier of the record that the file is attached to. */
            recordId: components["schemas"]["Uuid"];
            /** @description Size of the file in bytes. */
            size: number;
            /** @description The tags of the attachment; `[]` if it has none. */
            tags: components["schemas"]["Tags"];
            /** @description Media type of the file as the uploaded part declared it, never guessed from the bytes; `application/octet-stream` if it declared none. */
            type: components["schemas"]["MediaType"];
        };
        /** @description A file was attached to a record. */
        AttachmentCreated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The attachment. */
            data: components["schemas"]["AttachmentCreatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "attachment.created";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The attachment. */
        AttachmentCreatedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            attachmentId: components["schemas"]["Uuid"];
            /** @description Name of the file, in any script, normalised to Unicode NFC. Directories before it are cut off (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is a quotation mark; all else is kept as given. */
            name: components["schemas"]["FileName"];
            /** @description An identifier, as a UUID in its canonical form. */
            recordId: components["schemas"]["Uuid"];
            /** @description Size of the file in bytes. */
            size: number;
            /** @description An identifier, as a UUID in its canonical form. */
            tableId: components["schemas"]["Uuid"];
            /** @description Words to find and sort attachments by, in the order given; at most 20. */
            tags: components["schemas"]["Tags"];
            /** @description Media type of the file as the uploaded part declared it, never guessed from the bytes; `application/octet-stream` if it declared none. */
            type: components["schemas"]["MediaType"];
        };
        /** @description An attachment was deleted. */
        AttachmentDeleted: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The attachment that is gone. */
            data: components["schemas"]["AttachmentDeletedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "attachment.deleted";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The attachment that is gone. */
        AttachmentDeletedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            attachmentId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            recordId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            tableId: components["schemas"]["Uuid"];
        };
        /** @description The file to attach. */
        AttachmentForm: {
            /** @description One part with a file name; its `Content-Type` becomes that of the attachment. */
            file: components["schemas"]["FileContent"];
            /** @description One part named `tags` for each tag; none if left out. */
            tags?: components["schemas"]["Tags"];
        };
        /** @description Where to read an attached file. */
        AttachmentLink: {
            /**
             * Format: uri
             * @description Address of the file, to be fetched with a plain GET without a token. Whoever has it can read the file until it expires: keep it secret.
             */
            link: string;
        };
        /**
         * Format: date-time
         * @description A moment, ISO 8601 in UTC with fractional seconds.
         */
        DateTime: string;
        /** @description The one shape of every failure. */
        Error: {
            /** @description What went wrong; at least one entry. */
            errors: components["schemas"]["ErrorItem"][];
            /**
             * Format: uuid
             * @description Names this one occurrence. Equal to the `Request-Id` header, and to the request id of the line in the platform's log: quote it when you ask for help.
             */
            fingerprint: string;
        };
        /**
         * @description The reason: a documented list, which may grow in a minor version. Write no exhaustive `switch` over it: handle a code that you do not know by the HTTP status. The errors guide has an entry for each.
         * @enum {string}
         */
        ErrorCode: "request_malformed" | "request_timeout" | "headers_too_large" | "parameter_invalid" | "body_malformed" | "body_invalid" | "multipart_malformed" | "role_unknown" | "user_id_mismatch" | "expiry_out_of_range" | "parameters_mismatch" | "record_mismatch" | "case_has_no_contact" | "link_objects_mismatch" | "credentials_missing" | "credentials_invalid" | "token_expired" | "permission_denied" | "beyond_own_permissions" | "path_not_found" | "user_not_found" | "workspace_not_found" | "membership_not_found" | "resource_not_found" | "table_not_found" | "record_not_found" | "attachment_not_found" | "workflow_definition_not_found" | "execution_not_found" | "result_not_available" | "parameters_not_found" | "case_not_found" | "webhook_key_not_found" | "link_not_found" | "method_not_allowed" | "user_not_terminated" | "last_owner" | "own_user" | "execution_already_ended" | "too_many_attachments" | "too_many_members" | "idempotency_key_in_use" | "link_expired" | "link_used" | "body_too_large" | "file_too_large" | "storage_quota_exceeded" | "content_type_unsupported" | "range_not_satisfiable" | "idempotency_key_reused" | "rate_limit_exceeded" | "mail_limit_exceeded" | "internal_error" | "upstream_unavailable" | "service_unavailable";
        /** @description One thing that went wrong. */
        ErrorItem: {
            /** @description The reason: a documented list, which may grow in a minor version. Write no exhaustive `switch` over it: handle a code that you do not know by the HTTP status. The errors guide has an entry for each. */
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence for people. Branch on the code, never on the sentence. */
            message: string;
            /** @description Which path, query or header parameter. */
            parameter?: string;
            /** @description Where in the request body, as a JSON Pointer (RFC 6901). */
            pointer?: string;
        };
        /**
         * Format: uuid
         * @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop.
         */
        EventId: string;
        /** @description Where an execution was started from. */
        ExecutionOrigin: {
            /**
             * @description `API` for a call of `POST /workflows`, `LINK` for a single-use link.
             * @enum {string}
             */
            type: "API" | "LINK";
            /** @description From the API, the home workspace of the token; from a link, the workspace of the case. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description What the execution works on: any JSON object that fits the definition's input schema. It travels in a body of at most 1 MiB. */
        ExecutionParameters: {
            [key: string]: unknown;
        };
        /**
         * @description `RUNNING` until it ends as one of the others, which never change: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, `EXPIRED` when `expiresAt` passed.
         * @enum {string}
         */
        ExecutionStatus: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "EXPIRED";
        /**
         * @description `BACKGROUND` when started by the API, `INTERACTIVE` when a person started it from a link.
         * @enum {string}
         */
        ExecutionType: "BACKGROUND" | "INTERACTIVE";
        /**
         * Format: binary
         * @description The bytes of a file; none is fine. An upload is at most 100 MiB unless configured otherwise, and never more than 5 GiB.
         */
        FileContent: Blob;
        /** @description Name of the file, in any script, normalised to Unicode NFC. Directories before it are cut off (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is a quotation mark; all else is kept as given. */
        FileName: string;
        /** @description What an owner or admin of the organization is in every workspace of it. */
        InheritedMembership: {
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @description Identifier of the user's organization role. */
            roleId: components["schemas"]["Uuid"];
            /** @description Status of the user. A terminated user is listed and has no access. */
            status: components["schemas"]["UserStatus"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description A job title; may be empty. */
        JobTitle: string;
        /** @description A single-use link was created. */
        LinkCreated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The link, what it is for and how long it lives. */
            data: components["schemas"]["LinkCreatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "link.created";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The link, what it is for and how long it lives. */
        LinkCreatedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            caseId: components["schemas"]["Uuid"];
            /** @description When the link stops working. */
            expiresAt: components["schemas"]["DateTime"];
            /** @description Identifier of the link; not the link itself. */
            linkId: components["schemas"]["Uuid"];
            /** @description The parameter set that the workflow will start with; absent if there is none. */
            parametersId?: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description For which case a link is made, and which workflow it starts. */
        LinkRequest: {
            /** @description Identifier of the case; one of the definition's workspace. */
            caseId: components["schemas"]["Uuid"];
            /** @description A stored parameter set of that definition, to start the workflow with. Without it the workflow starts with `{}`. */
            parametersId?: components["schemas"]["Uuid"];
            /** @description Identifier of the workflow definition that the link starts. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description A single-use link was mailed. */
        LinkSent: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The link and what it is for. */
            data: components["schemas"]["LinkSentEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "link.sent";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The link and what it is for. */
        LinkSentEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            caseId: components["schemas"]["Uuid"];
            /** @description Identifier of the link; not the link itself. */
            linkId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description A single-use link was used and started a workflow. */
        LinkUsed: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The link, what it is for and the execution that it started. */
            data: components["schemas"]["LinkUsedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "link.used";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The link, what it is for and the execution that it started. */
        LinkUsedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            caseId: components["schemas"]["Uuid"];
            /** @description Identifier of the link; not the link itself. */
            linkId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            workflowDefinitionId: components["schemas"]["Uuid"];
            /** @description Identifier of the execution. */
            workflowId: components["schemas"]["Uuid"];
        };
        /** @description A language tag (BCP 47), such as `en`, `fr` or `de-CH`. */
        Locale: string;
        /** @description Media type of the file as the uploaded part declared it, never guessed from the bytes; `application/octet-stream` if it declared none. */
        MediaType: string;
        /** @description A direct membership, which gives a user a role in one workspace. */
        Membership: {
            /** @description The member's role. `GET /organizations/workspaces/{workspaceId}/roles` says what it permits. */
            role: components["schemas"]["MembershipRole"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description Which workspace role the user is to have. */
        MembershipChoice: {
            /** @description Identifier of a role of this workspace. */
            roleId: components["schemas"]["Uuid"];
            /** @description The user of the path. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description A workspace membership was removed. */
        MembershipRemoved: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The user. */
            data: components["schemas"]["MembershipRemovedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "membership.removed";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The user. */
        MembershipRemovedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description The member's role. `GET /organizations/workspaces/{workspaceId}/roles` says what it permits. */
        MembershipRole: {
            /** @description When the role was created, not the membership. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            /** @description Name of the role, unique in its workspace. */
            name: components["schemas"]["WorkspaceRoleName"];
            /** @description `WORKSPACE` for the built-in roles that every workspace has, `CUSTOM` for declared ones. */
            type: components["schemas"]["WorkspaceRoleType"];
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description A workspace membership was added or changed. */
        MembershipSet: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The user and the workspace role that the user has now. */
            data: components["schemas"]["MembershipSetEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "membership.set";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The user and the workspace role that the user has now. */
        MembershipSetEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            roleId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description Which definition the parameters are for, and the parameters. */
        NewParameterSet: {
            /** @description The parameters: any JSON value, in practice an object of keys to numbers, booleans and strings. It is kept as a value, with numbers in double precision (RFC 8259, section 6), and travels in a body of at most 1 MiB. */
            parameters: components["schemas"]["ParametersValue"];
            /** @description Identifier of the workflow definition. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description A role in the organization. */
        OrganizationRole: {
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            /** @description `owner` and `admin` hold every permission in every workspace of the organization; `member` holds what the user's workspace roles permit. */
            name: components["schemas"]["OrganizationRoleName"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
        };
        /** @description Which organization role the user is to have. */
        OrganizationRoleChoice: {
            /** @description An identifier, as a UUID in its canonical form. */
            roleId: components["schemas"]["Uuid"];
        };
        /**
         * @description `owner` and `admin` hold every permission in every workspace of the organization; `member` holds what the user's workspace roles permit.
         * @enum {string}
         */
        OrganizationRoleName: "owner" | "admin" | "member";
        /** @description A parameter set was stored. */
        ParametersCreated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The parameter set and its workflow definition. */
            data: components["schemas"]["ParametersCreatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "parameters.created";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The parameter set and its workflow definition. */
        ParametersCreatedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            parametersId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description Stored parameters of a workflow definition. */
        ParameterSet: {
            /** @description The parameters: any JSON value, in practice an object of keys to numbers, booleans and strings. It is kept as a value, with numbers in double precision (RFC 8259, section 6), and travels in a body of at most 1 MiB. */
            parameters: components["schemas"]["ParametersValue"];
            /** @description Identifier of the parameter set. */
            parametersId: components["schemas"]["Uuid"];
            /** @description Identifier of the workflow definition. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description The parameters: any JSON value, in practice an object of keys to numbers, booleans and strings. It is kept as a value, with numbers in double precision (RFC 8259, section 6), and travels in a body of at most 1 MiB. */
        ParametersValue: unknown;
        /** @description A first or last name, kept exactly as given (Unicode NFC). */
        PersonName: string;
        /** @description What people see of a user. */
        Profile: {
            /** @description A moment, ISO 8601 in UTC with fractional seconds. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description A first or last name, kept exactly as given (Unicode NFC). */
            firstName: components["schemas"]["PersonName"];
            /** @description Identifier of the profile, not of the user. */
            id: components["schemas"]["Uuid"];
            /** @description A first or last name, kept exactly as given (Unicode NFC). */
            lastName: components["schemas"]["PersonName"];
            /**
             * Format: date-time
             * @description When an API key of the user was last exchanged for tokens. Null before the first time, and after reinstatement until the next.
             */
            lastSignedInAt: string | null;
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @description Always equal to the user's `roleId`. */
            roleId: components["schemas"]["Uuid"];
            /** @description Terminated users keep their data and lose their access. */
            status: components["schemas"]["UserStatus"];
            /** @description A job title; may be empty. */
            title: components["schemas"]["JobTitle"];
        };
        /** @description The new profile; it replaces all three fields. */
        ProfileUpdate: {
            /** @description A first or last name, kept exactly as given (Unicode NFC). */
            firstName: components["schemas"]["PersonName"];
            /** @description A first or last name, kept exactly as given (Unicode NFC). */
            lastName: components["schemas"]["PersonName"];
            /** @description A job title; may be empty. */
            title: components["schemas"]["JobTitle"];
        };
        /** @description A stored file. */
        Resource: {
            /** @description An identifier, as a UUID in its canonical form. */
            resourceId: components["schemas"]["Uuid"];
            /** @description Name of the file, in any script, normalised to Unicode NFC. Directories before it are cut off (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is a quotation mark; all else is kept as given. */
            resourceName: components["schemas"]["FileName"];
            /**
             * Format: uri-reference
             * @description Where to read the file, relative to the address of the API.
             */
            resourcePath: string;
        };
        /** @description A file resource was created. */
        ResourceCreated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The file resource. */
            data: components["schemas"]["ResourceCreatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "resource.created";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The file resource. */
        ResourceCreatedEventData: {
            /** @description Media type of the file as the uploaded part declared it, never guessed from the bytes; `application/octet-stream` if it declared none. */
            contentType: components["schemas"]["MediaType"];
            /** @description Name of the file, in any script, normalised to Unicode NFC. Directories before it are cut off (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is a quotation mark; all else is kept as given. */
            name: components["schemas"]["FileName"];
            /** @description An identifier, as a UUID in its canonical form. */
            resourceId: components["schemas"]["Uuid"];
            /** @description SHA-256 of the file, in lower-case hexadecimal. */
            sha256: string;
            /** @description Size of the file in bytes. */
            size: number;
        };
        /** @description The file to store. */
        ResourceForm: {
            /** @description One part with a file name; its `Content-Type` becomes that of the resource. */
            file: components["schemas"]["FileContent"];
        };
        /** @description Where to fetch a result of more than 9,000,000 bytes. */
        ResultRedirect: {
            /** @description When the address stops working, 15 minutes after the answer. Ask again for a new one. */
            expiresAt: components["schemas"]["DateTime"];
            /**
             * Format: uri
             * @description Address of the result, to be fetched with a plain GET without a token. Whoever has it can read the result until `expiresAt`: keep it secret.
             */
            redirectUrl: string;
            /** @description SHA-256 of the result's bytes, in lower-case hexadecimal. */
            sha256: string;
            /** @description Size of the result in bytes. */
            size: number;
        };
        /** @description One permission on one object. */
        RolePermission: {
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            /** @description The permission, such as `can_view_workspace` or `can_edit_attachments`. A role may hold permissions that no operation of this API asks for, such as `can_edit_data`. */
            relation: string;
            /** @description Identifier of that object. */
            resourceId: components["schemas"]["Uuid"];
            /**
             * @description What kind of object the permission is on.
             * @enum {string}
             */
            resourceType: "organization" | "workspace" | "table";
        };
        /** @description One tag, kept exactly as given (Unicode NFC), in any script. */
        Tag: string;
        /** @description Words to find and sort attachments by, in the order given; at most 20. */
        Tags: components["schemas"]["Tag"][];
        /** @description The refresh token to be used up. */
        TokenRefresh: {
            /** @description The refresh token of the last answer. */
            refreshToken: string;
        };
        /** @description An access token to call with, and a refresh token to get the next one. */
        Tokens: {
            /** @description A JWT for the header `Authorization: Bearer <accessToken>`. Read nothing out of it. */
            accessToken: string;
            /** @description Seconds until the access token expires, counted from the answer; 300 unless configured otherwise. */
            expiryDuration: number;
            /** @description A JWT for `POST /auth/refresh`, good for one refresh. */
            refreshToken: string;
            /**
             * @description How the access token is sent.
             * @enum {string}
             */
            tokenType: "Bearer";
        };
        /** @description Hints for a page that shows the execution, as the definition gives them; any JSON object, `{}` if it gives none. The platform's own pages, those of single-use links, use `title`, `description` and `fields`: see the guide on workflows. */
        UiOptions: {
            [key: string]: unknown;
        };
        /** @description A user of the organization. A service account is a user like any other. */
        User: {
            /** @description A moment, ISO 8601 in UTC with fractional seconds. */
            createdDateTime: components["schemas"]["DateTime"];
            /** Format: email */
            email: string;
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            /** @description Identifier at the identity provider. */
            idpId: components["schemas"]["Uuid"];
            /** @description What people see of a user. */
            profile: components["schemas"]["Profile"];
            /** @description Identifier of the user's organization role. */
            roleId: components["schemas"]["Uuid"];
        };
        /** @description A user's second factors were reset. */
        UserMfaReset: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The user. */
            data: components["schemas"]["UserMfaResetEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "user.mfa_reset";
        };
        /** @description The user. */
        UserMfaResetEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description One page of users, ordered by creation, then by id. */
        UserPage: {
            content: components["schemas"]["User"][];
            /** @description The page's number, counted from 0. */
            number: number;
            /** @description The page size that was used. */
            size: number;
            /** @description Users in all pages together. */
            totalElements: number;
            totalPages: number;
        };
        /** @description A terminated user was reinstated. */
        UserReinstated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The user, the role given and the new status. */
            data: components["schemas"]["UserReinstatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "user.reinstated";
        };
        /** @description The user, the role given and the new status. */
        UserReinstatedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            roleId: components["schemas"]["Uuid"];
            /** @description Terminated users keep their data and lose their access. */
            status: components["schemas"]["UserStatus"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description A user's organization role was changed. */
        UserRoleChanged: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The user and the new organization role. */
            data: components["schemas"]["UserRoleChangedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "user.role_changed";
        };
        /** @description The user and the new organization role. */
        UserRoleChangedEventData: {
            /** @description An identifier, as a UUID in its canonical form. */
            roleId: components["schemas"]["Uuid"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /**
         * @description Terminated users keep their data and lose their access.
         * @enum {string}
         */
        UserStatus: "ACTIVE" | "TERMINATED";
        /** @description A user was terminated. */
        UserTerminated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The user and the new status. */
            data: components["schemas"]["UserTerminatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "user.terminated";
        };
        /** @description The user and the new status. */
        UserTerminatedEventData: {
            /** @description Terminated users keep their data and lose their access. */
            status: components["schemas"]["UserStatus"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /** @description A user's profile was replaced. */
        UserUpdated: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The fields of the new profile. */
            data: components["schemas"]["UserUpdatedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "user.updated";
        };
        /** @description The fields of the new profile. */
        UserUpdatedEventData: {
            /** @description A first or last name, kept exactly as given (Unicode NFC). */
            firstName: components["schemas"]["PersonName"];
            /** @description A first or last name, kept exactly as given (Unicode NFC). */
            lastName: components["schemas"]["PersonName"];
            /** @description A job title; may be empty. */
            title: components["schemas"]["JobTitle"];
            /** @description An identifier, as a UUID in its canonical form. */
            userId: components["schemas"]["Uuid"];
        };
        /**
         * Format: uuid
         * @description An identifier, as a UUID in its canonical form.
         */
        Uuid: string;
        /** @description The key as one line of base64: the DER form of SubjectPublicKeyInfo (RFC 5280), without line breaks. */
        WebhookKeyDer: string;
        /** @description The key as PEM text (RFC 7468), label `PUBLIC KEY`. */
        WebhookKeyPem: string;
        /** @description A workflow execution was cancelled. */
        WorkflowCancelled: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The execution after the change. */
            data: components["schemas"]["WorkflowEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "workflow.cancelled";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description A workflow execution completed and has a result. */
        WorkflowCompleted: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The execution after the change. */
            data: components["schemas"]["WorkflowEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "workflow.completed";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The execution after the change. */
        WorkflowEventData: {
            /** @description `BACKGROUND` when started by the API, `INTERACTIVE` when a person started it from a link. */
            executionType: components["schemas"]["ExecutionType"];
            /** @description Version of the execution after the change. Events can overtake each other; this puts them in order. */
            executionVersion: number;
            /** @description The record that the execution is about; absent if there is none. */
            recordId?: components["schemas"]["Uuid"];
            /** @description `RUNNING` until it ends as one of the others, which never change: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, `EXPIRED` when `expiresAt` passed. */
            status: components["schemas"]["ExecutionStatus"];
            /** @description An identifier, as a UUID in its canonical form. */
            workflowDefinitionId: components["schemas"]["Uuid"];
            /** @description Identifier of the execution. */
            workflowId: components["schemas"]["Uuid"];
        };
        /** @description One run of a workflow definition. */
        WorkflowExecution: {
            /** @description `BACKGROUND` when started by the API, `INTERACTIVE` when a person started it from a link. */
            executionType: components["schemas"]["ExecutionType"];
            /** @description Starts at 1 and grows with every stored change of the execution. */
            executionVersion: number;
            /** @description When the execution is ended as `EXPIRED` if it still runs. */
            expiresAt: components["schemas"]["DateTime"];
            /** @description Identifier of the execution; the `workflowId` of the other operations. */
            id: components["schemas"]["Uuid"];
            /** @description A language tag (BCP 47), such as `en`, `fr` or `de-CH`. */
            locale: components["schemas"]["Locale"];
            /** @description Name of the definition at the time of the start. */
            name: string;
            /** @description Where an execution was started from. */
            origin: components["schemas"]["ExecutionOrigin"];
            /** @description What the execution works on: any JSON object that fits the definition's input schema. It travels in a body of at most 1 MiB. */
            parameters: components["schemas"]["ExecutionParameters"];
            /** @description The record that the execution is about; absent if none was named at the start. */
            recordId?: components["schemas"]["Uuid"];
            /** @description Revision of the definition that runs. An execution keeps the revision it was started with when the definition changes. */
            revision: string;
            /** @description `RUNNING` until it ends as one of the others, which never change: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, `EXPIRED` when `expiresAt` passed. */
            status: components["schemas"]["ExecutionStatus"];
            /** @description Hints for a page that shows the execution, as the definition gives them; any JSON object, `{}` if it gives none. The platform's own pages, those of single-use links, use `title`, `description` and `fields`: see the guide on workflows. */
            uiOptions: components["schemas"]["UiOptions"];
            /** @description Identifier of the workflow definition. */
            workflowDefinitionId: components["schemas"]["Uuid"];
            /** @description The workspace of the definition. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description A workflow execution expired. */
        WorkflowExpired: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The execution after the change. */
            data: components["schemas"]["WorkflowEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "workflow.expired";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description A workflow execution failed. */
        WorkflowFailed: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The execution after the change, and the error that ended it. */
            data: components["schemas"]["WorkflowFailedEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "workflow.failed";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description The execution after the change, and the error that ended it. */
        WorkflowFailedEventData: {
            /** @description Name of the error, as Amazon States Language names it, or as the definition does. */
            error: string;
            /** @description `BACKGROUND` when started by the API, `INTERACTIVE` when a person started it from a link. */
            executionType: components["schemas"]["ExecutionType"];
            /** @description Version of the execution after the change. Events can overtake each other; this puts them in order. */
            executionVersion: number;
            /** @description The record that the execution is about; absent if there is none. */
            recordId?: components["schemas"]["Uuid"];
            /** @description `RUNNING` until it ends as one of the others, which never change: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, `EXPIRED` when `expiresAt` passed. */
            status: components["schemas"]["ExecutionStatus"];
            /** @description An identifier, as a UUID in its canonical form. */
            workflowDefinitionId: components["schemas"]["Uuid"];
            /** @description Identifier of the execution. */
            workflowId: components["schemas"]["Uuid"];
        };
        /** @description A link that starts a workflow once. */
        WorkflowLink: {
            /**
             * Format: uri
             * @description Address to give to the person, valid for 7 days. Whoever has it can start the workflow: treat it like a password.
             */
            link: string;
        };
        /** @description What the execution produced: any JSON object; the definition decides its fields. Served here up to 9,000,000 bytes. */
        WorkflowResult: {
            [key: string]: unknown;
        };
        /** @description Which definition to start, and with what. */
        WorkflowStart: {
            /**
             * Format: date-time
             * @description When the execution is ended as `EXPIRED` if it still runs. From 30 minutes to 30 days after the request by the platform's clock, both bounds included; without it, 30 days. ISO 8601 with an offset, or `Z` for UTC.
             */
            expiresAt?: string;
            /** @description Language of the execution, a language tag (BCP 47) such as `en` or `fr`. Without it the definition's own locale counts, or `en` if it has none. */
            locale?: components["schemas"]["Locale"];
            /**
             * @description What the execution works on: any JSON object that fits the definition's input schema. It travels in a body of at most 1 MiB.
             * @default {}
             */
            parameters?: components["schemas"]["ExecutionParameters"];
            /** @description The record that the execution is about; one of the definition's workspace. */
            recordId?: components["schemas"]["Uuid"];
            /** @description Identifier of the workflow definition. */
            workflowDefinitionId: components["schemas"]["Uuid"];
        };
        /** @description A workflow execution was started. */
        WorkflowStarted: {
            /** @description When the change was made. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description The execution after the change. */
            data: components["schemas"]["WorkflowEventData"];
            /** @description Identifier of the event. A repeated delivery carries the same one: what you have seen before, you can drop. */
            id: components["schemas"]["EventId"];
            /** @description An identifier, as a UUID in its canonical form. */
            organizationId: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "workflow.started";
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description A part of the organization with roles, members, tables and workflow definitions of its own. */
        Workspace: {
            /** @description What the workspace is for; may be empty. */
            description: string;
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            name: string;
            /** @description `LIVE` for real work. What leaves a `SANDBOX` workspace, such as an e-mail or a webhook message, is marked as such. The sandbox environment has `SANDBOX` workspaces only. */
            workspaceType: components["schemas"]["WorkspaceType"];
        };
        /** @description Everybody with access to a workspace. */
        WorkspaceMemberships: {
            /** @description Memberships given in this workspace, in the order of their creation. */
            directMemberships: components["schemas"]["Membership"][];
            /** @description Memberships of the organization's owners and admins, in the order of the users' creation. */
            inheritedMemberships: components["schemas"]["InheritedMembership"][];
        };
        /** @description A role in a workspace, with what it permits. */
        WorkspaceRole: {
            /** @description A moment, ISO 8601 in UTC with fractional seconds. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description What the role is for; may be empty. */
            description: string;
            /** @description An identifier, as a UUID in its canonical form. */
            id: components["schemas"]["Uuid"];
            /** @description Name of the role, unique in its workspace. */
            name: components["schemas"]["WorkspaceRoleName"];
            /** @description All that the role permits, ordered by identifier; empty if it permits nothing. */
            permissions: components["schemas"]["RolePermission"][];
            /** @description `WORKSPACE` for the built-in roles that every workspace has, `CUSTOM` for declared ones. */
            type: components["schemas"]["WorkspaceRoleType"];
            /** @description An identifier, as a UUID in its canonical form. */
            workspaceId: components["schemas"]["Uuid"];
        };
        /** @description Name of the role, unique in its workspace. */
        WorkspaceRoleName: string;
        /**
         * @description `WORKSPACE` for the built-in roles that every workspace has, `CUSTOM` for declared ones.
         * @enum {string}
         */
        WorkspaceRoleType: "WORKSPACE" | "CUSTOM";
        /**
         * @description `LIVE` for real work. What leaves a `SANDBOX` workspace, such as an e-mail or a webhook message, is marked as such. The sandbox environment has `SANDBOX` workspaces only.
         * @enum {string}
         */
        WorkspaceType: "LIVE" | "SANDBOX";
    };
    responses: {
        /** @description No such table, record or attachment in the organization. */
        AttachmentNotFound: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The receiver wants no more events: the platform stops delivering to this endpoint. After any other answer, and after none, it delivers the event again later. */
        EventsUnwanted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver has taken the event. What the answer's body holds does not matter. */
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file is larger than the platform takes (100 MiB unless configured otherwise), or than what the organization's storage quota leaves. */
        FileTooLarge: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller does not hold the permission on the addressed object. */
        Forbidden: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller does not hold the permission on the addressed object, or the change goes beyond what the caller itself may do. */
        ForbiddenChange: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A request with this `Idempotency-Key` is still being answered. */
        IdempotencyConflict: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` was used for another request before. */
        IdempotencyMismatch: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the platform. */
        InternalError: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not as documented. */
        InvalidAuthRequest: {
            headers: {
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A path, query or header parameter is not as documented. */
        InvalidParameters: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not as documented. */
        InvalidRequest: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such workspace in the organization, or the user has no membership of its own in it. */
        MembershipNotFound: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body stopped arriving; nothing came for 30 seconds (unless configured otherwise). */
        RequestTimeout: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The platform cannot answer just now; a later try may succeed. */
        ServiceUnavailable: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description Seconds to wait before the next try.
                 * @example 19
                 */
                "Retry-After": number;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The budget of requests is used up; or the credentials are invalid, and so were too many attempts from this address before. */
        TooManyRequests: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description Seconds to wait before the next try.
                 * @example 19
                 */
                "Retry-After": number;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description How to prove who you are (RFC 9110).
                 * @example Bearer realm="Workflow and Records Platform"
                 */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Content-Type` is not one that the operation takes. */
        UnsupportedContentType: {
            headers: {
                /**
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A system behind the platform cannot be reached. */
        UpstreamUnavailable: {
            headers: {
                /**
                 * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                 * @example "requests";r=598;t=41
                 */
                RateLimit?: string;
                /**
                 * @description The budget itself: `q` requests in a window of `w` seconds.
                 * @example "requests";q=600;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
                 * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                 * @example @1793491200
                 */
                Deprecation?: string;
                /**
                 * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                 * @example </docs/versioning>; rel="deprecation"; type="text/html"
                 */
                Link?: string;
                /**
                 * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                 * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                 */
                "Request-Id": string;
                /**
                 * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                 * @example Mon, 01 Nov 2027 00:00:00 GMT
                 */
                Sunset?: string;
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
         * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
         * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` of the copy that you have (RFC 9110), several of them with commas between, or `*`. If one is the file's, the answer is 304 without the file.
         * @example "9e8931c781ada16e210803df11fabea5850a60f80442e0870629c494eecf6c59"
         */
        IfNoneMatch: string;
        /**
         * @description Identifier of the key, equal to the `kid` in a webhook's JWS header.
         * @example d4c3b2a1-0f9e-4d8c-b7a6-5948372615f1
         */
        KeyId: string;
        /**
         * @description Page number, counted from 0.
         * @example 0
         */
        Page: number;
        /**
         * @description How many entries a page holds.
         * @example 20
         */
        PageSize: number;
        /**
         * @description Identifier of the parameter set.
         * @example 8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101
         */
        ParametersId: string;
        /**
         * @description The form of the key: `true` for PEM text, `false` for one line of base64 (the DER form of SubjectPublicKeyInfo).
         * @example false
         */
        Pem: boolean;
        /**
         * @description Asks for a part of the file (RFC 9110): one range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500` for the last 500. Several ranges, or another unit, are answered with the whole file.
         * @example bytes=0-7
         */
        Range: string;
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
         * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
         * @example true
         */
        WebhookSandbox: "true";
        /**
         * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
         * @example eyJhbGciOiJFUzI1NiIsImtpZCI6ImQ0YzNiMmExLTBmOWUtNGQ4Yy1iN2E2LTU5NDgzNzI2MTVmMSIsImlhdCI6MTc5NTA3OTU2NX0..lUeBxaAzoZv7s0UNb7DR4dvMSZabKkpFXb6mdyEe02re7TN10wY0HsrQnOsD9lSSx6cv7KUTruboe-Qr_GfM4w
         */
        WebhookSignature: string;
        /**
         * @description Identifier of the workflow execution.
         * @example 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01
         */
        WorkflowId: string;
        /**
         * @description Identifier of the workspace.
         * @example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01
         */
        WorkspaceId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Parts of the file can be asked for.
         * @example bytes
         */
        AcceptRanges: "bytes";
        /**
         * @description Always `attachment`, with the file's name (RFC 6266; in any script, as of RFC 8187).
         * @example attachment; filename="policy-terms.pdf"; filename*=UTF-8''policy-terms.pdf
         */
        ContentDisposition: string;
        /**
         * @description Which bytes these are, and how many the file has.
         * @example bytes 0-7/636
         */
        ContentRange: string;
        /**
         * @description A browser must not run what is in the file.
         * @example sandbox
         */
        ContentSecurityPolicy: "sandbox";
        /**
         * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
         * @example @1793491200
         */
        Deprecation: string;
        /**
         * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
         * @example </docs/versioning>; rel="deprecation"; type="text/html"
         */
        DeprecationLink: string;
        /**
         * @description Names the content of the file (RFC 9110); to be sent back in `If-None-Match`.
         * @example "9e8931c781ada16e210803df11fabea5850a60f80442e0870629c494eecf6c59"
         */
        ETag: string;
        /**
         * @description How long the key may be kept; it never changes under the same identifier.
         * @example public, max-age=3600
         */
        KeyCacheControl: string;
        /**
         * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
         * @example "requests";r=598;t=41
         */
        RateLimit: string;
        /**
         * @description The budget itself: `q` requests in a window of `w` seconds.
         * @example "requests";q=600;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
         * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
         */
        RequestId: string;
        /**
         * @description Seconds to wait before the next try.
         * @example 19
         */
        RetryAfter: number;
        /**
         * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
         * @example Mon, 01 Nov 2027 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description How many bytes the file has.
         * @example bytes *\/636
         */
        UnsatisfiedContentRange: string;
        /**
         * @description How to prove who you are (RFC 9110).
         * @example Bearer realm="Workflow and Records Platform"
         */
        WwwAuthenticate: string;
        /**
         * @description A browser must not guess another media type.
         * @example nosniff
         */
        XContentTypeOptions: "nosniff";
    };
    pathItems: never;
}
export type ApiKeyCredentials = components['schemas']['ApiKeyCredentials'];
export type Attachment = components['schemas']['Attachment'];
export type AttachmentCreated = components['schemas']['AttachmentCreated'];
export type AttachmentCreatedEventData = components['schemas']['AttachmentCreatedEventData'];
export type AttachmentDeleted = components['schemas']['AttachmentDeleted'];
export type AttachmentDeletedEventData = components['schemas']['AttachmentDeletedEventData'];
export type AttachmentForm = components['schemas']['AttachmentForm'];
export type AttachmentLink = components['schemas']['AttachmentLink'];
export type DateTime = components['schemas']['DateTime'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorItem = components['schemas']['ErrorItem'];
export type EventId = components['schemas']['EventId'];
export type ExecutionOrigin = components['schemas']['ExecutionOrigin'];
export type ExecutionParameters = components['schemas']['ExecutionParameters'];
export type ExecutionStatus = components['schemas']['ExecutionStatus'];
export type ExecutionType = components['schemas']['ExecutionType'];
export type FileContent = components['schemas']['FileContent'];
export type FileName = components['schemas']['FileName'];
export type InheritedMembership = components['schemas']['InheritedMembership'];
export type JobTitle = components['schemas']['JobTitle'];
export type LinkCreated = components['schemas']['LinkCreated'];
export type LinkCreatedEventData = components['schemas']['LinkCreatedEventData'];
export type LinkRequest = components['schemas']['LinkRequest'];
export type LinkSent = components['schemas']['LinkSent'];
export type LinkSentEventData = components['schemas']['LinkSentEventData'];
export type LinkUsed = components['schemas']['LinkUsed'];
export type LinkUsedEventData = components['schemas']['LinkUsedEventData'];
export type Locale = components['schemas']['Locale'];
export type MediaType = components['schemas']['MediaType'];
export type Membership = components['schemas']['Membership'];
export type MembershipChoice = components['schemas']['MembershipChoice'];
export type MembershipRemoved = components['schemas']['MembershipRemoved'];
export type MembershipRemovedEventData = components['schemas']['MembershipRemovedEventData'];
export type MembershipRole = components['schemas']['MembershipRole'];
export type MembershipSet = components['schemas']['MembershipSet'];
export type MembershipSetEventData = components['schemas']['MembershipSetEventData'];
export type NewParameterSet = components['schemas']['NewParameterSet'];
export type OrganizationRole = components['schemas']['OrganizationRole'];
export type OrganizationRoleChoice = components['schemas']['OrganizationRoleChoice'];
export type OrganizationRoleName = components['schemas']['OrganizationRoleName'];
export type ParametersCreated = components['schemas']['ParametersCreated'];
export type ParametersCreatedEventData = components['schemas']['ParametersCreatedEventData'];
export type ParameterSet = components['schemas']['ParameterSet'];
export type ParametersValue = components['schemas']['ParametersValue'];
export type PersonName = components['schemas']['PersonName'];
export type Profile = components['schemas']['Profile'];
export type ProfileUpdate = components['schemas']['ProfileUpdate'];
export type Resource = components['schemas']['Resource'];
export type ResourceCreated = components['schemas']['ResourceCreated'];
export type ResourceCreatedEventData = components['schemas']['ResourceCreatedEventData'];
export type ResourceForm = components['schemas']['ResourceForm'];
export type ResultRedirect = components['schemas']['ResultRedirect'];
export type RolePermission = components['schemas']['RolePermission'];
export type Tag = components['schemas']['Tag'];
export type Tags = components['schemas']['Tags'];
export type TokenRefresh = components['schemas']['TokenRefresh'];
export type Tokens = components['schemas']['Tokens'];
export type UiOptions = components['schemas']['UiOptions'];
export type User = components['schemas']['User'];
export type UserMfaReset = components['schemas']['UserMfaReset'];
export type UserMfaResetEventData = components['schemas']['UserMfaResetEventData'];
export type UserPage = components['schemas']['UserPage'];
export type UserReinstated = components['schemas']['UserReinstated'];
export type UserReinstatedEventData = components['schemas']['UserReinstatedEventData'];
export type UserRoleChanged = components['schemas']['UserRoleChanged'];
export type UserRoleChangedEventData = components['schemas']['UserRoleChangedEventData'];
export type UserStatus = components['schemas']['UserStatus'];
export type UserTerminated = components['schemas']['UserTerminated'];
export type UserTerminatedEventData = components['schemas']['UserTerminatedEventData'];
export type UserUpdated = components['schemas']['UserUpdated'];
export type UserUpdatedEventData = components['schemas']['UserUpdatedEventData'];
export type Uuid = components['schemas']['Uuid'];
export type WebhookKeyDer = components['schemas']['WebhookKeyDer'];
export type WebhookKeyPem = components['schemas']['WebhookKeyPem'];
export type WorkflowCancelled = components['schemas']['WorkflowCancelled'];
export type WorkflowCompleted = components['schemas']['WorkflowCompleted'];
export type WorkflowEventData = components['schemas']['WorkflowEventData'];
export type WorkflowExecution = components['schemas']['WorkflowExecution'];
export type WorkflowExpired = components['schemas']['WorkflowExpired'];
export type WorkflowFailed = components['schemas']['WorkflowFailed'];
export type WorkflowFailedEventData = components['schemas']['WorkflowFailedEventData'];
export type WorkflowLink = components['schemas']['WorkflowLink'];
export type WorkflowResult = components['schemas']['WorkflowResult'];
export type WorkflowStart = components['schemas']['WorkflowStart'];
export type WorkflowStarted = components['schemas']['WorkflowStarted'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspaceMemberships = components['schemas']['WorkspaceMemberships'];
export type WorkspaceRole = components['schemas']['WorkspaceRole'];
export type WorkspaceRoleName = components['schemas']['WorkspaceRoleName'];
export type WorkspaceRoleType = components['schemas']['WorkspaceRoleType'];
export type WorkspaceType = components['schemas']['WorkspaceType'];
export type ResponseAttachmentNotFound = components['responses']['AttachmentNotFound'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseEventsUnwanted = components['responses']['EventsUnwanted'];
export type ResponseEventTaken = components['responses']['EventTaken'];
export type ResponseExecutionNotFound = components['responses']['ExecutionNotFound'];
export type ResponseFileTooLarge = components['responses']['FileTooLarge'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseForbiddenChange = components['responses']['ForbiddenChange'];
export type ResponseIdempotencyConflict = components['responses']['IdempotencyConflict'];
export type ResponseIdempotencyMismatch = components['responses']['IdempotencyMismatch'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseInvalidAuthRequest = components['responses']['InvalidAuthRequest'];
export type ResponseInvalidParameters = components['responses']['InvalidParameters'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseMembershipNotFound = components['responses']['MembershipNotFound'];
export type ResponseParametersNotFound = components['responses']['ParametersNotFound'];
export type ResponseRecordNotFound = components['responses']['RecordNotFound'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseResourceNotFound = components['responses']['ResourceNotFound'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnsupportedContentType = components['responses']['UnsupportedContentType'];
export type ResponseUpstreamUnavailable = components['responses']['UpstreamUnavailable'];
export type ResponseUserNotFound = components['responses']['UserNotFound'];
export type ResponseWorkflowDefinitionNotFound = components['responses']['WorkflowDefinitionNotFound'];
export type ResponseWorkspaceNotFound = components['responses']['WorkspaceNotFound'];
export type ParameterAttachmentId = components['parameters']['AttachmentId'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterKeyId = components['parameters']['KeyId'];
export type ParameterPage = components['parameters']['Page'];
export type ParameterPageSize = components['parameters']['PageSize'];
export type ParameterParametersId = components['parameters']['ParametersId'];
export type ParameterPem = components['parameters']['Pem'];
export type ParameterRange = components['parameters']['Range'];
export type ParameterRecordId = components['parameters']['RecordId'];
export type ParameterResourceId = components['parameters']['ResourceId'];
export type ParameterTableId = components['parameters']['TableId'];
export type ParameterUserId = components['parameters']['UserId'];
export type ParameterWebhookSandbox = components['parameters']['WebhookSandbox'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type ParameterWorkflowId = components['parameters']['WorkflowId'];
export type ParameterWorkspaceId = components['parameters']['WorkspaceId'];
export type HeaderAcceptRanges = components['headers']['AcceptRanges'];
export type HeaderContentDisposition = components['headers']['ContentDisposition'];
export type HeaderContentRange = components['headers']['ContentRange'];
export type HeaderContentSecurityPolicy = components['headers']['ContentSecurityPolicy'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderDeprecationLink = components['headers']['DeprecationLink'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderKeyCacheControl = components['headers']['KeyCacheControl'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderSunset = components['headers']['Sunset'];
export type HeaderUnsatisfiedContentRange = components['headers']['UnsatisfiedContentRange'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderXContentTypeOptions = components['headers']['XContentTypeOptions'];
export type $defs = Record<string, never>;
export interface operations {
    exchangeApiKey: {
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
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: components["responses"]["InvalidAuthRequest"];
            /** @description The key is unknown or revoked, the secret is not its own, or its user is terminated. */
            401: {
                headers: {
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description How to prove who you are (RFC 9110).
                     * @example Bearer realm="Workflow and Records Platform"
                     */
                    "WWW-Authenticate": string;
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
    refreshTokens: {
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
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: components["responses"]["InvalidAuthRequest"];
            /** @description The refresh token is unknown, used up, revoked or expired, or its user is terminated. */
            401: {
                headers: {
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description How to prove who you are (RFC 9110).
                     * @example Bearer realm="Workflow and Records Platform"
                     */
                    "WWW-Authenticate": string;
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
    getWebhookKey: {
        parameters: {
            query?: {
                /**
                 * @description The form of the key: `true` for PEM text, `false` for one line of base64 (the DER form of SubjectPublicKeyInfo).
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
            /** @description The public key, an elliptic-curve key on P-256, in the form that `pem` asks for. */
            200: {
                headers: {
                    /**
                     * @description How long the key may be kept; it never changes under the same identifier.
                     * @example public, max-age=3600
                     */
                    "Cache-Control": string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": components["schemas"]["WebhookKeyPem"];
                    "text/plain": components["schemas"]["WebhookKeyDer"];
                };
            };
            /** @description The identifier or the flag is not as documented. */
            400: {
                headers: {
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such key, or one so old that no signature made with it can be valid. */
            404: {
                headers: {
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
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
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowLink"];
                };
            };
            /** @description The request is not as documented, or the case, the parameter set and the workflow definition do not belong together. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    sendLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
            /** @description The link; its message is on the way. */
            201: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowLink"];
                };
            };
            /** @description The request is not as documented; the case, the parameter set and the workflow definition do not belong together; or the case has no contact to write to. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
            /** @description The budget of requests is used up, or the contact has been sent 10 links within an hour. A refused request makes no link and does not use its `Idempotency-Key`. */
            429: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description Seconds to wait before the next try.
                     * @example 19
                     */
                    "Retry-After": number;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listOrganizationRoles: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Page number, counted from 0.
                 * @example 0
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description How many entries a page holds.
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    getUser: {
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
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
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
    updateUserProfile: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedContentType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reinstateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
            /** @description The active user. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request is not as documented, or the role is not one of the organization. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
            /** @description The user is active, or the first request with this key is still running. */
            409: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    resetUserMfa: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    changeUserRole: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request is not as documented, or the role is not one of the organization. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    terminateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
            /** @description The user is the caller's own, or the first request with this key is still running. */
            409: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspaces that the caller may see. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listMemberships: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listWorkspaceRoles: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    createParameterSet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewParameterSet"];
            };
        };
        responses: {
            /** @description The stored parameter set. */
            201: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    getParameterSet: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    uploadResource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
            /** @description Stored. `resourcePath` says where to read the file. */
            201: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            /** @description The form is not as documented or not well-formed. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    downloadResource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the copy that you have (RFC 9110), several of them with commas between, or `*`. If one is the file's, the answer is 304 without the file.
                 * @example "9e8931c781ada16e210803df11fabea5850a60f80442e0870629c494eecf6c59"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Asks for a part of the file (RFC 9110): one range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500` for the last 500. Several ranges, or another unit, are answered with the whole file.
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
                     * @description Parts of the file can be asked for.
                     * @example bytes
                     */
                    "Accept-Ranges": "bytes";
                    /**
                     * @description Always `attachment`, with the file's name (RFC 6266; in any script, as of RFC 8187).
                     * @example attachment; filename="policy-terms.pdf"; filename*=UTF-8''policy-terms.pdf
                     */
                    "Content-Disposition": string;
                    /**
                     * @description A browser must not run what is in the file.
                     * @example sandbox
                     */
                    "Content-Security-Policy": "sandbox";
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Names the content of the file (RFC 9110); to be sent back in `If-None-Match`.
                     * @example "9e8931c781ada16e210803df11fabea5850a60f80442e0870629c494eecf6c59"
                     */
                    ETag: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description A browser must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    [name: string]: unknown;
                };
                content: {
                    "*/*": components["schemas"]["FileContent"];
                };
            };
            /** @description The part that `Range` asked for, with the file's own `Content-Type`. */
            206: {
                headers: {
                    /**
                     * @description Parts of the file can be asked for.
                     * @example bytes
                     */
                    "Accept-Ranges": "bytes";
                    /**
                     * @description Always `attachment`, with the file's name (RFC 6266; in any script, as of RFC 8187).
                     * @example attachment; filename="policy-terms.pdf"; filename*=UTF-8''policy-terms.pdf
                     */
                    "Content-Disposition": string;
                    /**
                     * @description Which bytes these are, and how many the file has.
                     * @example bytes 0-7/636
                     */
                    "Content-Range": string;
                    /**
                     * @description A browser must not run what is in the file.
                     * @example sandbox
                     */
                    "Content-Security-Policy": "sandbox";
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Names the content of the file (RFC 9110); to be sent back in `If-None-Match`.
                     * @example "9e8931c781ada16e210803df11fabea5850a60f80442e0870629c494eecf6c59"
                     */
                    ETag: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    /**
                     * @description A browser must not guess another media type.
                     * @example nosniff
                     */
                    "X-Content-Type-Options": "nosniff";
                    [name: string]: unknown;
                };
                content: {
                    "*/*": components["schemas"]["FileContent"];
                };
            };
            /** @description The copy that `If-None-Match` names is the file. */
            304: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Names the content of the file (RFC 9110); to be sent back in `If-None-Match`.
                     * @example "9e8931c781ada16e210803df11fabea5850a60f80442e0870629c494eecf6c59"
                     */
                    ETag: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ResourceNotFound"];
            /** @description The range begins behind the end of the file. */
            416: {
                headers: {
                    /**
                     * @description How many bytes the file has.
                     * @example bytes *\/636
                     */
                    "Content-Range": string;
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listAttachments: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    createAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            /** @description The form is not as documented or not well-formed. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
            /** @description The record is full, or a request with this `Idempotency-Key` is still in progress. */
            409: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    getAttachmentLink: {
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
            /** @description A link to the file. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    deleteAttachment: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    startWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowExecution"];
                };
            };
            /** @description The request is not as documented, `expiresAt` lies outside its bounds, the parameters do not fit the definition's input, or the record is not one of the definition's workspace. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    getWorkflow: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    cancelWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat harmless: for 24 hours the first answer is given again to the same key with the same request. Choose a fresh random value (a UUID, say) for each new intention.
                 * @example 5a1f0c9e-7d34-4b3a-9f0e-1f2d3c4b5a69
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
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
            /** @description The execution is cancelled. */
            204: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameters"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ExecutionNotFound"];
            /** @description The execution has completed, failed or expired, or the first request with this key is still running. */
            409: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    getWorkflowResult: {
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
            /** @description The result, or where to fetch it. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
            /** @description No such workflow execution in the organization; or it has no result: it has not completed, or its result is older than 30 days. */
            404: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    listDirectMemberships: {
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    setMembership: {
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
            /** @description The membership as it is now. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Membership"];
                };
            };
            /** @description The request is not as documented, the role is not one of the workspace, or the body names another user than the path. */
            400: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    removeMembership: {
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
            /** @description Removed; the answer has no body. */
            200: {
                headers: {
                    /**
                     * @description Since when the way of this call is deprecated (RFC 9745). Sent to a caller known by the legacy JWT.
                     * @example @1793491200
                     */
                    Deprecation?: string;
                    /**
                     * @description Where the way out is explained (RFC 8288). Sent to a caller known by the legacy JWT.
                     * @example </docs/versioning>; rel="deprecation"; type="text/html"
                     */
                    Link?: string;
                    /**
                     * @description What is left of the caller's budget: `r` requests for the next `t` seconds, per policy (IETF draft-ietf-httpapi-ratelimit-headers).
                     * @example "requests";r=598;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description The budget itself: `q` requests in a window of `w` seconds.
                     * @example "requests";q=600;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Names this request. The same value is the `fingerprint` of a failure and stands in the log.
                     * @example 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
                     */
                    "Request-Id": string;
                    /**
                     * @description When it stops working (RFC 8594). Sent to a caller known by the legacy JWT.
                     * @example Mon, 01 Nov 2027 00:00:00 GMT
                     */
                    Sunset?: string;
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
    onAttachmentCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onAttachmentDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onLinkCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onLinkSent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onLinkUsed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onMembershipRemoved: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onMembershipSet: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onParametersCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onResourceCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onUserMfaReset: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onUserReinstated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onUserRoleChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onUserTerminated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onUserUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onWorkflowCancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onWorkflowCompleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onWorkflowExpired: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onWorkflowFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
    onWorkflowStarted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `true` when the event comes from a `SANDBOX` workspace or from the sandbox environment, or is a test that the operator sent; absent otherwise. Not covered by the signature.
                 * @example true
                 */
                "Webhook-Sandbox"?: components["parameters"]["WebhookSandbox"];
                /**
                 * @description A detached JWS (RFC 7515, appendix F): `BASE64URL(header)..BASE64URL(signature)`. The header holds `alg` (always `ES256`), `kid` (the key, from `GET /auth/webhooks/key/{keyId}`) and `iat` (time of signing, in seconds since 1970). The signature is over `BASE64URL(header).BASE64URL(body)`, with the bytes of the body exactly as received. Refuse a message whose `iat` is more than 5 minutes away from your clock.
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
}
