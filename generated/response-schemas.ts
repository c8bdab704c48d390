// Generated from spec/ by `npm run generate`. Do not edit.

import * as v from 'valibot';
import type { components, operations } from './types.ts';

/**
 * An access token, and a refresh token to get the next one.
 */
export const Tokens = v.looseObject({
  accessToken: v.string(),
  refreshToken: v.string(),
  tokenType: v.string(),
  expiryDuration: v.pipe(v.number(), v.integer())
}) as v.GenericSchema<components['schemas']['Tokens']>;

/**
 * Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates.
 */
export const EventId = v.string() as v.GenericSchema<components['schemas']['EventId']>;

/**
 * A timestamp in ISO 8601 format, in UTC with fractional seconds.
 */
export const DateTime = v.string() as v.GenericSchema<components['schemas']['DateTime']>;

/**
 * The headers of the webhook.
 */
export const SignedEventHeaders = v.looseObject({
  'Content-Type': v.string(),
  'Webhook-Signature': v.string(),
  'Webhook-Sandbox': v.string(),
  traceparent: v.optional(v.string())
}) as v.GenericSchema<components['schemas']['SignedEventHeaders']>;

/**
 * An event with the headers and the body of its webhook.
 */
export const SignedEvent = v.looseObject({
  id: EventId,
  type: v.string(),
  createdDateTime: DateTime,
  headers: SignedEventHeaders,
  body: v.string()
}) as v.GenericSchema<components['schemas']['SignedEvent']>;

/**
 * A UUID in its canonical form.
 */
export const Uuid = v.string() as v.GenericSchema<components['schemas']['Uuid']>;

/**
 * Events, and where to continue.
 */
export const EventBatch = v.looseObject({
  events: v.array(SignedEvent),
  nextCursor: Uuid
}) as v.GenericSchema<components['schemas']['EventBatch']>;

/**
 * Normalized to Unicode NFC.
 */
export const PersonName = v.string() as v.GenericSchema<components['schemas']['PersonName']>;

/**
 * A job title; may be empty.
 */
export const JobTitle = v.string() as v.GenericSchema<components['schemas']['JobTitle']>;

/**
 * Terminated users keep their data but have no access.
 */
export const UserStatus = v.string() as v.GenericSchema<components['schemas']['UserStatus']>;

/**
 * The user's profile.
 */
export const Profile = v.looseObject({
  id: Uuid,
  firstName: PersonName,
  lastName: PersonName,
  title: JobTitle,
  organizationId: Uuid,
  roleId: Uuid,
  status: UserStatus,
  createdDateTime: DateTime,
  lastSignedInAt: v.nullable(v.string())
}) as v.GenericSchema<components['schemas']['Profile']>;

/**
 * A user of the organization: a person or a service account.
 */
export const User = v.looseObject({
  id: Uuid,
  email: v.string(),
  idpId: Uuid,
  roleId: Uuid,
  profile: Profile,
  createdDateTime: DateTime
}) as v.GenericSchema<components['schemas']['User']>;

/**
 * One page of users, ordered by creation, then by id.
 */
export const UserPage = v.looseObject({
  content: v.array(User),
  totalElements: v.pipe(v.number(), v.integer()),
  totalPages: v.pipe(v.number(), v.integer()),
  size: v.pipe(v.number(), v.integer()),
  number: v.pipe(v.number(), v.integer())
}) as v.GenericSchema<components['schemas']['UserPage']>;

/**
 * `owner` and `admin` have every permission in every workspace of the organization. `member` has the permissions of the user's workspace roles.
 */
export const OrganizationRoleName = v.string() as v.GenericSchema<components['schemas']['OrganizationRoleName']>;

/**
 * A role in the organization.
 */
export const OrganizationRole = v.looseObject({
  id: Uuid,
  name: OrganizationRoleName,
  organizationId: Uuid
}) as v.GenericSchema<components['schemas']['OrganizationRole']>;

/**
 * `LIVE` for production use. Emails and webhooks from a `SANDBOX` workspace are marked. The sandbox environment has only `SANDBOX` workspaces.
 */
export const WorkspaceType = v.string() as v.GenericSchema<components['schemas']['WorkspaceType']>;

/**
 * A part of the organization with its own roles, members, tables and workflow definitions.
 */
