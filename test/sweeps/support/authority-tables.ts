import { randomUUID } from 'node:crypto';
import type { OrganizationRoleName } from '../../../server/src/store/schema.ts';
import type { Api } from '../../support/api.ts';
import type { KnownCaller } from '../../support/given.ts';
import { inParallel, type Sent, send } from '../../support/raw-requests.ts';
import { codesOf } from './refusals.ts';

/** A line of a table, without its cells. */
interface Line {
  words: string[];
  columns: string[];
  cell(column: string): Promise<string>;
}

/**
 * The second part of the permission matrix: who may act on whom, and who may grant what with a membership. Each cell
 * is found by a call on a user of its own.
 */
export async function authorityTables(api: Api): Promise<string[]> {
  const lineOf = async ({ words, columns, cell }: Line) => {
    const cells: string[] = [];
    for (const column of columns) {
      const found = await cell(column);
      if (!decisions.includes(found)) throw new Error(undecided(`${words.join(' ')} as ${column}`, found));
      cells.push(padded(column, found));
    }
    return lineWith(words, cells);
  };
  return [
    ...usersHeading,
    ...(await inParallel(await userLines(api), lineOf)),
    '',
    ...membershipsHeading,
    ...(await inParallel(await membershipLines(api), lineOf)),
  ];
}

const decisions = ['yes', '403', 'beyond', 'own_user'];

/** The message on a response that cannot become a cell of the matrix. */
export const undecided = (what: string, outcome: string | undefined) =>
  `${what}: neither allowed nor denied, so the permission matrix cannot say what the caller may do: ${outcome}`;

/** Callers of the first table: an organization role, or a member's permissions on the organization. */
const actors = {
  owner: [],
  admin: [],
  can_manage_users: ['can_manage_users'],
  can_reset_2fa: ['can_reset_2fa'],
  both: ['can_manage_users', 'can_reset_2fa'],
};
type Actor = keyof typeof actors;

const organizationRoles = ['owner', 'admin', 'member'] as const;

const userOperations = [
  { id: 'changeUserRole', method: 'PUT', path: 'role', givesRole: true },
  { id: 'terminateUser', method: 'POST', path: 'terminate' },
  { id: 'reinstateUser', method: 'POST', path: 'reinstate', givesRole: true, ofTerminated: true },
  { id: 'resetUserMfa', method: 'POST', path: 'reset-mfa' },
];

async function userLines({ baseUrl, given, world }: Api): Promise<Line[]> {
  const { organization, workspace: homeWorkspace, otherWorkspace } = world;
  const on = { resourceType: 'organization', resourceId: organization.id } as const;
  const desks = new Map<Actor, string>();
  for (const [actor, relations] of Object.entries(actors)) {
    const role = { workspace: otherWorkspace, name: `Desk ${randomUUID()}`, relations, on };
    if (relations.length > 0) desks.set(actor as Actor, await given.workspaceRole(role));
  }
  const callerOf = async (actor: Actor) => {
    const role = actor === 'owner' || actor === 'admin' ? actor : 'member';
    const caller = await given.caller({ organization, role, homeWorkspace });
    const id = desks.get(actor);
    if (id) await given.membership({ workspace: otherWorkspace, user: caller, role: { id } });
    return caller;
  };
  const callers = {} as Record<Actor, KnownCaller>;
  for (const actor of Object.keys(actors) as Actor[]) callers[actor] = await callerOf(actor);

  return userOperations.flatMap(({ id, method, path, givesRole, ofTerminated }) => {
    const call = async (whom: OrganizationRoleName | 'oneself', actor: Actor, body: object) => {
      const status = ofTerminated ? 'TERMINATED' : 'ACTIVE';
      const target = whom === 'oneself' ? await callerOf(actor) : undefined;
      const user = target ?? (await given.user({ organization, role: whom as OrganizationRoleName, status }));
      const request = { method, target: `/organizations/users/${user.id}/${path}`, ...body };
      return outcome(baseUrl, target ?? callers[actor], request);
    };
    const targets = ofTerminated ? organizationRoles : ([...organizationRoles, 'oneself'] as const);
    return targets.flatMap((whom) =>
      (givesRole ? organizationRoles : [undefined]).map((role) => ({
        words: [id, whom, role ?? '-'],
        columns: Object.keys(actors),
        cell: (actor: string) =>
          call(whom, actor as Actor, role ? json({ roleId: organization.roles[role] }) : {}),
      })),
    );
  });
}

/** Callers of the second table: the legend in the matrix says what each is. */
const grantors = ['owner', 'admin', 'manager', 'manager-of-both', 'manager-who-holds', 'only-holds'];

const membershipChanges = ['given', 'given-to-oneself', 'replaced', 'taken-away'];

