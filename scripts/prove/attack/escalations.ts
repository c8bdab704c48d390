import { sql } from 'kysely';
import { type Attack, expectRefusal, type Group } from './attack.ts';
import { ids, type Target, type UserName } from './target.ts';

type RoleName = keyof typeof ids.organizationRoles;

/** Attempts to gain permissions. Decisions 30 to 32 of the guide "Limits and decisions". */
export const escalations: Group = {
  tried: 'escalations of permissions',
  attacks: ({ elsewhere, demo }) => [...changesOfUsers(), ...grants(), ...strangers(elsewhere, demo)],
  unchanged: rolesAndMemberships,
};

/** A request that must be refused, and how. */
interface Attempt {
  by: UserName;
  request: [method: string, path: string, body?: object];
  code: string;
  status?: number;
}

const attack = (
  name: string,
  { by, request: [method, path, body], code, status = 403 }: Attempt,
): Attack => ({
  name: `${by}: ${name}`,
  async run({ request, tokens }) {
    return expectRefusal(await request(method, path, body, tokens[by]), { statuses: [status], code });
  },
});

const userPath = (user: UserName, action: string) => `/organizations/users/${ids.users[user]}/${action}`;
const roleOf = (role: RoleName) => ({ roleId: ids.organizationRoles[role] });
const changeRole = (user: UserName, role: RoleName): Attempt['request'] => [
  'PUT',
  userPath(user, 'role'),
  roleOf(role),
];
const reinstate = (user: UserName, role: RoleName): Attempt['request'] => [
  'POST',
  userPath(user, 'reinstate'),
  roleOf(role),
];
const terminate = (user: UserName): Attempt['request'] => ['POST', userPath(user, 'terminate')];
const resetMfa = (user: UserName): Attempt['request'] => ['POST', userPath(user, 'reset-mfa')];
const everyChange = (user: UserName): [what: string, request: Attempt['request']][] => [
  [`give ${user} the role member`, changeRole(user, 'member')],
  [`terminate ${user}`, terminate(user)],
  [`reinstate ${user}`, reinstate(user, 'member')],
  [`reset the second factors of ${user}`, resetMfa(user)],
];

function changesOfUsers(): Attack[] {
  const beyond = (by: UserName, what: string, request: Attempt['request']) =>
    attack(what, { by, request, code: 'beyond_own_permissions' });
  const denied = (by: UserName, what: string, request: Attempt['request']) =>
    attack(what, { by, request, code: 'permission_denied' });
  return [
    beyond('admin', 'become an owner', changeRole('admin', 'owner')),
    beyond('admin', 'make an owner', changeRole('clerk', 'owner')),
    beyond('admin', 'reinstate a member as owner', reinstate('formerMember', 'owner')),
    ...(['owner', 'formerOwner'] as const).flatMap((user) =>
      everyChange(user).map(([what, request]) => beyond('admin', what, request)),
    ),
    beyond('officer', 'become an owner', changeRole('officer', 'owner')),
    beyond('officer', 'become an admin', changeRole('officer', 'admin')),
    beyond('officer', 'make an admin', changeRole('clerk', 'admin')),
    beyond('officer', 'reinstate a member as admin', reinstate('formerMember', 'admin')),
    ...(['owner', 'admin', 'formerAdmin'] as const).flatMap((user) =>
      everyChange(user).map(([what, request]) => beyond('officer', what, request)),
    ),
    beyond('personnel', 'become an admin', changeRole('personnel', 'admin')),
    denied('personnel', 'reset second factors', resetMfa('clerk')),
    denied('helpdesk', 'terminate a member', terminate('clerk')),
    denied('helpdesk', 'become an admin', changeRole('helpdesk', 'admin')),
    beyond('helpdesk', 'reset the second factors of an owner', resetMfa('owner')),
    denied('manager', 'become an owner', changeRole('manager', 'owner')),
    denied('manager', 'terminate an owner', terminate('owner')),
    ...everyChange('owner').map(([what, request]) => denied('clerk', what, request)),
    denied('clerk', 'become an owner', changeRole('clerk', 'owner')),
    denied('clerk', 'list the users', ['GET', '/organizations/users']),
    attack('leave no owner', {
      by: 'owner',
      request: changeRole('owner', 'member'),
      code: 'last_owner',
      status: 409,
    }),
    attack('terminate itself', { by: 'owner', request: terminate('owner'), code: 'own_user', status: 409 }),
  ];
}

function grants(): Attack[] {
  const path = (user: UserName) => `/workspaces/${ids.workspace}/memberships/${ids.users[user]}`;
  const set = (user: UserName, role: keyof typeof ids.workspaceRoles): Attempt['request'] => [
    'PUT',
    path(user),
    { userId: ids.users[user], roleId: ids.workspaceRoles[role] },
  ];
  const beyond = (by: UserName, what: string, request: Attempt['request']) =>
    attack(what, { by, request, code: 'beyond_own_permissions' });
  const denied = (by: UserName, what: string, request: Attempt['request']) =>
    attack(what, { by, request, code: 'permission_denied' });
  return [
    beyond('manager', 'take a role with permissions on the organization', set('manager', 'People desk')),
    beyond('manager', 'grant such a role', set('clerk', 'People desk')),
    beyond('manager', 'grant a part of it', set('clerk', 'Second factors')),
    beyond('manager', 'replace such a role', set('officer', 'Viewer')),
    beyond('manager', 'set such a role again', set('officer', 'People desk')),
    beyond('manager', 'remove such a role', ['DELETE', path('officer')]),
    denied('clerk', 'become a manager', set('clerk', 'Manager')),
    denied('officer', 'become a manager', set('officer', 'Manager')),
    denied('clerk', 'remove a manager', ['DELETE', path('manager')]),
  ];
}

/** Callers of another organization, and of the other environment. */
function strangers(elsewhere: Target['demo'], demo: Target['demo']): Attack[] {
  const requests: [what: string, request: Attempt['request']][] = [
    ...everyChange('clerk'),
    ['read a user', ['GET', `/organizations/users/${ids.users.clerk}`]],
    ['read the roles', ['GET', `/organizations/workspaces/${ids.workspace}/roles`]],
    ['read the members', ['GET', `/workspaces/${ids.workspace}/memberships`]],
    ['read the attachments', ['GET', `/tables/${ids.table}/records/${ids.record}/attachments`]],
  ];
  const from = (who: string, token: string, statuses: number[]) =>
    requests.map(
      ([what, [method, path, body]]): Attack => ({
        name: `${who}: ${what}`,
        async run({ request }) {
          return expectRefusal(await request(method, path, body, token), { statuses });
        },
      }),
    );
  return [
    ...from('an owner of another organization', demo.organizationToken, [404]),
    ...from('an owner of the other environment', elsewhere.organizationToken, [401]),
    ...from('nobody', '', [401]),
  ];
}

async function rolesAndMemberships({ database }: Target): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select md5(coalesce(string_agg(row, '' order by row), '')) as digest from (
      select to_jsonb(u)::text as row from users u where organization_id = ${ids.organization}
      union all
      select to_jsonb(f)::text from mfa_factors f join users u on u.id = f.user_id
      where u.organization_id = ${ids.organization}
      union all
      select to_jsonb(m)::text from memberships m where workspace_id = ${ids.workspace}) as rows`.execute(
    database,
  );
  return rows[0]?.digest ?? '';
}