export const Workspace = v.looseObject({
  id: Uuid,
  name: v.string(),
  description: v.string(),
  workspaceType: WorkspaceType
}) as v.GenericSchema<components['schemas']['Workspace']>;

/**
 * Name of the role, unique in its workspace.
 */
export const WorkspaceRoleName = v.string() as v.GenericSchema<components['schemas']['WorkspaceRoleName']>;

/**
 * One permission on one object.
 */
export const RolePermission = v.looseObject({
  id: Uuid,
  resourceType: v.string(),
  relation: v.string(),
  resourceId: Uuid
}) as v.GenericSchema<components['schemas']['RolePermission']>;

/**
 * `WORKSPACE` for the built-in roles of every workspace, `CUSTOM` for roles declared by the operator.
 */
export const WorkspaceRoleType = v.string() as v.GenericSchema<components['schemas']['WorkspaceRoleType']>;

/**
 * A role in a workspace with its permissions.
 */
export const WorkspaceRole = v.looseObject({
  id: Uuid,
  name: WorkspaceRoleName,
  workspaceId: Uuid,
  description: v.string(),
  permissions: v.array(RolePermission),
  createdDateTime: DateTime,
  type: WorkspaceRoleType
}) as v.GenericSchema<components['schemas']['WorkspaceRole']>;

/**
 * The member's role. `GET /organizations/workspaces/{workspaceId}/roles` lists its permissions.
 */
export const MembershipRole = v.looseObject({
  id: Uuid,
  name: WorkspaceRoleName,
  workspaceId: Uuid,
  createdDateTime: DateTime,
  type: WorkspaceRoleType
}) as v.GenericSchema<components['schemas']['MembershipRole']>;

/**
 * A direct membership: a user's role in a workspace.
 */
export const Membership = v.looseObject({
  workspaceId: Uuid,
  userId: Uuid,
  role: MembershipRole
}) as v.GenericSchema<components['schemas']['Membership']>;

/**
 * The membership of an owner or admin, inherited in every workspace of the organization.
 */
export const InheritedMembership = v.looseObject({
  organizationId: Uuid,
  userId: Uuid,
  roleId: Uuid,
  status: UserStatus
}) as v.GenericSchema<components['schemas']['InheritedMembership']>;

/**
 * All memberships of a workspace.
 */
export const WorkspaceMemberships = v.looseObject({
  directMemberships: v.array(Membership),
  inheritedMemberships: v.array(InheritedMembership)
}) as v.GenericSchema<components['schemas']['WorkspaceMemberships']>;

/**
 * A list of records.
 */
export const Table = v.looseObject({
  id: Uuid,
  workspaceId: Uuid,
  name: v.string(),
  createdDateTime: DateTime
}) as v.GenericSchema<components['schemas']['Table']>;

/**
 * A position in a list. Callers should not interpret it.
 */
export const Cursor = v.string() as v.GenericSchema<components['schemas']['Cursor']>;

/**
 * One page of tables.
 */
export const TablePage = v.looseObject({
  content: v.array(Table),
  nextCursor: v.optional(Cursor)
}) as v.GenericSchema<components['schemas']['TablePage']>;

/**
 * An entry of a table, which can have attachments.
 */
export const TableRecord = v.looseObject({
  id: Uuid,
  tableId: Uuid,
  name: v.string(),
  createdDateTime: DateTime
}) as v.GenericSchema<components['schemas']['TableRecord']>;

/**
 * One page of records.
 */
export const RecordPage = v.looseObject({
  content: v.array(TableRecord),
  nextCursor: v.optional(Cursor)
}) as v.GenericSchema<components['schemas']['RecordPage']>;

/**
 * The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark.
 */
export const FileName = v.string() as v.GenericSchema<components['schemas']['FileName']>;

/**
 * A stored file.
 */
export const Resource = v.looseObject({
  resourceId: Uuid,
  resourcePath: v.string(),
  resourceName: FileName
}) as v.GenericSchema<components['schemas']['Resource']>;

/**
 * The media type declared by the uploaded part, never guessed from the bytes. Default: `application/octet-stream`.
 */
export const MediaType = v.string() as v.GenericSchema<components['schemas']['MediaType']>;

/**
 * A tag in any script, normalized to Unicode NFC.
 */
export const Tag = v.string() as v.GenericSchema<components['schemas']['Tag']>;

