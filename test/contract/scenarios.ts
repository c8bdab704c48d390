import type { Client, ErrorCode } from '@wrp/client';
import type { OperationId } from '../../server/src/http/operation.ts';

type Name =
  | ('userId' | 'roleId' | 'workspaceId' | 'resourceId' | 'tableId' | 'recordId' | 'attachmentId')
  | ('parametersId' | 'workflowDefinitionId' | 'workflowId' | 'caseId' | 'keyId')
  | ('key' | 'secret' | 'refreshToken');
/** What the names of a call stand for where it is made: in a platform, or in the contract's examples. */
export type Names = Record<Name, string>;

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * One call by the shipped client, and the status that it must end with: at the platform, at its mock, and
 * at the platform behind Prism's validating proxy.
 */
export interface Scenario {
  operation: OperationId;
  /** What sets it apart from the operation's other scenarios. */
  name?: string;
  status: number;
  /** Of a refusal. */
  code?: ErrorCode;
  /** Owner unless told otherwise. */
  caller?: 'outsider' | 'anonymous';
  /** A form or a file: what a proxy that reads bodies as text would corrupt. */
  binary?: true;
  /** `missing` is an identifier of nothing. */
  call(client: Client, names: Names, missing: string): Promise<Answer>;
}

const profile = { firstName: 'Ines', lastName: 'Moreau', title: 'Claims team lead' };
const report = () => new File(['a,b'], 'report.csv', { type: 'text/csv' });