async function membershipLines({ baseUrl, given, world }: Api): Promise<Line[]> {
  const { organization, workspace, otherWorkspace } = world;
  const thirdWorkspace = await given.workspace({ organization });
  const otherTable = await given.table({ workspace: otherWorkspace });
  const elsewhere = { resourceType: 'workspace', resourceId: otherWorkspace.id } as const;
  /** What a role carries outside its workspace. */
  const carried = {
    'nothing-beyond': { relation: 'can_edit_attachments', on: undefined },
    'on-organization': {
      relation: 'can_manage_users',
      on: { resourceType: 'organization', resourceId: organization.id },
    },
    'on-other-workspace': { relation: 'can_edit_attachments', on: elsewhere },
    'unmanaged-on-other': { relation: 'can_approve', on: elsewhere },
    'on-other-table': {
      relation: 'can_edit_attachments',
      on: { resourceType: 'table', resourceId: otherTable.id },
    },
  } as const;

  const linesOf = async (carries: keyof typeof carried): Promise<Line[]> => {
    const { relation, on } = carried[carries];
    const roleIn = (of: { id: string }) =>
      given.workspaceRole({
        workspace: of,
        name: `${carries} ${randomUUID()}`,
        relations: [relation],
        ...(on && { on }),
      });
    const [role, held] = [await roleIn(workspace), await roleIn(thirdWorkspace)];
    const callerOf = async (grantor: string) => {
      const organizationRole = grantor === 'owner' || grantor === 'admin' ? grantor : 'member';
      const user = await given.caller({ organization, role: organizationRole, homeWorkspace: workspace });
      if (grantor.startsWith('manager')) await given.membership({ workspace, user, role: 'manager' });
      if (grantor === 'manager-of-both')
        await given.membership({ workspace: otherWorkspace, user, role: 'manager' });
      if (grantor.endsWith('holds'))
        await given.membership({ workspace: thirdWorkspace, user, role: { id: held } });
      return user;
    };
    const callers: Record<string, KnownCaller> = {};
    for (const grantor of grantors) callers[grantor] = await callerOf(grantor);
    const call = async (change: string, grantor: string) => {
      const itself = change === 'given-to-oneself' ? await callerOf(grantor) : undefined;
      const caller = itself ?? (callers[grantor] as KnownCaller);
      const member = itself ?? (await given.user({ organization }));
      const target = `/workspaces/${workspace.id}/memberships/${member.id}`;
      if (change === 'replaced' || change === 'taken-away')
        await given.membership({ workspace, user: member, role: { id: role } });
      if (change === 'taken-away') return outcome(baseUrl, caller, { method: 'DELETE', target });
      const roleId = change === 'replaced' ? workspace.roles.viewer : role;
      return outcome(baseUrl, caller, { method: 'PUT', target, ...json({ userId: member.id, roleId }) });
    };
    return membershipChanges.map((change) => ({
      words: [change === 'taken-away' ? 'removeMembership' : 'setMembership', change, carries],
      columns: grantors,
      cell: (grantor) => call(change, grantor),
    }));
  };
  const lines = await inParallel(Object.keys(carried) as (keyof typeof carried)[], linesOf);
  return membershipChanges.flatMap((change) => lines.flat().filter(({ words }) => words[1] === change));
}

async function outcome(baseUrl: string, { token }: KnownCaller, request: Sent): Promise<string> {
  const headers = { ...request.headers, Authorization: token };
  const response = await send(baseUrl, { ...request, headers });
  if (response.status < 400) return 'yes';
  const [code = ''] = codesOf(response);
  const short = { permission_denied: '403', beyond_own_permissions: 'beyond', own_user: 'own_user' }[code];
  return short ?? `${response.status} ${code}`;
}

function json(body: object): Pick<Sent, 'headers' | 'body'> {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

const lineWith = (words: string[], cells: string[]) =>
  [...words.map((word, index) => word.padEnd([17, 17, 19][index] ?? 0)), ...cells].join(' ').trimEnd();
/** Wide enough for the longest code. */
const padded = (column: string, text: string) => text.padEnd(Math.max(column.length + 1, 'own_user '.length));
const headed = (columns: readonly string[]) => columns.map((name) => padded(name, name));

/** The first line of the second part. */
export const authorityTitle =
  '# Who may act on whom (decision 30). reinstateUser acts on a terminated user, the others on an active one.';

const usersHeading = [
  authorityTitle,
  '#',
  '# beyond            403 beyond_own_permissions; 403 alone is permission_denied',
  '# whom              the organization role of the user, or the caller itself',
  '# to                the organization role that the change gives',
  '# can_manage_users  a member with this permission on the organization; likewise can_reset_2fa, and both',
  '',
  lineWith(['operation', 'whom', 'to'], headed(Object.keys(actors))),
];

const membershipsHeading = [
  '# Who may grant what with a membership (decision 31).',
  '#',
  '# role is             what the change does with the role: replaced is by Viewer',
  '# carries             the permission of the role that lies outside its workspace',
  '# unmanaged-on-other  on the other workspace, but not one of the permissions of its Managers',
  '# manager             Manager of the workspace; manager-of-both is Manager of the other one, too',
  '# manager-who-holds   Manager of the workspace who holds the permission outside of it',
  '# only-holds          a member who holds that permission and does not manage the workspace',
  '',
  lineWith(['operation', 'role is', 'carries'], headed(grantors)),
];
