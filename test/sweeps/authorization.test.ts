import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { permissions } from '../../generated/operations.ts';
import type { Permission } from '../../server/contract/index.ts';
import { api as startApi } from '../support/api.ts';
import type { KnownWorkspace } from '../support/given.ts';
import { boundary } from '../support/hostile/forms.ts';
import { headOf, type Received, raw, type Sent, send } from '../support/raw-requests.ts';
import { bodyOf } from '../support/responses.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { advice } from './support/advice.ts';
import { authorityTables, authorityTitle, undecided } from './support/authority-tables.ts';
import { isForm, type Operation, parametersIn, secured } from './support/contract.ts';
import { refusalError } from './support/refusals.ts';
import { acceptanceError, requestsOf, toSend, withToken } from './support/requests.ts';
import { stored } from './support/stored.ts';

const api = await startApi();
const { given, world, database } = api;
const { organization, workspace, otherWorkspace, table } = world;
const requests = requestsOf(api);
const matrix = 'test/sweeps/authorization-matrix.txt';
const file = new URL('authorization-matrix.txt', import.meta.url);

const schemes = ['organizationToken', 'accessToken'] as const;
type Scheme = (typeof schemes)[number];
/** The Authorization header of one caller. */
type Headers = Record<Scheme, string>;
/** By the permission that an operation requires, as some callers hold just this one. */
type Caller = (permission: Permission) => Headers;

/** The operations whose object is named in the body: only a valid body says where the permission is checked. */
const namesTargetInBody = secured.filter(
  (operation) =>
    operation.permission &&
    operation.body &&
    !isForm(operation) &&
    parametersIn(operation, 'path').length === 0,
);

const callers = await makeCallers();
const byPath = secured.filter(
  (operation) => operation.permission && operation.body && !namesTargetInBody.includes(operation),
);

describe.each(byPath)('$id', (operation) => {
  const mend = advice('permission', operation);
  const strangers = parametersIn(operation, 'path').length > 0 ? { stranger: world.stranger.token } : {};

  test.each(Object.entries({ outsider: world.outsider.token, ...strangers }))(
    'refuses the %s without reading the body',
    async (_name, token) => {
      const valid = withToken(toSend(await requests.valid(operation)), token);
      const { status } = await send(api.baseUrl, valid);
      expect([403, 404], mend).toContain(status);
      const before = await stored(api);
      for (const request of bodies(operation, valid)) {
        const response = await send(api.baseUrl, request);
        expect(response.status, `${mend}: ${response.text}`).toBe(status);
        expect(refusalError(operation, response), mend).toBeUndefined();
      }
      const announced = headOf({ ...valid, headers: { ...valid.headers, 'Content-Length': 500_000 } });
      expect((await raw(api.baseUrl, announced)).status, `${mend}; none of it is waited for`).toBe(status);
      expect(await stored(api), `${mend}; nothing of it is stored`).toEqual(before);
    },
  );
});

const nested = secured.filter((operation) => parametersIn(operation, 'path').length > 1);

describe.each(nested)('$id', (operation) => {
  const [, ...inner] = parametersIn(operation, 'path').map(({ name }) => name);

  test.each(inner)('refuses a %s of another organization, even from an owner: 404', async (name) => {
    const elsewhere = await objectsElsewhere();
    const id = elsewhere[name];
    if (!id) throw new Error(`Add a ${name} of another parent to \`objectsElsewhere\` in this file.`);
    const { path, fields, ...valid } = await requests.valid(operation);
    const named = fields && name in fields ? { ...fields, [name]: id } : fields;
    const request = toSend({ ...valid, path: { ...path, [name]: id }, fields: named });
    const before = await stored(api);
    const response = await requests.send(request);
    expect(response.status, `${name}: ${advice('parent', operation)}`).toBe(404);
    expect(await stored(api), advice('unchanged', operation)).toEqual(before);
  });
});

describe.each(namesTargetInBody)('$id', (operation) => {
  test('checks the body before the permission', async () => {
    const valid = toSend(await requests.valid(operation));
    for (const body of ['{"a":', '{}'])
      expect((await send(api.baseUrl, withToken({ ...valid, body }, world.outsider.token))).status).toBe(400);
    expect((await send(api.baseUrl, withToken(valid, world.outsider.token))).status).toBe(403);
    expect((await send(api.baseUrl, withToken(valid, world.stranger.token))).status).toBe(404);
  });
});