export const scenarios: Scenario[] = [
  {
    operation: 'exchangeApiKey',
    status: 200,
    call: (client, { key, secret }) => client.POST('/auth/authorize', { body: { key, secret } }),
  },
  {
    operation: 'exchangeApiKey',
    name: 'with a wrong secret',
    status: 401,
    code: 'credentials_invalid',
    call: (client, { key }) => client.POST('/auth/authorize', { body: { key, secret: 'wrong' } }),
  },
  {
    operation: 'refreshTokens',
    status: 200,
    call: (client, { refreshToken }) => client.POST('/auth/refresh', { body: { refreshToken } }),
  },
  {
    operation: 'listUsers',
    status: 200,
    call: (client) => client.GET('/organizations/users', { params: { query: { page: 0, size: 2 } } }),
  },
  {
    operation: 'listUsers',
    name: 'in too large a page',
    status: 400,
    code: 'parameter_invalid',
    call: (client) => client.GET('/organizations/users', { params: { query: { size: 101 } } }),
  },
  {
    operation: 'listUsers',
    name: 'without a token',
    status: 401,
    code: 'credentials_missing',
    caller: 'anonymous',
    call: (client) => client.GET('/organizations/users'),
  },
  {
    operation: 'listUsers',
    name: 'without the permission',
    status: 403,
    code: 'permission_denied',
    caller: 'outsider',
    call: (client) => client.GET('/organizations/users'),
  },
  {
    operation: 'getUser',
    status: 200,
    call: (client, { userId }) =>
      client.GET('/organizations/users/{userId}', { params: { path: { userId } } }),
  },
  {
    operation: 'getUser',
    name: 'of nobody',
    status: 404,
    code: 'user_not_found',
    call: (client, _, userId) =>
      client.GET('/organizations/users/{userId}', { params: { path: { userId } } }),
  },
  {
    operation: 'updateUserProfile',
    status: 200,
    call: (client, { userId }) =>
      client.PUT('/organizations/users/{userId}/profile', { params: { path: { userId } }, body: profile }),
  },
  {
    operation: 'updateUserProfile',
    name: 'without a first name',
    status: 400,
    code: 'body_invalid',
    call: (client, { userId }) =>
      client.PUT('/organizations/users/{userId}/profile', {
        params: { path: { userId } },
        body: { ...profile, firstName: '' },
      }),
  },
  {
    operation: 'changeUserRole',
    status: 200,
    call: (client, { userId, roleId }) =>
      client.PUT('/organizations/users/{userId}/role', { params: { path: { userId } }, body: { roleId } }),
  },
  {
    operation: 'changeUserRole',
    name: 'to a role that there is not',
    status: 400,
    code: 'role_unknown',
    call: (client, { userId }, roleId) =>
      client.PUT('/organizations/users/{userId}/role', { params: { path: { userId } }, body: { roleId } }),
  },
  {
    operation: 'terminateUser',
    status: 200,
    call: (client, { userId }) =>
      client.POST('/organizations/users/{userId}/terminate', { params: { path: { userId } } }),
  },
  {
    operation: 'reinstateUser',
    status: 200,
    call: (client, { userId, roleId }) =>
      client.POST('/organizations/users/{userId}/reinstate', {
        params: { path: { userId } },
        body: { roleId },
      }),
  },
  {
    operation: 'resetUserMfa',
    status: 202,
    call: (client, { userId }) =>
      client.POST('/organizations/users/{userId}/reset-mfa', { params: { path: { userId } } }),
  },
  { operation: 'listOrganizationRoles', status: 200, call: (client) => client.GET('/organizations/roles') },
  { operation: 'listWorkspaces', status: 200, call: (client) => client.GET('/organizations/workspaces') },
  {
    operation: 'listWorkspaceRoles',
    status: 200,
    call: (client, { workspaceId }) =>
      client.GET('/organizations/workspaces/{workspaceId}/roles', { params: { path: { workspaceId } } }),
  },
  {
    operation: 'listMemberships',
    status: 200,
    call: (client, { workspaceId }) =>
      client.GET('/organizations/workspaces/{workspaceId}/memberships', {
        params: { path: { workspaceId } },
      }),
  },
  {
    operation: 'listDirectMemberships',
    status: 200,
    call: (client, { workspaceId }) =>
      client.GET('/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId } } }),
  },
  {
    operation: 'setMembership',
    status: 200,
    call: (client, { workspaceId, userId, roleId }) =>
      client.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
        params: { path: { workspaceId, userId } },
        body: { userId, roleId },
      }),
  },
  {
    operation: 'setMembership',
    name: 'of another user than it names',
    status: 400,
    code: 'user_id_mismatch',
    call: (client, { workspaceId, userId, roleId }, missing) =>
      client.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
        params: { path: { workspaceId, userId } },
        body: { userId: missing, roleId },
      }),
  },
  {
    operation: 'removeMembership',
    status: 200,
    call: (client, { workspaceId, userId }) =>
      client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', {
        params: { path: { workspaceId, userId } },
      }),
  },
  {
    operation: 'uploadResource',
    status: 201,
    binary: true,
    call: (client) => client.POST('/resources', { body: { file: report() } }),
  },
  {
    operation: 'downloadResource',
    status: 200,
    binary: true,
    call: (client, { resourceId }) =>
      client.GET('/resources/{resourceId}', { params: { path: { resourceId } }, parseAs: 'blob' }),
  },
  {
    operation: 'createAttachment',
    status: 201,
    binary: true,
    call: (client, { tableId, recordId }) =>
      client.POST('/tables/{tableId}/records/{recordId}/attachments', {
        params: { path: { tableId, recordId } },
        body: { file: report(), tags: ['photo'] },
      }),
  },
  {
    operation: 'listAttachments',
    status: 200,
    call: (client, { tableId, recordId }) =>
      client.GET('/tables/{tableId}/records/{recordId}/attachments', {
        params: { path: { tableId, recordId } },
      }),
  },
  {
    operation: 'getAttachmentLink',
    status: 200,
    call: (client, { tableId, recordId, attachmentId }) =>
      client.GET('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
        params: { path: { tableId, recordId, attachmentId } },
      }),
  },
  {
    operation: 'getAttachmentLink',
    name: 'of a record that there is not',
    status: 404,
    code: 'record_not_found',
    call: (client, { tableId, attachmentId }, recordId) =>
      client.GET('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
        params: { path: { tableId, recordId, attachmentId } },
      }),
  },
  {
    operation: 'deleteAttachment',
    status: 204,
    call: (client, { tableId, recordId, attachmentId }) =>
      client.DELETE('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
        params: { path: { tableId, recordId, attachmentId } },
      }),
  },
  {
    operation: 'createParameterSet',
    status: 201,
    call: (client, { workflowDefinitionId }) =>
      client.POST('/parameters', {
        body: { workflowDefinitionId, parameters: { claimNumber: '2026-0147' } },
      }),
  },
  {
    operation: 'getParameterSet',
    status: 201,
    call: (client, { parametersId }) =>
      client.GET('/parameters/{parametersId}', { params: { path: { parametersId } } }),
  },
  {
    operation: 'startWorkflow',
    status: 200,
    call: (client, { workflowDefinitionId }) => client.POST('/workflows', { body: { workflowDefinitionId } }),
  },
  {
    operation: 'startWorkflow',
    name: 'of a definition that there is not',
    status: 404,
    code: 'workflow_definition_not_found',
    call: (client, _, workflowDefinitionId) => client.POST('/workflows', { body: { workflowDefinitionId } }),
  },
  {
    operation: 'getWorkflow',
    status: 200,
    call: (client, { workflowId }) =>
      client.GET('/workflows/{workflowId}', { params: { path: { workflowId } } }),
  },
  {
    operation: 'cancelWorkflow',
    status: 204,
    call: (client, { workflowId }) =>
      client.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId } } }),
  },
  {
    operation: 'getWorkflowResult',
    status: 200,
    call: (client, { workflowId }) =>
      client.GET('/workflows/{workflowId}/result', { params: { path: { workflowId } } }),
  },
  {
    operation: 'getWorkflowResult',
    name: 'of an execution that there is not',
    status: 404,
    code: 'execution_not_found',
    call: (client, _, workflowId) =>
      client.GET('/workflows/{workflowId}/result', { params: { path: { workflowId } } }),
  },
  {
    operation: 'createLink',
    status: 201,
    call: (client, { caseId, workflowDefinitionId }) =>
      client.POST('/link', { body: { caseId, workflowDefinitionId } }),
  },
  {
    operation: 'sendLink',
    status: 201,
    call: (client, { caseId, workflowDefinitionId }) =>
      client.POST('/link/send', { body: { caseId, workflowDefinitionId } }),
  },
  {
    operation: 'getWebhookKey',
    status: 200,
    call: (client, { keyId }) =>
      client.GET('/auth/webhooks/key/{keyId}', { params: { path: { keyId } }, parseAs: 'text' }),
  },
  {
    operation: 'getWebhookKey',
    name: 'that there is not',
    status: 404,
    code: 'webhook_key_not_found',
    call: (client, _, keyId) =>
      client.GET('/auth/webhooks/key/{keyId}', { params: { path: { keyId } }, parseAs: 'text' }),
  },
];