/**
 * Tags in the given order; at most 20.
 */
export const Tags = v.array(Tag) as v.GenericSchema<components['schemas']['Tags']>;

/**
 * A file attached to a record.
 */
export const Attachment = v.looseObject({
  id: Uuid,
  recordId: Uuid,
  name: FileName,
  type: MediaType,
  size: v.pipe(v.number(), v.integer()),
  tags: Tags,
  createdDateTime: DateTime
}) as v.GenericSchema<components['schemas']['Attachment']>;

/**
 * A signed URL of an attachment.
 */
export const AttachmentLink = v.looseObject({
  link: v.string()
}) as v.GenericSchema<components['schemas']['AttachmentLink']>;

/**
 * Name of a workflow definition.
 */
export const DefinitionName = v.string() as v.GenericSchema<components['schemas']['DefinitionName']>;

/**
 * Revision of a workflow definition.
 */
export const DefinitionRevision = v.string() as v.GenericSchema<components['schemas']['DefinitionRevision']>;

/**
 * A language tag (BCP 47), for example `en`, `fr` or `de-CH`.
 */
export const Locale = v.string() as v.GenericSchema<components['schemas']['Locale']>;

/**
 * The JSON Schema (2020-12) that the `parameters` of an execution must match; `{}` if any object does.
 */
export const InputSchema = v.pipe(v.unknown(), v.check(value => !Array.isArray(value)), v.record(v.string(), v.unknown())) as v.GenericSchema<components['schemas']['InputSchema']>;

/**
 * A workflow definition at its current revision.
 */
export const WorkflowDefinition = v.looseObject({
  id: Uuid,
  workspaceId: Uuid,
  name: DefinitionName,
  title: v.string(),
  description: v.optional(v.string()),
  revision: DefinitionRevision,
  locale: Locale,
  inputSchema: InputSchema,
  createdDateTime: DateTime
}) as v.GenericSchema<components['schemas']['WorkflowDefinition']>;

/**
 * One page of workflow definitions.
 */
export const WorkflowDefinitionPage = v.looseObject({
  content: v.array(WorkflowDefinition),
  nextCursor: v.optional(Cursor)
}) as v.GenericSchema<components['schemas']['WorkflowDefinitionPage']>;

/**
 * `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again.
 */
export const ExecutionStatus = v.string() as v.GenericSchema<components['schemas']['ExecutionStatus']>;

/**
 * Why an execution failed.
 */
export const ExecutionFailure = v.looseObject({
  error: v.string(),
  cause: v.string(),
  timedOut: v.optional(v.boolean())
}) as v.GenericSchema<components['schemas']['ExecutionFailure']>;

/**
 * `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link.
 */
export const ExecutionType = v.string() as v.GenericSchema<components['schemas']['ExecutionType']>;

/**
 * Starts at 1 and increases with every stored change of the execution.
 */
export const ExecutionVersion = v.pipe(v.number(), v.integer()) as v.GenericSchema<components['schemas']['ExecutionVersion']>;

/**
 * Where the execution was started.
 */
export const ExecutionOrigin = v.looseObject({
  workspaceId: Uuid,
  type: v.string()
}) as v.GenericSchema<components['schemas']['ExecutionOrigin']>;

/**
 * An execution of a workflow definition without its parameters and display hints.
 */
export const WorkflowExecutionSummary = v.looseObject({
  id: Uuid,
  workspaceId: Uuid,
  workflowDefinitionId: Uuid,
  name: DefinitionName,
  revision: DefinitionRevision,
  status: ExecutionStatus,
  failure: v.optional(ExecutionFailure),
  locale: Locale,
  createdDateTime: DateTime,
  endedDateTime: v.optional(v.string()),
  expiresAt: DateTime,
  recordId: v.optional(Uuid),
  executionType: ExecutionType,
  executionVersion: ExecutionVersion,
  origin: ExecutionOrigin
}) as v.GenericSchema<components['schemas']['WorkflowExecutionSummary']>;

/**
 * One page of executions, newest first.
 */
export const WorkflowExecutionPage = v.looseObject({
  content: v.array(WorkflowExecutionSummary),
  nextCursor: v.optional(Cursor)
}) as v.GenericSchema<components['schemas']['WorkflowExecutionPage']>;

