import type { Selectable } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';

export type Schema = Tables;

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type OrganizationRoleName = Row<'organization_roles'>['name'];
export type UserStatus = Row<'users'>['status'];
export type WorkspaceType = Row<'workspaces'>['type'];
/** `call`: a request to another system, made by a job of its own. */
export type Awaiting = NonNullable<Row<'threads'>['awaiting']>;
/** `requested`: to be attempted as soon as possible; no job is queued yet. */
export type DeliveryStatus = Row<'webhook_deliveries'>['status'];
export type ExecutionStatus = Row<'executions'>['status'];
export const executionStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const;
