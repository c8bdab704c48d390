// Generated from spec/ by `npm run generate`. Do not edit.

import * as v from 'valibot';
import type { components } from './types.ts';

/**
 * Identifier of the event. Repeated deliveries have the same ID, so you can ignore duplicates.
 */
export const EventId = v.string() as v.GenericSchema<components['schemas']['EventId']>;

/**
 * A timestamp in ISO 8601 format, in UTC with fractional seconds.
 */
export const DateTime = v.string() as v.GenericSchema<components['schemas']['DateTime']>;

/**
 * A UUID in its canonical form.
 */
export const Uuid = v.string() as v.GenericSchema<components['schemas']['Uuid']>;

/**
 * `RUNNING` until the execution ends with one of the other statuses: `COMPLETED` with a result, `FAILED` at a step, `CANCELLED` by a caller, or `EXPIRED` at `expiresAt`. They are final, except that the operator can retry a `FAILED` execution, which is then `RUNNING` again.
 */
export const ExecutionStatus = v.string() as v.GenericSchema<components['schemas']['ExecutionStatus']>;

/**
 * `BACKGROUND` if started by the API, `INTERACTIVE` if started by a person from a link.
 */
export const ExecutionType = v.string() as v.GenericSchema<components['schemas']['ExecutionType']>;

/**
 * The execution after the change.
 */
export const WorkflowEventData = v.looseObject({
  workflowId: Uuid,
  workflowDefinitionId: Uuid,
  recordId: v.optional(Uuid),
  status: ExecutionStatus,
  executionType: ExecutionType,
  executionVersion: v.pipe(v.number(), v.integer())
}) as v.GenericSchema<components['schemas']['WorkflowEventData']>;

/**
 * A workflow execution started.
 */
