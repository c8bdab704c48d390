import type { Selectable } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';

export type Schema = Tables;

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type OrganizationRoleName = Row<'organization_roles'>['name'];
export type UserStatus = Row<'users'>['status'];
export type WorkspaceType = Row<'workspaces'>['type'];
/** `call`: work outside the database that a job of its own does. */
export type Awaiting = NonNullable<Row<'threads'>['awaiting']>;
/** `requested`: to be attempted as soon as possible, and no job knows of it yet. */
export type DeliveryStatus = Row<'webhook_deliveries'>['status'];
export type ExecutionStatus = Row<'executions'>['status'];
