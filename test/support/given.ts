import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject } from '../../server/json/index.ts';
import { newOrganizationToken, secretDigest } from '../../server/src/domain/organization-token.ts';
import { builtInRoles } from '../../server/src/manifest/platform-file.ts';
import { newApiKey } from '../../server/src/store/credentials.ts';
import type { Database } from '../../server/src/store/database.ts';
import type { OrganizationRoleName, UserStatus, WorkspaceType } from '../../server/src/store/schema.ts';
import { echo } from './definitions.ts';

/** A clock that tests move. It stands still by default. */
export interface Clock {
  now(): Date;
  forward(milliseconds: number): void;
}

export interface KnownUser {
  id: string;
  email: string;
  idpId: string;
  roleId: string;
  organizationId: string;
}
export interface KnownCaller extends KnownUser {
  token: string;
}
export interface KnownWorkspace {
  id: string;
  organizationId: string;
  /** Identifiers of the built-in roles. */
  roles: Record<Lowercase<(typeof builtInRoles)[number]['name']>, string>;
}
export interface KnownOrganization {
  id: string;
  roles: Record<OrganizationRoleName, string>;
}

/** Two organizations: one with an owner, an admin, two members and two workspaces, and a stranger's. */
export interface World {
  organization: KnownOrganization;
  owner: KnownCaller;
  admin: KnownCaller;
  member: KnownCaller;
  outsider: KnownCaller;
  workspace: KnownWorkspace;
  otherWorkspace: KnownWorkspace;
  table: { id: string };
  record: { id: string };
  workflowDefinition: { id: string };
  strangersOrganization: KnownOrganization;
  stranger: KnownCaller;
  strangersWorkspace: KnownWorkspace;
}

/** One function for each kind of row, which defaults what a test does not name. */
export type Given = ReturnType<typeof adders>;

/** Fills a database with the world, and returns functions that add to it. */
export async function given(database: Database, clock: Clock): Promise<Given & { world: World }> {
  const add = adders({ database, clock });
  return { ...add, world: await addWorld(add) };
}

const adders = (to: Destination) => ({
  organization: () => addOrganization(to),
  user: (user: NewUser) => addUser(to, user),
  /** A user with a token. */
  caller: (caller: NewCaller) => addCaller(to, caller),
  terminatedUser: (organization: KnownOrganization) => addUser(to, { organization, status: 'TERMINATED' }),
  workspace: (workspace: NewWorkspace) => addWorkspace(to, workspace),
  /** A role whose permissions are on the whole workspace, or on one object. @returns its identifier */
  workspaceRole: (role: NewWorkspaceRole) => addWorkspaceRole(to, role),
  membership: (membership: NewMembership) => addMembership(to, membership),
  /** Adds so many viewers to a workspace, two with the same time each. */
  members: (members: NewMembers) => addMembers(to, members),
  table: (table: Parameters<typeof addTable>[1]) => addTable(to, table),
  record: (record: Parameters<typeof addRecord>[1]) => addRecord(to, record),
  /** A definition with one revision. Default: `echo`. */
  workflowDefinition: (definition: NewDefinition) => addDefinition(to, definition),
  /** A new revision of a definition, which becomes its current one. */
  definitionRevision: (revision: NewRevision) => addRevision(to, revision),
  /** @returns the token itself */
  token: (owner: CredentialOwner) => addToken(to, owner),
  apiKey: (owner: CredentialOwner) => addApiKey(to, owner),
  mfaFactor: (factor: { user: { id: string } }) => addMfaFactor(to, factor),
});

async function addWorld(add: Given): Promise<World> {
  const organization = await add.organization();
  const workspace = await add.workspace({ organization });
  const otherWorkspace = await add.workspace({ organization });
  const caller = (role: OrganizationRoleName) => add.caller({ organization, role, homeWorkspace: workspace });
  const owner = await caller('owner');
  const admin = await caller('admin');
  const member = await caller('member');
  const outsider = await caller('member');
  await add.membership({ workspace, user: member, role: 'viewer' });
  const table = await add.table({ workspace });
  const record = await add.record({ table });
  const workflowDefinition = await add.workflowDefinition({ workspace });
  const strangersOrganization = await add.organization();
  const strangersWorkspace = await add.workspace({ organization: strangersOrganization });
  const stranger = await add.caller({
    organization: strangersOrganization,
    role: 'owner',
    homeWorkspace: strangersWorkspace,
  });
  return {
    organization,
    workspace,
    otherWorkspace,
    owner,
    admin,
    member,
    outsider,
    table,
    record,
    workflowDefinition,
    strangersOrganization,
    strangersWorkspace,
    stranger,
  };
}