const foundLines: string[] = [];
let foundAuthority: string[] = [];

describe.each(schemes)('by %s', (scheme) => {
  test.each(secured)('$id is allowed as the matrix says', async (operation) => {
    const line = await matrixLine(operation, scheme);
    if (scheme === 'organizationToken') foundLines.push(line);
    expectApproved((await readParts()).operations.filter(isLineOf(operation)), [line]);
  });
});

test('the matrix has a line for every operation and a column for every caller', async () => {
  const { operations } = await readParts();
  const lines = secured.flatMap((operation) => operations.filter(isLineOf(operation)));
  expectApproved(operations, operationsPart(lines));
});

test('the platform allows changes of other users as the matrix says', {
  timeout: scaledTimeout(120_000),
}, async () => {
  foundAuthority = await authorityTables(api);
  expectApproved((await readParts()).authority, foundAuthority);
});

afterAll(async () => {
  if (!isUpdate) return;
  if (foundLines.length < secured.length || foundAuthority.length === 0)
    throw new Error(`${matrix} is not updated: that takes all tests of this file, and every outcome.`);
  await writeFile(file, `${[...operationsPart(foundLines), ...foundAuthority].join('\n')}\n`);
});

/** Bodies that would be refused with another status if the caller had the permission. */
function bodies(operation: Operation, valid: Sent): Sent[] {
  const as = (type: string) => ({ ...valid.headers, 'Content-Type': type });
  return [
    { ...valid, body: isForm(operation) ? `--${boundary}\r\nbroken` : '{"a":' },
    { ...valid, body: '{"surplus":true}' },
    { ...valid, headers: as('text/plain'), body: 'text' },
    { ...valid, body: Buffer.alloc((1 << 20) + 1, ' ') },
    { ...valid, headers: { Authorization: valid.headers?.['Authorization'] }, body: undefined },
  ];
}

/** Objects that exist, but belong to another organization. */
async function objectsElsewhere(): Promise<Record<string, string>> {
  const otherRecord = await given.record({ table });
  const params = { path: { tableId: table.id, recordId: otherRecord.id } };
  const body = { file: new File(['x'], 'x.txt') };
  const creation = api.owner.POST('/tables/{tableId}/records/{recordId}/attachments', { params, body });
  const { id: attachmentId } = (await bodyOf(201, creation)) as { id: string };
  return {
    userId: world.stranger.id,
    recordId: (await given.record({ table: await given.table({ workspace }) })).id,
    attachmentId,
  };
}

async function makeCallers(): Promise<Record<string, Caller>> {
  const headersOf = async (
    user: { id: string },
    homeWorkspace: { id: string } = workspace,
  ): Promise<Headers> => {
    const key = await given.apiKey({ user, homeWorkspace });
    const { data } = await api.anonymous.POST('/auth/authorize', { body: key });
    return {
      organizationToken: await given.token({ user, homeWorkspace }),
      accessToken: `Bearer ${data?.accessToken}`,
    };
  };
  const same = (headers: Headers) => () => headers;
  const member = async (role: keyof KnownWorkspace['roles'] | { id: string }, place = workspace) => {
    const user = await given.user({ organization });
    await given.membership({ workspace: place, user, role });
    return headersOf(user);
  };
  type On = { resourceType: 'organization' | 'workspace' | 'table'; resourceId: string };
  const custom = async (name: string, on: On, relationsFor: (permission: Permission) => Permission[]) => {
    const made = {} as Record<Permission, Headers>;
    for (const permission of permissions) {
      const role = { workspace, name: `${name} ${permission}`, relations: relationsFor(permission), on };
      made[permission] = await member({ id: await given.workspaceRole(role) });
    }
    return (permission: Permission) => made[permission];
  };
  const onWorkspace: On = { resourceType: 'workspace', resourceId: workspace.id };
  const onOrganization: On = { resourceType: 'organization', resourceId: organization.id };
  const otherTable = await given.table({ workspace });
  const others = (permission: Permission) => permissions.filter((other) => other !== permission);
  // An organization without a definition would hide whose definition a parameter set has.
  await given.workflowDefinition({ workspace: world.strangersWorkspace });
  const leaver = await given.user({ organization, role: 'owner' });
  const leaverHeaders = await headersOf(leaver);
  await database.updateTable('users').set({ status: 'TERMINATED' }).where('id', '=', leaver.id).execute();
  return {
    owner: same(await headersOf(world.owner)),
    admin: same(await headersOf(world.admin)),
    viewer: same(await member('viewer')),
    editor: same(await member('editor')),
    manager: same(await member('manager')),
    'it-on-workspace': await custom('it', onWorkspace, (permission) => [permission]),
    'it-on-organization': await custom('it everywhere', onOrganization, (permission) => [permission]),
    'it-on-table': await custom(
      'it on table',
      { resourceType: 'table', resourceId: table.id },
      (permission) => [permission],
    ),
    'it-on-other-table': await custom(
      'it on another table',
      { resourceType: 'table', resourceId: otherTable.id },
      (permission) => [permission],
    ),
    'all-but-it': await custom('all but', onOrganization, others),
    'manager-elsewhere': same(await member('manager', otherWorkspace)),
    outsider: same(await headersOf(world.outsider)),
    stranger: same(await headersOf(world.stranger, world.strangersWorkspace)),
    terminated: same(leaverHeaders),
  };
}

