import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { routesOf } from '../../server/contract/index.ts';
import { demoPlatformFile } from '../../server/src/manifest/demo.ts';
import { readPlatformFile } from '../../server/src/manifest/read.ts';

/**
 * The examples of all operations and events describe one organization, that of the demo: what one says of an object,
 * no other contradicts.
 */
const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const { environments } = await readPlatformFile(demoPlatformFile);
const demo = environments.production;
if (!demo) throw new Error('The demo has no production environment.');

type Found = { where: string; value: Record<string, unknown> };
const found = [...routesOf(contract), ...routesOf(contract, 'webhooks')].flatMap(({ path, operation }) => {
  const contents = [operation.requestBody, ...Object.values(operation.responses)];
  return contents.flatMap((owner) =>
    Object.values(owner?.content ?? {}).flatMap(({ examples = {} }) =>
      Object.entries(examples).flatMap(([name, { value }]) => objectsIn(value, `${path} ${name}`)),
    ),
  );
});

/** Every object of an example, however deep. */
function objectsIn(value: unknown, where: string): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((item) => objectsIn(item, where));
  return Array.isArray(value) ? inside : [{ where, value: value as Found['value'] }, ...inside];
}

const having = (...names: string[]) => found.filter(({ value }) => names.every((name) => name in value));

/** Objects with the same id but different values. */
function contradictions(id: string, names: readonly string[], objects: Found[]): string[] {
  const firsts = new Map<unknown, Found>();
  return objects.flatMap((one) => {
    const first = firsts.get(one.value[id]) ?? one;
    firsts.set(one.value[id], first);
    const other = names.filter(
      (name) => JSON.stringify(one.value[name]) !== JSON.stringify(first.value[name]),
    );
    return other.map((name) => `${id} ${one.value[id]}: ${name} in "${one.where}" and in "${first.where}"`);
  });
}

const idsOf = (objects: { id?: string }[]) => objects.map(({ id }) => id);
const workspaces = demo.workspaces;
const known: Record<string, unknown[]> = {
  organizationId: [demo.organization.id],
  userId: idsOf(demo.users),
  workspaceId: idsOf(workspaces),
  tableId: idsOf(workspaces.flatMap(({ tables }) => tables)),
  recordId: idsOf(workspaces.flatMap(({ tables }) => tables.flatMap(({ records }) => records))),
  caseId: idsOf(workspaces.flatMap(({ cases }) => cases)),
  workflowDefinitionId: idsOf(workspaces.flatMap(({ workflowDefinitions }) => workflowDefinitions)),
};