/** The database that rows are added to, and the clock that says when. */
interface Destination {
  database: Database;
  clock: Clock;
}

type TableName = Parameters<Database['insertInto']>[0];

const insert = ({ database, clock }: Destination, table: TableName, values: object) =>
  database
    .insertInto(table)
    .values({ created_at: clock.now(), ...values } as never)
    .execute();

async function addOrganization(to: Destination): Promise<KnownOrganization> {
  const id = randomUUID();
  const roles = { owner: randomUUID(), admin: randomUUID(), member: randomUUID() };
  await insert(to, 'organizations', { id, name: `Organization ${id}` });
  for (const [name, roleId] of Object.entries(roles)) {
    await insert(to, 'organization_roles', { id: roleId, organization_id: id, name });
  }
  return { id, roles };
}

interface NewUser {
  organization: KnownOrganization;
  role?: OrganizationRoleName;
  status?: UserStatus;
  firstName?: string;
  lastName?: string;
  title?: string;
}

async function addUser(
  to: Destination,
  { organization, role = 'member', status = 'ACTIVE', ...profile }: NewUser,
): Promise<KnownUser> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  const roleId = organization.roles[role];
  const idpId = randomUUID();
  await insert(to, 'users', {
    id,
    email,
    status,
    idp_id: idpId,
    organization_id: organization.id,
    role_id: roleId,
    profile_id: randomUUID(),
    first_name: profile.firstName ?? 'Ada',
    last_name: profile.lastName ?? 'Lane',
    title: profile.title ?? 'Clerk',
  });
  return { id, email, idpId, roleId, organizationId: organization.id };
}

interface NewCaller {
  organization: KnownOrganization;
  role?: OrganizationRoleName;
  homeWorkspace: { id: string };
}

async function addCaller(
  to: Destination,
  { organization, role = 'member', homeWorkspace }: NewCaller,
): Promise<KnownCaller> {
  const user = await addUser(to, { organization, role });
  return { ...user, token: await addToken(to, { user, homeWorkspace }) };
}

interface NewWorkspace {
  organization: KnownOrganization;
  type?: WorkspaceType;
}

async function addWorkspace(
  to: Destination,
  { organization, type = 'LIVE' }: NewWorkspace,
): Promise<KnownWorkspace> {
  const id = randomUUID();
  await insert(to, 'workspaces', {
    id,
    type,
    organization_id: organization.id,
    name: `Workspace ${id}`,
    description: '',
  });
  const workspace = { id, organizationId: organization.id };
  const roles: Record<string, string> = {};
  for (const { name, relations } of builtInRoles)
    roles[name.toLowerCase()] = await addWorkspaceRole(to, { workspace, name, type: 'WORKSPACE', relations });
  return { ...workspace, roles: roles as KnownWorkspace['roles'] };
}

interface NewWorkspaceRole {
  workspace: { id: string };
  name: string;
  type?: 'WORKSPACE' | 'CUSTOM';
  relations: readonly string[];
  on?: { resourceType: 'organization' | 'workspace' | 'table'; resourceId: string };
}

async function addWorkspaceRole(
  to: Destination,
  {
    workspace,
    name,
    type = 'CUSTOM',
    relations,
    on = { resourceType: 'workspace', resourceId: workspace.id },
  }: NewWorkspaceRole,
): Promise<string> {
  const id = randomUUID();
  await insert(to, 'workspace_roles', { id, name, type, workspace_id: workspace.id, description: '' });
  for (const relation of relations) {
    const permission = { id: randomUUID(), role_id: id, relation };
    await to.database
      .insertInto('role_permissions')
      .values({ ...permission, resource_type: on.resourceType, resource_id: on.resourceId })
      .execute();
  }
  return id;
}

interface NewMembership {
  workspace: KnownWorkspace;
  user: { id: string };
  role: keyof KnownWorkspace['roles'] | { id: string };
}

