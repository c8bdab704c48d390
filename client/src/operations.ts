// Generated from spec/ by `npm run generate`. Do not edit.

import type { Client } from './client-types.ts';
import type { BodyOf, FileOptions, OperationOptions, OperationResult } from './operation-call-types.ts';
import { call, list } from './operation-calls.ts';
import type { ApiPromise, ListPromise } from './operation-promise.ts';

export type { BodyOf, FileOptions, OperationOptions, OperationResult } from './operation-call-types.ts';
export type { ApiPromise, ListPromise, WithResponse } from './operation-promise.ts';

/** Files attached to the records of a table. */
export interface AttachmentsOperations {
  /**
   * List a record's attachments.
   *
   * Returns all attachments of the record in order of creation. The caller needs the permission on the table.
   *
   * `GET /tables/{tableId}/records/{recordId}/attachments`
   *
   * Permission: `can_read_attachments`.
   *
   * @param tableId Identifier of the table.
   * @param recordId Identifier of the record.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `table_not_found`, `record_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  list(
    tableId: string,
    recordId: string,
    options?: OperationOptions<'listAttachments'>,
  ): ListPromise<OperationResult<'listAttachments'>>;
  /**
   * Attach a file to a record.
   *
   * Stores a file with the record, with optional tags. A record has at most 10,000 attachments. The caller needs the permission on the table. The name and media type come from the `file` part; without a media type, the file is stored as `application/octet-stream`. Uploads have a separate rate limit. Default: 60 per minute.
   *
   * `POST /tables/{tableId}/records/{recordId}/attachments`
   *
   * Permission: `can_edit_attachments`.
   *
   * Node keeps the whole form in memory; `uploadResource` and `createAttachment` stream the file.
   *
   * @param tableId Identifier of the table.
   * @param recordId Identifier of the record.
   * @throws {BadRequestError} `body_invalid`, `multipart_malformed`, `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `table_not_found`, `record_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `too_many_attachments`, `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `file_too_large`, `storage_quota_exceeded`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  create(
    tableId: string,
    recordId: string,
    body: BodyOf<'createAttachment'>,
    options?: OperationOptions<'createAttachment'>,
  ): ApiPromise<OperationResult<'createAttachment'>>;
  /**
   * Get a signed URL.
   *
   * Returns a signed URL that gives access to the file without a token. Default validity: 15 minutes. Deleting the attachment invalidates it immediately. The caller needs the permission on the table.
   *
   * `GET /tables/{tableId}/records/{recordId}/attachments/{attachmentId}`
   *
   * Permission: `can_read_attachments`.
   *
   * @param tableId Identifier of the table.
   * @param recordId Identifier of the record.
   * @param attachmentId Identifier of the attachment.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `table_not_found`, `record_not_found`, `attachment_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  getLink(
    tableId: string,
    recordId: string,
    attachmentId: string,
    options?: OperationOptions<'getAttachmentLink'>,
  ): ApiPromise<OperationResult<'getAttachmentLink'>>;
  /**
   * Delete an attachment.
   *
   * Permanently deletes the attachment and its file. Its signed URLs stop working immediately. The caller needs the permission on the table.
   *
   * `DELETE /tables/{tableId}/records/{recordId}/attachments/{attachmentId}`
   *
   * Permission: `can_edit_attachments`.
   *
   * @param tableId Identifier of the table.
   * @param recordId Identifier of the record.
   * @param attachmentId Identifier of the attachment.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `table_not_found`, `record_not_found`, `attachment_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  delete(
    tableId: string,
    recordId: string,
    attachmentId: string,
    options?: OperationOptions<'deleteAttachment'>,
  ): ApiPromise<OperationResult<'deleteAttachment'>>;
}

/** Files attached to the records of a table. */
export const attachments = (client: Client): AttachmentsOperations => ({
  list: list(client, '/tables/{tableId}/records/{recordId}/attachments'),
  create: call(client, 'POST', '/tables/{tableId}/records/{recordId}/attachments', { body: true }),
  getLink: call(client, 'GET', '/tables/{tableId}/records/{recordId}/attachments/{attachmentId}'),
  delete: call(client, 'DELETE', '/tables/{tableId}/records/{recordId}/attachments/{attachmentId}'),
});

/** Exchange an API key for a short-lived access token, and refresh it. */
export interface AuthOperations {
  /**
   * Exchange an API key for tokens.
   *
   * Returns an access token and a refresh token for an API key and its secret. The tokens act as the key's user, and the exchange counts as that user's sign-in. `Idempotency-Key` is ignored: each exchange returns new tokens. Organization tokens are preferred, because they need no exchange.
   *
   * `POST /auth/authorize`
   *
   * Needs no token.
   *
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_invalid`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {BadGatewayError} `upstream_unavailable`
   */
  exchangeApiKey(
    body: BodyOf<'exchangeApiKey'>,
    options?: OperationOptions<'exchangeApiKey'>,
  ): ApiPromise<OperationResult<'exchangeApiKey'>>;
  /**
   * Refresh the tokens.
   *
   * Returns a new access token and a new refresh token, and uses up the given refresh token. It can be used again for 10 seconds, in case the response was lost. Later reuse revokes all tokens from the same exchange. Refresh tokens are valid until 30 days after the exchange, and for 7 days without use.
   *
   * `POST /auth/refresh`
   *
   * Needs no token.
   *
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_invalid`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {BadGatewayError} `upstream_unavailable`
   */
  refreshTokens(
    body: BodyOf<'refreshTokens'>,
    options?: OperationOptions<'refreshTokens'>,
  ): ApiPromise<OperationResult<'refreshTokens'>>;
}

/** Exchange an API key for a short-lived access token, and refresh it. */
export const auth = (client: Client): AuthOperations => ({
  exchangeApiKey: call(client, 'POST', '/auth/authorize', { body: true }),
  refreshTokens: call(client, 'POST', '/auth/refresh', { body: true }),
});

/** The workflows that a caller can start. */
export interface DefinitionsOperations {
  /**
   * List the workflow definitions.
   *
   * Returns the workflow definitions that the caller can start: those of the workspaces in which it has `can_view_workspace`, in order of creation. Each has the input schema that the parameters of an execution must match. Any valid token can call this operation; the list may be empty.
   *
   * `GET /workflow-definitions`
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listWorkflow(
    options?: OperationOptions<'listWorkflowDefinitions'>,
  ): ListPromise<OperationResult<'listWorkflowDefinitions'>>;
}

/** The workflows that a caller can start. */
export const definitions = (client: Client): DefinitionsOperations => ({
  listWorkflow: list(client, '/workflow-definitions'),
});

/** What a workflow execution has done, step by step. */
export interface HistoryOperations {
  /**
   * List the history of a workflow execution.
   *
   * Returns what the execution has done so far, oldest first: each state with its input, result, assigned variables
   * and output, and each attempt with its error. It is complete when the execution has ended, and deleted 30 days
   * later, as the result is. A page may have fewer entries than `size` although there is a next page.
   *
   * The end of an execution has no entry: its `status` says how it ended. The history of a cancelled or expired
   * execution ends with what it did last.
   *
   * To follow a running execution, request the last page, which has no `nextCursor`, again with the same `cursor`,
   * and ignore entries whose `id` you know. While branches run in parallel, an entry can appear a moment after one
   * that follows it: for a complete copy, list the history again once the execution has ended.
   *
   * `can_view_workspace` is not enough: the history has what results leave out, such as the requests to other
   * systems and their responses. Owners and admins have `can_view_history`; members need a role that the operator
   * declares. Secrets are replaced by `[redacted]`.
   *
   * `GET /workflows/{workflowId}/history`
   *
   * Permission: `can_view_history`.
   *
   * @param workflowId Identifier of the workflow execution.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `execution_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  list(
    workflowId: string,
    options?: OperationOptions<'listHistory'>,
  ): ListPromise<OperationResult<'listHistory'>>;
}

/** What a workflow execution has done, step by step. */
export const history = (client: Client): HistoryOperations => ({
  list: list(client, '/workflows/{workflowId}/history'),
});

/** Links that let a person start a workflow for a case once, and the cases. */
export interface LinksOperations {
  /**
   * List the cases.
   *
   * Returns the cases of the workspaces in which the caller has `can_view_workspace`, in order of creation. A case is what a single-use link is created for. Any valid token can call this operation; the list may be empty.
   *
   * `GET /cases`
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listCases(
    options?: OperationOptions<'listCases'>,
  ): ListPromise<OperationResult<'listCases'>>;
  /**
   * Create a single-use link.
   *
   * Returns a link with which a person can start the workflow for the case, once, within 7 days. Opening the link only shows a page; confirming on that page uses up the link. The platform does not store the link, so only this response contains it.
   *
   * `POST /link`
   *
   * Permission: `can_view_workspace`.
   *
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`, `link_objects_mismatch`, `parameters_mismatch`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `case_not_found`, `workflow_definition_not_found`, `parameters_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  create(
    body: BodyOf<'createLink'>,
    options?: OperationOptions<'createLink'>,
  ): ApiPromise<OperationResult<'createLink'>>;
  /**
   * Create and email a single-use link.
   *
   * Creates a link like `POST /link` and emails it to the case's contact. The email is stored with the link and sent in the background, with retries. A contact receives at most 10 links per hour.
   *
   * `POST /link/send`
   *
   * Permission: `can_view_workspace`.
   *
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`, `link_objects_mismatch`, `parameters_mismatch`, `case_has_no_contact`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `case_not_found`, `workflow_definition_not_found`, `parameters_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`, `mail_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  send(
    body: BodyOf<'sendLink'>,
    options?: OperationOptions<'sendLink'>,
  ): ApiPromise<OperationResult<'sendLink'>>;
}

/** Links that let a person start a workflow for a case once, and the cases. */
export const links = (client: Client): LinksOperations => ({
  listCases: list(client, '/cases'),
  create: call(client, 'POST', '/link', { body: true }),
  send: call(client, 'POST', '/link/send', { body: true }),
});

/** Members of a workspace and their roles. */
export interface MembershipsOperations {
  /**
   * List all members of a workspace.
   *
   * Returns the workspace's direct memberships, and the memberships that the organization's owners and admins inherit in every workspace. Both lists are in order of creation. A user can be in both.
   *
   * `GET /organizations/workspaces/{workspaceId}/memberships`
   *
   * Permission: `can_view_workspace`.
   *
   * @param workspaceId Identifier of the workspace.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `workspace_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  list(
    workspaceId: string,
    options?: OperationOptions<'listMemberships'>,
  ): ListPromise<OperationResult<'listMemberships'>>;
  /**
   * List a workspace's direct memberships.
   *
   * Returns the memberships granted in this workspace, in order of creation.
   *
   * `GET /workspaces/{workspaceId}/memberships`
   *
   * Permission: `can_view_workspace`.
   *
   * @param workspaceId Identifier of the workspace.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `workspace_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listDirect(
    workspaceId: string,
    options?: OperationOptions<'listDirectMemberships'>,
  ): ListPromise<OperationResult<'listDirectMemberships'>>;
  /**
   * Add a member or change the member's role.
   *
   * Grants the user a role in the workspace, or replaces the user's current role. The `userId` in the body must equal the one in the path. If the new or the current role has permissions on the organization or another workspace, the caller must hold those permissions there.
   *
   * `PUT /workspaces/{workspaceId}/memberships/{userId}`
   *
   * Permission: `can_manage_workspace_access`.
   *
   * @param workspaceId Identifier of the workspace.
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`, `role_unknown`, `user_id_mismatch`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `beyond_own_permissions`
   * @throws {NotFoundError} `workspace_not_found`, `user_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `too_many_members`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  set(
    workspaceId: string,
    userId: string,
    body: BodyOf<'setMembership'>,
    options?: OperationOptions<'setMembership'>,
  ): ApiPromise<OperationResult<'setMembership'>>;
  /**
   * Remove a member.
   *
   * Removes the user's direct membership. Memberships inherited by owners and admins remain. If its role has permissions on the organization or another workspace, the caller must hold those permissions there.
   *
   * `DELETE /workspaces/{workspaceId}/memberships/{userId}`
   *
   * Permission: `can_manage_workspace_access`.
   *
   * @param workspaceId Identifier of the workspace.
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `beyond_own_permissions`
   * @throws {NotFoundError} `workspace_not_found`, `membership_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  remove(
    workspaceId: string,
    userId: string,
    options?: OperationOptions<'removeMembership'>,
  ): ApiPromise<OperationResult<'removeMembership'>>;
}

/** Members of a workspace and their roles. */
export const memberships = (client: Client): MembershipsOperations => ({
  list: list(client, '/organizations/workspaces/{workspaceId}/memberships'),
  listDirect: list(client, '/workspaces/{workspaceId}/memberships'),
  set: call(client, 'PUT', '/workspaces/{workspaceId}/memberships/{userId}', { body: true }),
  remove: call(client, 'DELETE', '/workspaces/{workspaceId}/memberships/{userId}'),
});

/** The organization's roles and workspaces. */
export interface OrganizationOperations {
  /**
   * List the organization's roles.
   *
   * Returns the roles that users can have in the organization, in order of creation.
   *
   * `GET /organizations/roles`
   *
   * Permission: `can_manage_users`.
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listRoles(
    options?: OperationOptions<'listOrganizationRoles'>,
  ): ListPromise<OperationResult<'listOrganizationRoles'>>;
  /**
   * List the workspaces.
   *
   * Returns the workspaces in which the caller has `can_view_workspace`, in order of creation. Any valid token can call this operation; the list may be empty.
   *
   * `GET /organizations/workspaces`
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listWorkspaces(
    options?: OperationOptions<'listWorkspaces'>,
  ): ListPromise<OperationResult<'listWorkspaces'>>;
  /**
   * List a workspace's roles.
   *
   * Returns the roles that members of the workspace can have, with their permissions, in order of creation.
   *
   * `GET /organizations/workspaces/{workspaceId}/roles`
   *
   * Permission: `can_view_workspace`.
   *
   * @param workspaceId Identifier of the workspace.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `workspace_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listWorkspaceRoles(
    workspaceId: string,
    options?: OperationOptions<'listWorkspaceRoles'>,
  ): ListPromise<OperationResult<'listWorkspaceRoles'>>;
}

/** The organization's roles and workspaces. */
export const organization = (client: Client): OrganizationOperations => ({
  listRoles: list(client, '/organizations/roles'),
  listWorkspaces: list(client, '/organizations/workspaces'),
  listWorkspaceRoles: list(client, '/organizations/workspaces/{workspaceId}/roles'),
});

/** Reusable parameters of a workflow definition. */
export interface ParametersOperations {
  /**
   * Store a parameter set.
   *
   * Stores parameters of a workflow definition for single-use links. They are stored unchanged, and validated against the definition's input schema when a link is created with them and when a person starts the workflow with it. The caller needs the permission on the definition's workspace.
   *
   * `POST /parameters`
   *
   * Permission: `can_view_workspace`.
   *
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `workflow_definition_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  createSet(
    body: BodyOf<'createParameterSet'>,
    options?: OperationOptions<'createParameterSet'>,
  ): ApiPromise<OperationResult<'createParameterSet'>>;
  /**
   * Get a parameter set.
   *
   * Returns a stored parameter set. The caller needs the permission on the workspace of its definition. The status of a successful response is 201, although nothing is created.
   *
   * `GET /parameters/{parametersId}`
   *
   * Permission: `can_view_workspace`.
   *
   * @param parametersId Identifier of the parameter set.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `parameters_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  getSet(
    parametersId: string,
    options?: OperationOptions<'getParameterSet'>,
  ): ApiPromise<OperationResult<'getParameterSet'>>;
}

/** Reusable parameters of a workflow definition. */
export const parameters = (client: Client): ParametersOperations => ({
  createSet: call(client, 'POST', '/parameters', { body: true }),
  getSet: call(client, 'GET', '/parameters/{parametersId}'),
});

/** Files hosted by the platform. */
export interface ResourcesOperations {
  /**
   * Upload a file.
   *
   * Stores a file in the token's home workspace, where the caller needs the permission. The name and media type come from the `file` part; without a media type, the file is stored as `application/octet-stream`. Uploads have a separate rate limit. Default: 60 per minute.
   *
   * `POST /resources`
   *
   * Permission: `can_view_workspace`.
   *
   * Node keeps the whole form in memory; `uploadResource` and `createAttachment` stream the file.
   *
   * @throws {BadRequestError} `body_invalid`, `multipart_malformed`, `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `file_too_large`, `storage_quota_exceeded`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  upload(
    body: BodyOf<'uploadResource'>,
    options?: OperationOptions<'uploadResource'>,
  ): ApiPromise<OperationResult<'uploadResource'>>;
  /**
   * Download a file.
   *
   * Returns the file with its media type. The caller needs the permission on the workspace of the resource. The file of a resource never changes: revalidate a cached copy with `If-None-Match`, and resume an interrupted download with `Range`.
   *
   * `GET /resources/{resourceId}`
   *
   * Permission: `can_view_workspace`.
   *
   * @param resourceId Identifier of the resource.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `resource_not_found`
   * @throws {RangeNotSatisfiableError} `range_not_satisfiable`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  download<As extends FileOptions<'downloadResource'>['parseAs'] & string = 'stream'>(
    resourceId: string,
    options?: FileOptions<'downloadResource', As>,
  ): ApiPromise<OperationResult<'downloadResource', As>>;
}

/** Files hosted by the platform. */
export const resources = (client: Client): ResourcesOperations => ({
  upload: call(client, 'POST', '/resources', { body: true }),
  download: call(client, 'GET', '/resources/{resourceId}', { parseAs: 'stream' }),
});

/** The tables of a workspace and their records. */
export interface TablesOperations {
  /**
   * List the tables.
   *
   * Returns the tables on which the caller has `can_view_workspace`, which a role can grant on the table, its workspace or the organization, in order of creation. Any valid token can call this operation; the list may be empty.
   *
   * `GET /tables`
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  list(
    options?: OperationOptions<'listTables'>,
  ): ListPromise<OperationResult<'listTables'>>;
  /**
   * List a table's records.
   *
   * Returns the records of a table, in order of creation.
   *
   * `GET /tables/{tableId}/records`
   *
   * Permission: `can_view_workspace`.
   *
   * @param tableId Identifier of the table.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `table_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  listRecords(
    tableId: string,
    options?: OperationOptions<'listRecords'>,
  ): ListPromise<OperationResult<'listRecords'>>;
}

/** The tables of a workspace and their records. */
export const tables = (client: Client): TablesOperations => ({
  list: list(client, '/tables'),
  listRecords: list(client, '/tables/{tableId}/records'),
});

/** Users of the organization: profiles, roles, termination and second factors. */
export interface UsersOperations {
  /**
   * List the users.
   *
   * Returns one page of the organization's users, including terminated users, in order of creation. There is no search.
   *
   * `GET /organizations/users`
   *
   * Permission: `can_manage_users`.
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  list(
    options?: OperationOptions<'listUsers'>,
  ): ListPromise<OperationResult<'listUsers'>>;
  /**
   * Get a user.
   *
   * Returns a user with its profile.
   *
   * `GET /organizations/users/{userId}`
   *
   * Permission: `can_manage_users`.
   *
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `user_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  get(
    userId: string,
    options?: OperationOptions<'getUser'>,
  ): ApiPromise<OperationResult<'getUser'>>;
  /**
   * Change a user's profile.
   *
   * Replaces the first name, last name or title, or several of them. An absent field keeps its value. The title may be empty, names may not. Names can use any script.
   *
   * `PUT /organizations/users/{userId}/profile`
   *
   * Permission: `can_manage_users`.
   *
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `user_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {PreconditionFailedError} `precondition_failed`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  updateProfile(
    userId: string,
    body: BodyOf<'updateUserProfile'>,
    options?: OperationOptions<'updateUserProfile'>,
  ): ApiPromise<OperationResult<'updateUserProfile'>>;
  /**
   * Change a user's organization role.
   *
   * Changes the user's role in the organization. The last active owner must stay owner. Only an owner can change the role of an owner or make someone an owner. Only an owner or admin can change the role of an admin. Other callers can only assign the role `member`, and only to members.
   *
   * `PUT /organizations/users/{userId}/role`
   *
   * Permission: `can_manage_users`.
   *
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`, `role_unknown`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `beyond_own_permissions`
   * @throws {NotFoundError} `user_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `last_owner`
   * @throws {PreconditionFailedError} `precondition_failed`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  changeRole(
    userId: string,
    body: BodyOf<'changeUserRole'>,
    options?: OperationOptions<'changeUserRole'>,
  ): ApiPromise<OperationResult<'changeUserRole'>>;
  /**
   * Terminate a user.
   *
   * Revokes the user's access immediately: tokens, API keys, access and refresh tokens stop working, and reinstatement does not restore them. Terminating a terminated user changes nothing and returns the same response. Only an owner can terminate an owner; only an owner or admin can terminate an admin.
   *
   * `POST /organizations/users/{userId}/terminate`
   *
   * Permission: `can_manage_users`.
   *
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `beyond_own_permissions`
   * @throws {NotFoundError} `user_not_found`
   * @throws {ConflictError} `own_user`, `idempotency_key_in_use`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  terminate(
    userId: string,
    options?: OperationOptions<'terminateUser'>,
  ): ApiPromise<OperationResult<'terminateUser'>>;
  /**
   * Reinstate a terminated user.
   *
   * Makes a terminated user active again, with the given role. `lastSignedInAt` is null until the next sign-in. Only an owner can reinstate a user who was or becomes an owner; only an owner or admin can reinstate a user who was or becomes an admin.
   *
   * `POST /organizations/users/{userId}/reinstate`
   *
   * Permission: `can_manage_users`.
   *
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`, `role_unknown`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `beyond_own_permissions`
   * @throws {NotFoundError} `user_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `user_not_terminated`, `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  reinstate(
    userId: string,
    body: BodyOf<'reinstateUser'>,
    options?: OperationOptions<'reinstateUser'>,
  ): ApiPromise<OperationResult<'reinstateUser'>>;
  /**
   * Reset a user's second factors.
   *
   * Removes the user's enrolled second factors, and immediately revokes the user's refresh tokens and the access tokens made from them. The identity provider is notified in the background. The response is the same for a user without factors. Only an owner can reset the factors of an owner; only an owner or admin can reset those of an admin.
   *
   * `POST /organizations/users/{userId}/reset-mfa`
   *
   * Permission: `can_reset_2fa`.
   *
   * @param userId Identifier of the user.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `beyond_own_permissions`
   * @throws {NotFoundError} `user_not_found`
   * @throws {ConflictError} `idempotency_key_in_use`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  resetMfa(
    userId: string,
    options?: OperationOptions<'resetUserMfa'>,
  ): ApiPromise<OperationResult<'resetUserMfa'>>;
}

/** Users of the organization: profiles, roles, termination and second factors. */
export const users = (client: Client): UsersOperations => ({
  list: list(client, '/organizations/users'),
  get: call(client, 'GET', '/organizations/users/{userId}'),
  updateProfile: call(client, 'PUT', '/organizations/users/{userId}/profile', { body: true }),
  changeRole: call(client, 'PUT', '/organizations/users/{userId}/role', { body: true }),
  terminate: call(client, 'POST', '/organizations/users/{userId}/terminate'),
  reinstate: call(client, 'POST', '/organizations/users/{userId}/reinstate', { body: true }),
  resetMfa: call(client, 'POST', '/organizations/users/{userId}/reset-mfa'),
});

/** The keys to verify webhooks, and the events of the sandbox to poll. */
export interface WebhooksOperations {
  /**
   * Get a webhook public key.
   *
   * Returns the public key that verifies webhooks with this `kid` in their JWS header. No token is needed, and the key can be cached. A retired key is served until all signatures made with it have expired.
   *
   * `GET /auth/webhooks/key/{keyId}`
   *
   * Needs no token.
   *
   * @param keyId Identifier of the key, equal to the `kid` in a webhook's JWS header.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {NotFoundError} `webhook_key_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {BadGatewayError} `upstream_unavailable`
   */
  getKey<As extends FileOptions<'getWebhookKey'>['parseAs'] & string = 'text'>(
    keyId: string,
    options?: FileOptions<'getWebhookKey', As>,
  ): ApiPromise<OperationResult<'getWebhookKey', As>>;
  /**
   * Poll for events (sandbox only).
   *
   * Returns the events of your organization in the order in which the platform records them, each with the headers and the body of its webhook, signed when you fetch it. `npx wrp-listen` uses it to forward events to your machine. Start without `cursor`, then send the `nextCursor` of each response as the `cursor` of the next request, also after a failed request: you get every event of the last 24 hours at least once. Only the sandbox has this operation; production returns 403 `sandbox_only`.
   *
   * `GET /webhooks/events`
   *
   * Permission: `can_receive_events`.
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`, `sandbox_only`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  pollEvents(
    options?: OperationOptions<'pollWebhookEvents'>,
  ): ApiPromise<OperationResult<'pollWebhookEvents'>>;
}

/** The keys to verify webhooks, and the events of the sandbox to poll. */
export const webhooks = (client: Client): WebhooksOperations => ({
  getKey: call(client, 'GET', '/auth/webhooks/key/{keyId}', { parseAs: 'text' }),
  pollEvents: call(client, 'GET', '/webhooks/events'),
});

/** Start a workflow, check its status, cancel it, fetch its result, and list executions. */
export interface WorkflowsOperations {
  /**
   * List the workflow executions.
   *
   * Returns the executions of the workspaces in which the caller has `can_view_workspace`, newest first, without their parameters and display hints. Any valid token can call this operation; the list may be empty.
   *
   * `GET /workflows`
   *
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  list(
    options?: OperationOptions<'listWorkflows'>,
  ): ListPromise<OperationResult<'listWorkflows'>>;
  /**
   * Start a workflow.
   *
   * Starts an execution of a workflow definition and returns it immediately with the status `RUNNING`. Its steps run in the background. The caller needs the permission on the definition's workspace.
   *
   * `POST /workflows`
   *
   * Permission: `can_view_workspace`.
   *
   * @throws {BadRequestError} `body_invalid`, `body_malformed`, `parameter_invalid`, `expiry_out_of_range`, `parameters_mismatch`, `record_mismatch`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `workflow_definition_not_found`
   * @throws {RequestTimeoutError} `request_timeout`
   * @throws {ConflictError} `idempotency_key_in_use`
   * @throws {ContentTooLargeError} `body_too_large`
   * @throws {UnsupportedMediaTypeError} `content_type_unsupported`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  start(
    body: BodyOf<'startWorkflow'>,
    options?: OperationOptions<'startWorkflow'>,
  ): ApiPromise<OperationResult<'startWorkflow'>>;
  /**
   * Get a workflow execution.
   *
   * Returns the current state of the execution. `executionVersion` increases with each change, so you can order two responses.
   *
   * `GET /workflows/{workflowId}`
   *
   * Permission: `can_view_workspace`.
   *
   * @param workflowId Identifier of the workflow execution.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `execution_not_found`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  get(
    workflowId: string,
    options?: OperationOptions<'getWorkflow'>,
  ): ApiPromise<OperationResult<'getWorkflow'>>;
  /**
   * Cancel a workflow execution.
   *
   * Cancels a running execution: its status becomes `CANCELLED`, and no further steps start. Cancelling a cancelled execution changes nothing and returns the same response. An execution that ended otherwise does not change.
   *
   * `POST /workflows/{workflowId}/cancel`
   *
   * Permission: `can_view_workspace`.
   *
   * @param workflowId Identifier of the workflow execution.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `execution_not_found`
   * @throws {ConflictError} `execution_already_ended`, `idempotency_key_in_use`
   * @throws {UnprocessableContentError} `idempotency_key_reused`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  cancel(
    workflowId: string,
    options?: OperationOptions<'cancelWorkflow'>,
  ): ApiPromise<OperationResult<'cancelWorkflow'>>;
  /**
   * Get the result of a workflow execution.
   *
   * Returns the result of a completed execution, for 30 days after its end. A result of up to 9,000,000 bytes is the response body, as `application/json`. For a larger result, the body is a redirect object with the media type `application/vnd.wrp.result-redirect+json`. Use the `Content-Type` to distinguish them, because a result can have any fields.
   *
   * `GET /workflows/{workflowId}/result`
   *
   * Permission: `can_view_workspace`.
   *
   * @param workflowId Identifier of the workflow execution.
   * @throws {BadRequestError} `parameter_invalid`
   * @throws {UnauthorizedError} `credentials_missing`, `credentials_invalid`, `token_expired`
   * @throws {ForbiddenError} `permission_denied`
   * @throws {NotFoundError} `execution_not_found`, `result_not_available`
   * @throws {TooManyRequestsError} `rate_limit_exceeded`
   * @throws {InternalServerError} `internal_error`
   * @throws {ServiceUnavailableError} `service_unavailable`
   */
  getResult(
    workflowId: string,
    options?: OperationOptions<'getWorkflowResult'>,
  ): ApiPromise<OperationResult<'getWorkflowResult'>>;
}

/** Start a workflow, check its status, cancel it, fetch its result, and list executions. */
export const workflows = (client: Client): WorkflowsOperations => ({
  list: list(client, '/workflows'),
  start: call(client, 'POST', '/workflows', { body: true }),
  get: call(client, 'GET', '/workflows/{workflowId}'),
  cancel: call(client, 'POST', '/workflows/{workflowId}/cancel'),
  getResult: call(client, 'GET', '/workflows/{workflowId}/result'),
});

/** Every operation of the contract, by resource. */
export interface Operations {
  /** Files attached to the records of a table. */
  attachments: AttachmentsOperations;
  /** Exchange an API key for a short-lived access token, and refresh it. */
  auth: AuthOperations;
  /** The workflows that a caller can start. */
  definitions: DefinitionsOperations;
  /** What a workflow execution has done, step by step. */
  history: HistoryOperations;
  /** Links that let a person start a workflow for a case once, and the cases. */
  links: LinksOperations;
  /** Members of a workspace and their roles. */
  memberships: MembershipsOperations;
  /** The organization's roles and workspaces. */
  organization: OrganizationOperations;
  /** Reusable parameters of a workflow definition. */
  parameters: ParametersOperations;
  /** Files hosted by the platform. */
  resources: ResourcesOperations;
  /** The tables of a workspace and their records. */
  tables: TablesOperations;
  /** Users of the organization: profiles, roles, termination and second factors. */
  users: UsersOperations;
  /** The keys to verify webhooks, and the events of the sandbox to poll. */
  webhooks: WebhooksOperations;
  /** Start a workflow, check its status, cancel it, fetch its result, and list executions. */
  workflows: WorkflowsOperations;
}

/**
 * Named methods for every operation of a client: `operations(client).users.list()`.
 *
 * Bundlers drop the resources that you do not use if you import them one by one: `users(client).list()`.
 */
export const operations = (client: Client): Operations => ({
  attachments: attachments(client),
  auth: auth(client),
  definitions: definitions(client),
  history: history(client),
  links: links(client),
  memberships: memberships(client),
  organization: organization(client),
  parameters: parameters(client),
  resources: resources(client),
  tables: tables(client),
  users: users(client),
  webhooks: webhooks(client),
  workflows: workflows(client),
});