export const WorkflowStarted = v.looseObject({
  id: EventId,
  type: v.picklist(['workflow.started']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: WorkflowEventData
}) as v.GenericSchema<components['schemas']['WorkflowStarted']>;

/**
 * A workflow execution completed and has a result.
 */
export const WorkflowCompleted = v.looseObject({
  id: EventId,
  type: v.picklist(['workflow.completed']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: WorkflowEventData
}) as v.GenericSchema<components['schemas']['WorkflowCompleted']>;

/**
 * The execution after the change, and the error that ended it.
 */
export const WorkflowFailedEventData = v.looseObject({
  workflowId: Uuid,
  workflowDefinitionId: Uuid,
  recordId: v.optional(Uuid),
  status: ExecutionStatus,
  executionType: ExecutionType,
  executionVersion: v.pipe(v.number(), v.integer()),
  error: v.string(),
  timedOut: v.optional(v.boolean())
}) as v.GenericSchema<components['schemas']['WorkflowFailedEventData']>;

/**
 * A workflow execution failed.
 */
export const WorkflowFailed = v.looseObject({
  id: EventId,
  type: v.picklist(['workflow.failed']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: WorkflowFailedEventData
}) as v.GenericSchema<components['schemas']['WorkflowFailed']>;

/**
 * A workflow execution was cancelled.
 */
export const WorkflowCancelled = v.looseObject({
  id: EventId,
  type: v.picklist(['workflow.cancelled']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: WorkflowEventData
}) as v.GenericSchema<components['schemas']['WorkflowCancelled']>;

/**
 * A workflow execution expired.
 */
export const WorkflowExpired = v.looseObject({
  id: EventId,
  type: v.picklist(['workflow.expired']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: WorkflowEventData
}) as v.GenericSchema<components['schemas']['WorkflowExpired']>;

/**
 * Normalized to Unicode NFC.
 */
export const PersonName = v.string() as v.GenericSchema<components['schemas']['PersonName']>;

/**
 * A job title; may be empty.
 */
export const JobTitle = v.string() as v.GenericSchema<components['schemas']['JobTitle']>;

/**
 * The new profile: all three fields, whichever changed.
 */
export const UserUpdatedEventData = v.looseObject({
  userId: Uuid,
  firstName: PersonName,
  lastName: PersonName,
  title: JobTitle
}) as v.GenericSchema<components['schemas']['UserUpdatedEventData']>;

/**
 * A user's profile was changed.
 */
export const UserUpdated = v.looseObject({
  id: EventId,
  type: v.picklist(['user.updated']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  data: UserUpdatedEventData
}) as v.GenericSchema<components['schemas']['UserUpdated']>;

/**
 * The user and the new organization role.
 */
export const UserRoleChangedEventData = v.looseObject({
  userId: Uuid,
  roleId: Uuid
}) as v.GenericSchema<components['schemas']['UserRoleChangedEventData']>;

/**
 * A user's organization role was changed.
 */
export const UserRoleChanged = v.looseObject({
  id: EventId,
  type: v.picklist(['user.role_changed']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  data: UserRoleChangedEventData
}) as v.GenericSchema<components['schemas']['UserRoleChanged']>;

/**
 * Terminated users keep their data but have no access.
 */
export const UserStatus = v.string() as v.GenericSchema<components['schemas']['UserStatus']>;

/**
 * The user and the new status.
 */
export const UserTerminatedEventData = v.looseObject({
  userId: Uuid,
  status: UserStatus
}) as v.GenericSchema<components['schemas']['UserTerminatedEventData']>;

/**
 * A user was terminated.
 */
export const UserTerminated = v.looseObject({
  id: EventId,
  type: v.picklist(['user.terminated']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  data: UserTerminatedEventData
}) as v.GenericSchema<components['schemas']['UserTerminated']>;

/**
 * The user, the new role and the new status.
 */
export const UserReinstatedEventData = v.looseObject({
  userId: Uuid,
  roleId: Uuid,
  status: UserStatus
}) as v.GenericSchema<components['schemas']['UserReinstatedEventData']>;

/**
 * A terminated user was reinstated.
 */
export const UserReinstated = v.looseObject({
  id: EventId,
  type: v.picklist(['user.reinstated']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  data: UserReinstatedEventData
}) as v.GenericSchema<components['schemas']['UserReinstated']>;

/**
 * The user.
 */
export const UserMfaResetEventData = v.looseObject({
  userId: Uuid
}) as v.GenericSchema<components['schemas']['UserMfaResetEventData']>;

/**
 * A user's second factors were reset.
 */
export const UserMfaReset = v.looseObject({
  id: EventId,
  type: v.picklist(['user.mfa_reset']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  data: UserMfaResetEventData
}) as v.GenericSchema<components['schemas']['UserMfaReset']>;

/**
 * The user and the new workspace role.
 */
export const MembershipSetEventData = v.looseObject({
  userId: Uuid,
  roleId: Uuid
}) as v.GenericSchema<components['schemas']['MembershipSetEventData']>;

/**
 * A workspace membership was added or changed.
 */
export const MembershipSet = v.looseObject({
  id: EventId,
  type: v.picklist(['membership.set']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: MembershipSetEventData
}) as v.GenericSchema<components['schemas']['MembershipSet']>;

/**
 * The user.
 */
export const MembershipRemovedEventData = v.looseObject({
  userId: Uuid
}) as v.GenericSchema<components['schemas']['MembershipRemovedEventData']>;

/**
 * A workspace membership was removed.
 */
export const MembershipRemoved = v.looseObject({
  id: EventId,
  type: v.picklist(['membership.removed']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: MembershipRemovedEventData
}) as v.GenericSchema<components['schemas']['MembershipRemoved']>;

/**
 * The file name in any script, normalized to Unicode NFC. Directories are removed (`../../etc/passwd` becomes `passwd`), and `%22`, as browsers send it, is decoded to a quotation mark.
 */
export const FileName = v.string() as v.GenericSchema<components['schemas']['FileName']>;

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
 * The attachment.
 */
export const AttachmentCreatedEventData = v.looseObject({
  attachmentId: Uuid,
  tableId: Uuid,
  recordId: Uuid,
  name: FileName,
  type: MediaType,
  size: v.pipe(v.number(), v.integer()),
  tags: Tags
}) as v.GenericSchema<components['schemas']['AttachmentCreatedEventData']>;

/**
 * A file was attached to a record.
 */
export const AttachmentCreated = v.looseObject({
  id: EventId,
  type: v.picklist(['attachment.created']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: AttachmentCreatedEventData
}) as v.GenericSchema<components['schemas']['AttachmentCreated']>;

/**
 * The deleted attachment.
 */
export const AttachmentDeletedEventData = v.looseObject({
  attachmentId: Uuid,
  tableId: Uuid,
  recordId: Uuid
}) as v.GenericSchema<components['schemas']['AttachmentDeletedEventData']>;

/**
 * An attachment was deleted.
 */
export const AttachmentDeleted = v.looseObject({
  id: EventId,
  type: v.picklist(['attachment.deleted']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: AttachmentDeletedEventData
}) as v.GenericSchema<components['schemas']['AttachmentDeleted']>;

/**
 * The file resource.
 */
export const ResourceCreatedEventData = v.looseObject({
  resourceId: Uuid,
  name: FileName,
  contentType: MediaType,
  size: v.pipe(v.number(), v.integer()),
  sha256: v.string()
}) as v.GenericSchema<components['schemas']['ResourceCreatedEventData']>;

/**
 * A file resource was created.
 */
export const ResourceCreated = v.looseObject({
  id: EventId,
  type: v.picklist(['resource.created']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: ResourceCreatedEventData
}) as v.GenericSchema<components['schemas']['ResourceCreated']>;

/**
 * The parameter set and its workflow definition.
 */
export const ParametersCreatedEventData = v.looseObject({
  parametersId: Uuid,
  workflowDefinitionId: Uuid
}) as v.GenericSchema<components['schemas']['ParametersCreatedEventData']>;

/**
 * A parameter set was stored.
 */
export const ParametersCreated = v.looseObject({
  id: EventId,
  type: v.picklist(['parameters.created']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: ParametersCreatedEventData
}) as v.GenericSchema<components['schemas']['ParametersCreated']>;

/**
 * The link, its case and workflow definition, and its expiry.
 */
export const LinkCreatedEventData = v.looseObject({
  linkId: Uuid,
  caseId: Uuid,
  workflowDefinitionId: Uuid,
  parametersId: v.optional(Uuid),
  expiresAt: DateTime
}) as v.GenericSchema<components['schemas']['LinkCreatedEventData']>;

/**
 * A single-use link was created.
 */
export const LinkCreated = v.looseObject({
  id: EventId,
  type: v.picklist(['link.created']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: LinkCreatedEventData
}) as v.GenericSchema<components['schemas']['LinkCreated']>;

/**
 * The link, its case and its workflow definition.
 */
export const LinkSentEventData = v.looseObject({
  linkId: Uuid,
  caseId: Uuid,
  workflowDefinitionId: Uuid
}) as v.GenericSchema<components['schemas']['LinkSentEventData']>;

/**
 * A single-use link was emailed.
 */
export const LinkSent = v.looseObject({
  id: EventId,
  type: v.picklist(['link.sent']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: LinkSentEventData
}) as v.GenericSchema<components['schemas']['LinkSent']>;

/**
 * The link, its case and workflow definition, and the started execution.
 */
export const LinkUsedEventData = v.looseObject({
  linkId: Uuid,
  caseId: Uuid,
  workflowDefinitionId: Uuid,
  workflowId: Uuid
}) as v.GenericSchema<components['schemas']['LinkUsedEventData']>;

/**
 * A single-use link was used and started a workflow.
 */
export const LinkUsed = v.looseObject({
  id: EventId,
  type: v.picklist(['link.used']),
  createdDateTime: DateTime,
  organizationId: Uuid,
  workspaceId: Uuid,
  data: LinkUsedEventData
}) as v.GenericSchema<components['schemas']['LinkUsed']>;