async function addMembership(to: Destination, { workspace, user, role }: NewMembership): Promise<void> {
  const roleId = typeof role === 'string' ? workspace.roles[role] : role.id;
  await insert(to, 'memberships', { workspace_id: workspace.id, user_id: user.id, role_id: roleId });
}

interface NewMembers {
  organization: KnownOrganization;
  workspace: KnownWorkspace;
  count: number;
}

async function addMembers(to: Destination, { organization, workspace, count }: NewMembers): Promise<void> {
  await sql`
    with added as (
      insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title)
      select gen_random_uuid(), ${organization.id}, gen_random_uuid() || '@example.com', gen_random_uuid(),
        ${organization.roles.member}, gen_random_uuid(), 'Ada', 'Lane', ''
      from generate_series(1, ${count}::integer)
      returning id)
    insert into memberships (workspace_id, user_id, role_id, created_at)
    select ${workspace.id}, id, ${workspace.roles.viewer},
      timestamptz '2026-01-01' + (row_number() over () / 2) * interval '1 second' from added`.execute(
    to.database,
  );
}

async function addTable(
  to: Destination,
  { workspace, name = 'Claims' }: { workspace: { id: string }; name?: string },
): Promise<{ id: string }> {
  const id = randomUUID();
  await insert(to, 'tables', { id, workspace_id: workspace.id, name });
  return { id };
}

async function addRecord(
  to: Destination,
  { table, name = 'Claim' }: { table: { id: string }; name?: string },
): Promise<{ id: string }> {
  const id = randomUUID();
  await insert(to, 'records', { id, table_id: table.id, name });
  return { id };
}

interface NewDefinition {
  workspace: { id: string };
  definition?: JsonObject;
  inputSchema?: JsonObject;
  uiOptions?: JsonObject;
  defaultLocale?: string;
  name?: string;
}

async function addDefinition(
  to: Destination,
  {
    workspace,
    definition = echo,
    inputSchema = {},
    uiOptions = {},
    defaultLocale = 'en',
    name = 'echo',
  }: NewDefinition,
): Promise<{ id: string }> {
  const id = randomUUID();
  await insert(to, 'workflow_definitions', {
    id,
    workspace_id: workspace.id,
    name,
    revision: '1',
    default_locale: defaultLocale,
  });
  await addRevision(to, { id, revision: '1', definition, inputSchema, uiOptions });
  return { id };
}

interface NewRevision {
  id: string;
  revision: string;
  definition: JsonObject;
  inputSchema?: JsonObject;
  uiOptions?: JsonObject;
}

async function addRevision(
  to: Destination,
  { id, revision, definition, inputSchema = {}, uiOptions = {} }: NewRevision,
): Promise<void> {
  await insert(to, 'definition_revisions', {
    id: randomUUID(),
    workflow_definition_id: id,
    revision,
    document: JSON.stringify(definition),
    input_schema: JSON.stringify(inputSchema),
    ui_options: JSON.stringify(uiOptions),
  });
  await to.database.updateTable('workflow_definitions').set({ revision }).where('id', '=', id).execute();
}

interface CredentialOwner {
  user: { id: string };
  homeWorkspace: { id: string };
}

async function addToken(to: Destination, { user, homeWorkspace }: CredentialOwner): Promise<string> {
  const token = newOrganizationToken();
  await insert(to, 'organization_tokens', {
    id: randomUUID(),
    sha256: secretDigest(token),
    name: 'test',
    user_id: user.id,
    home_workspace_id: homeWorkspace.id,
  });
  return token;
}

async function addApiKey(to: Destination, { user, homeWorkspace }: CredentialOwner) {
  const { key, secret } = newApiKey();
  await insert(to, 'api_keys', {
    id: randomUUID(),
    key,
    secret_sha256: secretDigest(secret),
    name: 'test',
    user_id: user.id,
    home_workspace_id: homeWorkspace.id,
  });
  return { key, secret };
}

async function addMfaFactor(to: Destination, { user }: { user: { id: string } }): Promise<void> {
  await to.database
    .insertInto('mfa_factors')
    .values({ id: randomUUID(), user_id: user.id, type: 'totp', enrolled_at: to.clock.now() })
    .execute();
}
