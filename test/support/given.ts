import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject } from '../../server/json/index.ts';
import { newApiKey } from '../../server/src/domain/api-key.ts';
import { newOrganizationToken, secretDigest } from '../../server/src/domain/organization-token.ts';
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
  roles: { viewer: string; editor: string; manager: string };
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

export type Given = ReturnType<typeof makers>;

/** Fills a database with the world, and returns functions that add to it. */
export async function given(database: Database, clock: Clock): Promise<Given & { world: World }> {
  const make = makers(database, clock);
  const organization = await make.organization();
  const workspace = await make.workspace({ organization });
  const otherWorkspace = await make.workspace({ organization });
  const caller = (role: OrganizationRoleName) =>
    make.caller({ organization, role, homeWorkspace: workspace });
  const owner = await caller('owner');
  const admin = await caller('admin');
  const member = await caller('member');
  const outsider = await caller('member');
  await make.membership({ workspace, user: member, role: 'viewer' });
  const table = await make.table({ workspace });
  const record = await make.record({ table });
  const workflowDefinition = await make.workflowDefinition({ workspace });
  const strangersOrganization = await make.organization();
  const strangersWorkspace = await make.workspace({ organization: strangersOrganization });
  const stranger = await make.caller({
    organization: strangersOrganization,
    role: 'owner',
    homeWorkspace: strangersWorkspace,
  });
  const world = {
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
  return { ...make, world };
}

function makers(database: Database, clock: Clock) {
  const insert = <Table extends Parameters<Database['insertInto']>[0]>(table: Table, values: object) =>
    database
      .insertInto(table)
      .values({ created_at: clock.now(), ...values } as never)
      .execute();

  const make = {
    async organization(): Promise<KnownOrganization> {
      const id = randomUUID();
      const roles = { owner: randomUUID(), admin: randomUUID(), member: randomUUID() };
      await insert('organizations', { id, name: `Organization ${id}` });
      for (const [name, roleId] of Object.entries(roles)) {
        await insert('organization_roles', { id: roleId, organization_id: id, name });
      }
      return { id, roles };
    },

    async user({
      organization,
      role = 'member',
      status = 'ACTIVE',
      ...profile
    }: {
      organization: KnownOrganization;
      role?: OrganizationRoleName;
      status?: UserStatus;
      firstName?: string;
      lastName?: string;
      title?: string;
    }): Promise<KnownUser> {
      const id = randomUUID();
      const email = `${id}@example.com`;
      const roleId = organization.roles[role];
      const idpId = randomUUID();
      await insert('users', {
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
    },

    /** A user with a token. */
    async caller({
      organization,
      role = 'member',
      homeWorkspace,
    }: {
      organization: KnownOrganization;
      role?: OrganizationRoleName;
      homeWorkspace: { id: string };
    }): Promise<KnownCaller> {
      const user = await make.user({ organization, role });
      return { ...user, token: await make.token({ user, homeWorkspace }) };
    },

    terminatedUser: (organization: KnownOrganization) => make.user({ organization, status: 'TERMINATED' }),

    async workspace({
      organization,
      type = 'LIVE',
    }: {
      organization: KnownOrganization;
      type?: WorkspaceType;
    }): Promise<KnownWorkspace> {
      const id = randomUUID();
      await insert('workspaces', {
        id,
        type,
        organization_id: organization.id,
        name: `Workspace ${id}`,
        description: '',
      });
      const workspace = { id, organizationId: organization.id };
      const role = (name: string, relations: string[]) =>
        make.workspaceRole({ workspace, name, type: 'WORKSPACE', relations });
      const view = ['can_view_workspace', 'can_read_attachments'];
      const edit = [...view, 'can_edit_attachments'];
      const viewer = await role('Viewer', view);
      const editor = await role('Editor', edit);
      const manager = await role('Manager', [...edit, 'can_manage_workspace_access']);
      return { ...workspace, roles: { viewer, editor, manager } };
    },

    /** A role whose permissions are on the whole workspace, or on one object. @returns its identifier */
    async workspaceRole({
      workspace,
      name,
      type = 'CUSTOM',
      relations,
      on = { resourceType: 'workspace', resourceId: workspace.id },
    }: {
      workspace: { id: string };
      name: string;
      type?: 'WORKSPACE' | 'CUSTOM';
      relations: string[];
      on?: { resourceType: 'organization' | 'workspace' | 'table'; resourceId: string };
    }): Promise<string> {
      const id = randomUUID();
      await insert('workspace_roles', { id, name, type, workspace_id: workspace.id, description: '' });
      for (const relation of relations) {
        const permission = { id: randomUUID(), role_id: id, relation };
        await database
          .insertInto('role_permissions')
          .values({ ...permission, resource_type: on.resourceType, resource_id: on.resourceId })
          .execute();
      }
      return id;
    },

    async membership({
      workspace,
      user,
      role,
    }: {
      workspace: KnownWorkspace;
      user: { id: string };
      role: keyof KnownWorkspace['roles'] | { id: string };
    }): Promise<void> {
      const roleId = typeof role === 'string' ? workspace.roles[role] : role.id;
      await insert('memberships', { workspace_id: workspace.id, user_id: user.id, role_id: roleId });
    },

    /** Adds so many viewers to a workspace, two with the same time each. */
    async members({
      organization,
      workspace,
      count,
    }: {
      organization: KnownOrganization;
      workspace: KnownWorkspace;
      count: number;
    }): Promise<void> {
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
        database,
      );
    },

    async table({ workspace }: { workspace: { id: string } }): Promise<{ id: string }> {
      const id = randomUUID();
      await insert('tables', { id, workspace_id: workspace.id, name: 'Claims' });
      return { id };
    },

    async record({ table }: { table: { id: string } }): Promise<{ id: string }> {
      const id = randomUUID();
      await insert('records', { id, table_id: table.id, name: 'Claim' });
      return { id };
    },

    /** A definition with one revision. Default: `echo`. */
    async workflowDefinition({
      workspace,
      definition = echo,
      inputSchema = {},
      uiOptions = {},
      defaultLocale = 'en',
      name = 'echo',
    }: {
      workspace: { id: string };
      definition?: JsonObject;
      inputSchema?: JsonObject;
      uiOptions?: JsonObject;
      defaultLocale?: string;
      name?: string;
    }): Promise<{ id: string }> {
      const id = randomUUID();
      const known = { id, workspace_id: workspace.id, name, revision: '1', default_locale: defaultLocale };
      await insert('workflow_definitions', known);
      await make.definitionRevision({ id, revision: '1', definition, inputSchema, uiOptions });
      return { id };
    },

    /** A new revision of a definition, which becomes its current one. */
    async definitionRevision({
      id,
      revision,
      definition,
      inputSchema = {},
      uiOptions = {},
    }: {
      id: string;
      revision: string;
      definition: JsonObject;
      inputSchema?: JsonObject;
      uiOptions?: JsonObject;
    }): Promise<void> {
      await insert('definition_revisions', {
        id: randomUUID(),
        workflow_definition_id: id,
        revision,
        document: JSON.stringify(definition),
        input_schema: JSON.stringify(inputSchema),
        ui_options: JSON.stringify(uiOptions),
      });
      await database.updateTable('workflow_definitions').set({ revision }).where('id', '=', id).execute();
    },

    /** @returns the token itself */
    async token({
      user,
      homeWorkspace,
    }: {
      user: { id: string };
      homeWorkspace: { id: string };
    }): Promise<string> {
      const token = newOrganizationToken();
      await insert('organization_tokens', {
        id: randomUUID(),
        sha256: secretDigest(token),
        name: 'test',
        user_id: user.id,
        home_workspace_id: homeWorkspace.id,
      });
      return token;
    },

    async apiKey({ user, homeWorkspace }: { user: { id: string }; homeWorkspace: { id: string } }) {
      const { key, secret } = newApiKey();
      await insert('api_keys', {
        id: randomUUID(),
        key,
        secret_sha256: secretDigest(secret),
        name: 'test',
        user_id: user.id,
        home_workspace_id: homeWorkspace.id,
      });
      return { key, secret };
    },

    async mfaFactor({ user }: { user: { id: string } }): Promise<void> {
      await database
        .insertInto('mfa_factors')
        .values({ id: randomUUID(), user_id: user.id, type: 'totp', enrolled_at: clock.now() })
        .execute();
    },
  };
  return make;
}
