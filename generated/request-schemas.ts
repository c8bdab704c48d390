// Generated from spec/ by `npm run generate`. Do not edit.

import * as v from 'valibot';
import { isDateTime } from './date-times.ts';
import type { components } from './types.ts';

const atMost = (limit: number) =>
  v.check<string, string>((text) => [...text].length <= limit, `Invalid length: Expected <=${limit}`);

/**
 * An API key and its secret, both shown when the key is created.
 */
export const ApiKeyCredentials = v.strictObject({
  key: v.pipe(v.string(), v.minLength(1), atMost(200), v.regex(/^[^\x00]*$/)),
  secret: v.pipe(v.string(), v.minLength(1), atMost(200), v.regex(/^[^\x00]*$/))
}) as v.GenericSchema<components['schemas']['ApiKeyCredentials']>;

/**
 * The refresh token to use.
 */
export const TokenRefresh = v.strictObject({
  refreshToken: v.pipe(v.string(), v.minLength(1), atMost(4096), v.regex(/^[^\x00]*$/))
}) as v.GenericSchema<components['schemas']['TokenRefresh']>;

/**
 * The fields to replace, at least one. An absent field keeps its value.
 */
export const ProfileUpdate = v.pipe(v.strictObject({
  firstName: v.optional(v.pipe(v.string(), v.minLength(1), atMost(100), v.regex(/^[^\x00]*$/))),
  lastName: v.optional(v.pipe(v.string(), v.minLength(1), atMost(100), v.regex(/^[^\x00]*$/))),
  title: v.optional(v.pipe(v.string(), atMost(100), v.regex(/^[^\x00]*$/)))
}), v.minEntries(1)) as v.GenericSchema<components['schemas']['ProfileUpdate']>;

/**
 * A UUID in its canonical form.
 */
export const Uuid = v.pipe(v.string(), v.uuid(), v.length(36)) as v.GenericSchema<components['schemas']['Uuid']>;

/**
 * The user's new organization role.
 */
export const OrganizationRoleChoice = v.strictObject({
  roleId: Uuid
}) as v.GenericSchema<components['schemas']['OrganizationRoleChoice']>;

/**
 * The user's new workspace role.
 */
export const MembershipChoice = v.strictObject({
  userId: Uuid,
  roleId: Uuid
}) as v.GenericSchema<components['schemas']['MembershipChoice']>;

/**
 * A language tag (BCP 47), for example `en`, `fr` or `de-CH`.
 */
export const Locale = v.pipe(v.string(), v.minLength(2), v.maxLength(35), v.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)) as v.GenericSchema<components['schemas']['Locale']>;

/**
 * The parameters: any JSON object that matches the definition's input schema. The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400.
 */
export const ExecutionParameters = v.pipe(v.unknown(), v.check(value => !Array.isArray(value)), v.record(v.string(), v.unknown())) as v.GenericSchema<components['schemas']['ExecutionParameters']>;

/**
 * The workflow definition to start, and its input.
 */
export const WorkflowStart = v.strictObject({
  workflowDefinitionId: Uuid,
  locale: v.optional(Locale),
  parameters: v.optional(ExecutionParameters),
  expiresAt: v.optional(v.pipe(v.string(), v.check(isDateTime), v.minLength(20), v.maxLength(64))),
  recordId: v.optional(Uuid)
}) as v.GenericSchema<components['schemas']['WorkflowStart']>;

/**
 * The parameters: any JSON value, usually an object with numbers, booleans and strings. Numbers are stored in double precision (RFC 8259, section 6). The request body is limited to 1 MiB. Text and names with NUL (U+0000) or a lone surrogate, numbers beyond double precision, and more than 200 levels return 400.
 */
export const ParametersValue = v.unknown() as v.GenericSchema<components['schemas']['ParametersValue']>;

/**
 * The workflow definition and the parameters.
 */
export const ParameterSetRequest = v.strictObject({
  workflowDefinitionId: Uuid,
  parameters: ParametersValue
}) as v.GenericSchema<components['schemas']['ParameterSetRequest']>;

/**
 * The case and the workflow of a link.
 */
export const LinkRequest = v.strictObject({
  caseId: Uuid,
  workflowDefinitionId: Uuid,
  parametersId: v.optional(Uuid)
}) as v.GenericSchema<components['schemas']['LinkRequest']>;

/**
 * The former name of `ParameterSetRequest`, kept for generated code.
 */
export const NewParameterSet: typeof ParameterSetRequest = ParameterSetRequest;

export const exchangeApiKey: typeof ApiKeyCredentials = ApiKeyCredentials;

export const refreshTokens: typeof TokenRefresh = TokenRefresh;

export const updateUserProfile: typeof ProfileUpdate = ProfileUpdate;

export const changeUserRole: typeof OrganizationRoleChoice = OrganizationRoleChoice;

export const reinstateUser: typeof OrganizationRoleChoice = OrganizationRoleChoice;

export const setMembership: typeof MembershipChoice = MembershipChoice;

export const startWorkflow: typeof WorkflowStart = WorkflowStart;

export const createParameterSet: typeof ParameterSetRequest = ParameterSetRequest;

export const createLink: typeof LinkRequest = LinkRequest;

export const sendLink: typeof LinkRequest = LinkRequest;