/**
 * The parameters: any JSON object that matches the definition's input schema. The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400.
 */
export const ExecutionParameters = v.pipe(v.unknown(), v.check(value => !Array.isArray(value)), v.record(v.string(), v.unknown())) as v.GenericSchema<components['schemas']['ExecutionParameters']>;

/**
 * Display hints from the definition for a page that shows the execution: any JSON object. Default: `{}`. The platform's link pages use `title`, `description` and `fields`; see the guide on running workflows.
 */
export const UiOptions = v.pipe(v.unknown(), v.check(value => !Array.isArray(value)), v.record(v.string(), v.unknown())) as v.GenericSchema<components['schemas']['UiOptions']>;

/**
 * An execution of a workflow definition.
 */
export const WorkflowExecution = v.looseObject({
  id: Uuid,
  workspaceId: Uuid,
  workflowDefinitionId: Uuid,
  parameters: ExecutionParameters,
  name: DefinitionName,
  revision: DefinitionRevision,
  status: ExecutionStatus,
  failure: v.optional(ExecutionFailure),
  locale: Locale,
  createdDateTime: DateTime,
  endedDateTime: v.optional(v.string()),
  expiresAt: DateTime,
  uiOptions: UiOptions,
  recordId: v.optional(Uuid),
  executionType: ExecutionType,
  executionVersion: ExecutionVersion,
  origin: ExecutionOrigin
}) as v.GenericSchema<components['schemas']['WorkflowExecution']>;

/**
 * `STATE_COMPLETED`: a state led to the next one or to the end. `STATE_FAILED`: it failed, and nothing caught its error. `RETRY_SCHEDULED`: it failed, and is tried again. `TASK_STARTED`: an attempt of a task began. `WAIT_STARTED`: a Wait state waits. `BRANCHES_STARTED`: a Parallel or Map state started its branches or iterations. `EXECUTION_RETRIED`: the execution had failed, and the operator continued it. Types may be added.
 */
export const HistoryEntryType = v.string() as v.GenericSchema<components['schemas']['HistoryEntryType']>;

/**
 * Any JSON value.
 */
export const HistoryJson = v.unknown() as v.GenericSchema<components['schemas']['HistoryJson']>;

/**
 * A value of a state.
 */
export const HistoryValue = v.looseObject({
  size: v.pipe(v.number(), v.integer()),
  value: v.optional(HistoryJson)
}) as v.GenericSchema<components['schemas']['HistoryValue']>;

/**
 * One entry of the history of an execution. Which fields it has depends on its type.
 */
export const WorkflowHistoryEntry = v.looseObject({
  id: Uuid,
  type: HistoryEntryType,
  createdDateTime: DateTime,
  state: v.string(),
  branch: v.optional(v.string()),
  stateType: v.optional(v.string()),
  enteredDateTime: v.optional(v.string()),
  via: v.optional(v.string()),
  attempt: v.optional(v.pipe(v.number(), v.integer())),
  resource: v.optional(v.string()),
  until: v.optional(v.string()),
  branches: v.optional(v.pipe(v.number(), v.integer())),
  failure: v.optional(ExecutionFailure),
  input: v.optional(HistoryValue),
  arguments: v.optional(HistoryValue),
  result: v.optional(HistoryValue),
  assigned: v.optional(HistoryValue),
  output: v.optional(HistoryValue)
}) as v.GenericSchema<components['schemas']['WorkflowHistoryEntry']>;

/**
 * One page of the history of an execution, oldest first.
 */
export const WorkflowHistoryPage = v.looseObject({
  content: v.array(WorkflowHistoryEntry),
  nextCursor: v.optional(Cursor)
}) as v.GenericSchema<components['schemas']['WorkflowHistoryPage']>;

/**
 * The result: any JSON object, defined by the workflow definition. Returned here up to 9,000,000 bytes.
 */
export const WorkflowResult = v.pipe(v.unknown(), v.check(value => !Array.isArray(value)), v.record(v.string(), v.unknown())) as v.GenericSchema<components['schemas']['WorkflowResult']>;

/**
 * The parameters: any JSON value, usually an object with numbers, booleans and strings. Numbers are stored in double precision (RFC 8259, section 6). The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400.
 */
export const ParametersValue = v.unknown() as v.GenericSchema<components['schemas']['ParametersValue']>;