async function matrixLine(operation: Operation, scheme: Scheme): Promise<string> {
  const asked = operation.permission ?? 'can_view_workspace';
  const cells: string[] = [operation.id.padEnd(24), (operation.permission ?? '-').padEnd(28)];
  for (const [name, caller] of Object.entries(callers)) {
    const request = toSend(await requests.valid(operation));
    const response = await send(api.baseUrl, withToken(request, caller(asked)[scheme]));
    cells.push(decision(operation, name, response).padEnd(name.length + 1));
  }
  return cells.join(' ').trimEnd();
}

/** @throws if the response says nothing about what the caller may do */
function decision(operation: Operation, caller: string, response: Received): string {
  const { status } = response;
  if (status < 400) return 'yes';
  if ([401, 403, 404].includes(status)) return String(status);
  throw new Error(undecided(`${operation.id} as ${caller}`, acceptanceError(operation, response)));
}

function heading(): string[] {
  const names = Object.keys(callers).map((name) => name.padEnd(name.length + 1));
  return [
    '# Who may do what, as test/sweeps/authorization.test.ts has found by calling every operation.',
    '# A change of this file is a change of who may do what: read it line by line before you approve it.',
    '#',
    '# viewer, editor, manager   the built-in roles of the target workspace',
    "# it-on-…                   a declared role with nothing but the operation's permission, on that object",
    '# all-but-it                a declared role with every other permission, on the whole organization',
    '# manager-elsewhere         of another workspace of the organization',
    '# outsider                  a member of the organization without any workspace',
    '# stranger                  the owner of another organization: what has no identifier is its own',
    '# terminated                an owner whose user is terminated',
    '',
    ['operation'.padEnd(24), 'permission'.padEnd(28), ...names].join(' ').trimEnd(),
  ];
}

const isLineOf =
  ({ id }: Operation) =>
  (line: string) =>
    line.startsWith(`${id} `);

const operationsPart = (lines: readonly string[]) => [...heading(), ...lines.toSorted(), ''];

const isUpdate = Boolean(process.env['UPDATE_MATRIX']);

interface Parts {
  operations: string[];
  authority: string[];
}

async function readParts(): Promise<Parts> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const start = lines.indexOf(authorityTitle);
  return { operations: lines.slice(0, start), authority: lines.slice(start) };
}

/** Compares lines of the matrix, unless they are being updated. */
function expectApproved(approved: string[], found: string[]): void {
  const changed = isUpdate ? [] : difference(approved, found);
  if (changed.length > 0) throw new Error(approval(changed));
}

function difference(approved: string[], found: string[]): string[] {
  const gone = approved.filter((line) => !found.includes(line)).map((line) => `- ${line}`);
  const come = found.filter((line) => !approved.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].sort((one, other) => one.slice(2).localeCompare(other.slice(2)));
}

function approval(changed: string[]): string {
  const approve = 'UPDATE_MATRIX=1 npx vitest run test/sweeps/authorization.test.ts';
  return [
    `Who may do what is not what ${matrix} says:`,
    '',
    ...changed,
    '',
    `If that is what you want: ${approve}`,
    'then read the diff of the matrix, and commit it together with the change that caused it.',
  ].join('\n');
}