describe('the examples', () => {
  test.each(Object.entries(known))('name by %s only objects that the demo has', (name, ids) => {
    const strangers = having(name).filter(({ value }) => !ids.includes(value[name]));
    expect(strangers.map(({ where, value }) => `${where}: ${value[name]}`)).toEqual([]);
  });

  test('describe each user consistently, as the demo does', () => {
    const users = having('id', 'email', 'profile');
    expect(users.length).toBeGreaterThan(5);
    expect(contradictions('id', ['email', 'idpId', 'createdDateTime'], users)).toEqual([]);
    for (const { where, value } of users) {
      const { firstName, lastName, createdDateTime } = value['profile'] as Found['value'];
      const declared = demo.users.find(({ id }) => id === value['id']);
      expect({ where, firstName, lastName, email: value['email'] }).toEqual({
        where,
        firstName: declared?.firstName,
        lastName: declared?.lastName,
        email: declared?.email,
      });
      expect(new Date(String(createdDateTime)), where).toEqual(new Date(String(declared?.createdDateTime)));
    }
  });

  test('give a user one role: in the profile, beside it, and in the list of roles', () => {
    const roles = Object.values(demo.organization.roleIds ?? {});
    for (const { where, value } of having('id', 'email', 'profile')) {
      expect((value['profile'] as Found['value'])['roleId'], where).toBe(value['roleId']);
      expect(roles, where).toContain(value['roleId']);
    }
    const listed = having('id', 'name', 'organizationId').map(({ value }) => value['id']);
    expect([...new Set(listed)].sort()).toEqual([...roles].sort());
  });

  test("have the demo's number of users", () => {
    const pages = having('totalElements', 'content');
    const ofUsers = ({ value: { content } }: Found) => 'email' in ((content as object[])[0] ?? {});
    for (const { value } of pages.filter(ofUsers)) {
      expect(value['totalElements']).toBe(demo.users.length);
      expect(value['totalPages']).toBe(Math.ceil(demo.users.length / Number(value['size'])));
      expect(value['content']).toHaveLength(Number(value['size']));
    }
  });

  test('give members only roles that the list of workspace roles has, under the same names', () => {
    const roles = having('id', 'type', 'workspaceId', 'createdDateTime', 'name').filter(({ value }) =>
      ['WORKSPACE', 'CUSTOM'].includes(String(value['type'])),
    );
    expect(contradictions('id', ['name', 'workspaceId', 'type', 'createdDateTime'], roles)).toEqual([]);
    const listed = roles.filter(({ value }) => 'permissions' in value).map(({ value }) => value['id']);
    expect(listed.length).toBeGreaterThan(3);
    expect(roles.filter(({ value }) => !listed.includes(value['id']))).toEqual([]);
    const all = [...listed, ...Object.values(demo.organization.roleIds ?? {})];
    const strangers = having('roleId').filter(({ value }) => !all.includes(value['roleId']));
    expect(strangers.map(({ where }) => where)).toEqual([]);
  });

  test('describe each attachment, resource and execution consistently', () => {
    expect(contradictions('id', ['name', 'type', 'size'], having('id', 'recordId', 'size'))).toEqual([]);
    expect(contradictions('attachmentId', ['tableId', 'recordId'], having('attachmentId'))).toEqual([]);
    const executions = having('id', 'revision', 'executionVersion');
    const constant = ['name', 'workflowDefinitionId', 'createdDateTime', 'expiresAt'];
    expect(contradictions('id', constant, executions)).toEqual([]);
    const changes = having('organizationId', 'createdDateTime', 'data').map(({ where, value }) => {
      const { workflowId, status } = value['data'] as Found['value'];
      return { where, value: { change: `${workflowId} ${status}`, time: value['createdDateTime'] } };
    });
    const states = executions.map(({ where, value }) => {
      const { id, status, createdDateTime, endedDateTime = createdDateTime } = value;
      return { where, value: { change: `${id} ${status}`, time: endedDateTime } };
    });
    const ofExecutions = changes.filter(({ value }) =>
      states.some((state) => state.value.change === value.change),
    );
    expect(ofExecutions.length).toBeGreaterThan(1);
    expect(contradictions('change', ['time'], [...states, ...ofExecutions])).toEqual([]);
    expect(contradictions('workflowId', ['workflowDefinitionId'], having('workflowId', 'status'))).toEqual(
      [],
    );
    const attached = having('id', 'recordId', 'size').map(({ value }) => [
      value['id'],
      value['name'],
      value['size'],
    ]);
    for (const { value } of having('attachmentId', 'size')) {
      expect(attached).toContainEqual([value['attachmentId'], value['name'], value['size']]);
    }
  });

  test('have consistent dates: no sign-in and no event precedes the creation of its object', () => {
    for (const { where, value } of having('createdDateTime', 'lastSignedInAt')) {
      if (value['lastSignedInAt'] === null) continue;
      expect(String(value['lastSignedInAt']) > String(value['createdDateTime']), where).toBe(true);
    }
    const [oldest] = demo.users.map(({ createdDateTime }) => String(createdDateTime)).sort();
    for (const { where, value } of having('type', 'organizationId', 'createdDateTime', 'data')) {
      expect(new Date(String(value['createdDateTime'])) > new Date(oldest ?? ''), where).toBe(true);
    }
  });
});