/**
 * Stored parameters of a workflow definition.
 */
export const ParameterSet = v.looseObject({
  parametersId: Uuid,
  workflowDefinitionId: Uuid,
  parameters: ParametersValue
}) as v.GenericSchema<components['schemas']['ParameterSet']>;

/**
 * What a single-use link is created for.
 */
export const Case = v.looseObject({
  id: Uuid,
  workspaceId: Uuid,
  recordId: v.optional(Uuid),
  name: v.string(),
  hasContact: v.boolean(),
  createdDateTime: DateTime
}) as v.GenericSchema<components['schemas']['Case']>;

/**
 * One page of cases.
 */
export const CasePage = v.looseObject({
  content: v.array(Case),
  nextCursor: v.optional(Cursor)
}) as v.GenericSchema<components['schemas']['CasePage']>;

/**
 * A link that starts a workflow once.
 */
export const WorkflowLink = v.looseObject({
  link: v.string(),
  linkId: Uuid,
  expiresAt: DateTime
}) as v.GenericSchema<components['schemas']['WorkflowLink']>;

/**
 * The error code. Minor versions may add codes, so handle an unknown code by the HTTP status. The errors guide has an entry for each code.
 */
export const ErrorCode = v.string() as v.GenericSchema<components['schemas']['ErrorCode']>;

/**
 * One error.
 */
export const ErrorItem = v.looseObject({
  code: ErrorCode,
  message: v.string(),
  pointer: v.optional(v.string()),
  parameter: v.optional(v.string())
}) as v.GenericSchema<components['schemas']['ErrorItem']>;

/**
 * The body of every error response.
 */
export const Error = v.looseObject({
  fingerprint: v.string(),
  errors: v.array(ErrorItem)
}) as v.GenericSchema<components['schemas']['Error']>;

export const exchangeApiKey: typeof Tokens = Tokens;

export const refreshTokens: typeof Tokens = Tokens;

export const pollWebhookEvents: typeof EventBatch = EventBatch;

export const listUsers: typeof UserPage = UserPage;

export const getUser: typeof User = User;

export const updateUserProfile: typeof User = User;

export const changeUserRole: typeof User = User;

export const terminateUser: typeof User = User;

export const reinstateUser: typeof User = User;

export const listOrganizationRoles = v.array(OrganizationRole) as v.GenericSchema<operations['listOrganizationRoles']['responses'][200]['content']['application/json']>;

export const listWorkspaces = v.array(Workspace) as v.GenericSchema<operations['listWorkspaces']['responses'][200]['content']['application/json']>;

export const listWorkspaceRoles = v.array(WorkspaceRole) as v.GenericSchema<operations['listWorkspaceRoles']['responses'][200]['content']['application/json']>;

export const listMemberships: typeof WorkspaceMemberships = WorkspaceMemberships;

export const listDirectMemberships = v.array(Membership) as v.GenericSchema<operations['listDirectMemberships']['responses'][200]['content']['application/json']>;

export const setMembership: typeof Membership = Membership;

export const listTables: typeof TablePage = TablePage;

export const listRecords: typeof RecordPage = RecordPage;

export const uploadResource: typeof Resource = Resource;

export const listAttachments = v.array(Attachment) as v.GenericSchema<operations['listAttachments']['responses'][200]['content']['application/json']>;

export const createAttachment: typeof Attachment = Attachment;

export const getAttachmentLink: typeof AttachmentLink = AttachmentLink;

export const listWorkflowDefinitions: typeof WorkflowDefinitionPage = WorkflowDefinitionPage;

export const listWorkflows: typeof WorkflowExecutionPage = WorkflowExecutionPage;

export const startWorkflow: typeof WorkflowExecution = WorkflowExecution;

export const getWorkflow: typeof WorkflowExecution = WorkflowExecution;

export const listHistory: typeof WorkflowHistoryPage = WorkflowHistoryPage;

export const getWorkflowResult: typeof WorkflowResult = WorkflowResult;

export const createParameterSet: typeof ParameterSet = ParameterSet;

export const getParameterSet: typeof ParameterSet = ParameterSet;

export const listCases: typeof CasePage = CasePage;

export const createLink: typeof WorkflowLink = WorkflowLink;

export const sendLink: typeof WorkflowLink = WorkflowLink;
