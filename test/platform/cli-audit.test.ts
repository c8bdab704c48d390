import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../server/contract/index.ts';
import { createProgram } from '../../server/src/cli/program.ts';
import type { AuditEntry } from '../../server/src/store/audit-list.ts';
import { scheduleRow } from '../schedules/support.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { runWrp } from '../support/wrp.ts';
import { type Operation, operations } from '../sweeps/support/contract.ts';
import { requestsOf, toSend } from '../sweeps/support/requests.ts';
import { smallPlatform } from './small-platform.ts';

const { connectionString } = await cloneDatabase();
const platform = await api({ databaseUrl: connectionString, clock: 'running' });
const { owner, world, given, database, clock } = platform;
const requests = requestsOf(platform);
const executions = executionsOf(owner);
const env = { DATABASE_URL: connectionString, SUDO_USER: 'grace' };
const wrp = (...args: string[]) => runWrp(args, { env });

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await wrp(...args);
  expect(status, stderr).toBe(0);
  return stdout;
}

const list = async (...args: string[]): Promise<AuditEntry[]> => {
  const lines = (await run('audit', 'list', '--json', ...args)).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
};

const credentialOptions = [
  '--user',
  world.owner.id,
  '--workspace',
  world.workspace.id,
  '--name',
  'for a test',
];
const platformFile = join(temporaryRoot(), 'audited.yaml');
await writeFile(platformFile, smallPlatform);

async function runningExecution(): Promise<string> {
  const definition = definitionOf({ Rest: { Type: 'Wait', Seconds: 3600, End: true } });
  const { id: workflowDefinitionId } = await given.workflowDefinition({
    workspace: world.workspace,
    definition,
  });
  return (await executions.start({ workflowDefinitionId })).id;
}

async function failedExecution(): Promise<string> {
  const definition = definitionOf({ Stop: { Type: 'Fail', Error: 'Test.Stopped', Cause: 'A test.' } });
  const { id: workflowDefinitionId } = await given.workflowDefinition({
    workspace: world.workspace,
    definition,
  });
  const execution = await executions.start({ workflowDefinitionId });
  await executions.ended(execution, 'FAILED');
  return execution.id;
}

const newDefinition = async () =>
  (
    await given.workflowDefinition({
      workspace: world.workspace,
      definition: definitionOf({ A: { Type: 'Succeed' } }),
    })
  ).id;

async function newSchedule(): Promise<string> {
  const row = scheduleRow(world, { next_due_at: new Date('2100-01-01T00:00Z') });
  await database.insertInto('schedules').values(row).execute();
  return row.id;
}

/** Creates an object by an operation. @returns its response */
async function created(id: OperationId): Promise<Record<string, string>> {
  const valid = await requests.valid(operations.find((one) => one.id === id) as Operation);
  const { text } = await requests.send(toSend(valid));
  return JSON.parse(text);
}

async function endpoint(): Promise<string> {
  const id = crypto.randomUUID();
  const row = {
    id,
    organization_id: world.organization.id,
    url: `https://${id}.example/`,
    created_at: clock.now(),
  };
  await database.insertInto('webhook_endpoints').values(row).execute();
  return id;
}

/** The command lines of each command that changes something, as a function of a new object. */
const changes: Record<string, () => Promise<string[]>> = {
  apply: async () => [platformFile],
  'token create': async () => credentialOptions,
  'token revoke': async () => [JSON.parse(await run('token', 'create', ...credentialOptions, '--json')).id],
  'key create': async () => credentialOptions,
  'key revoke': async () => [JSON.parse(await run('key', 'create', ...credentialOptions, '--json')).id],
  'execution cancel': async () => [await runningExecution()],
  'execution retry': async () => [await failedExecution()],
  'definition pause': async () => [await newDefinition(), '--reason', 'a test'],
  'definition resume': async () => {
    const id = await newDefinition();
    await run('definition', 'pause', id);
    return [id];
  },
  'definition archive': async () => [await newDefinition()],
  'definition restore': async () => {
    const id = await newDefinition();
    await run('definition', 'archive', id);
    return [id];
  },
  'schedule pause': async () => [await newSchedule()],
  'schedule resume': async () => {
    const id = await newSchedule();
    await run('schedule', 'pause', id);
    return [id];
  },
  'schedule run': async () => [await newSchedule(), '--no-wait'],
  'link revoke': async () => [(await created('createLink'))['linkId'] as string],
  'resource delete': async () => [(await created('uploadResource'))['resourceId'] as string],
  'webhook redeliver': async () => ['--endpoint', await endpoint()],
  'webhook test': async () => [await endpoint(), '--no-wait'],
  'webhook enable': async () => {
    const id = await endpoint();
    await run('webhook', 'disable', id);
    return [id];
  },
  'webhook disable': async () => [await endpoint()],
  'webhook rotate-keys': async () => {
    const row = {
      id: crypto.randomUUID(),
      public_key_der: Buffer.alloc(1),
      private_key_encrypted: Buffer.alloc(1),
    };
    await database.insertInto('webhook_keys').values(row).execute();
    return [];
  },
};

/** The other commands, and why they have no entry. */
const others: Record<string, string> = {
  backup: 'reads',
  'blobs adopt': 'binds files, which changes nothing that a caller may do',
  'blobs move': 'copies files, which changes nothing that a caller may do',
  'blobs sweep': 'does what the platform does every hour, and logs it',
  'blobs verify': 'reads',
  'config check': 'reads',
  console: 'makes changes of other commands, under their names: see test/console/actions.test.ts',
  'database adopt-key': 'needs a stopped platform: see server-key.test.ts',
  'database rotate-key': 'needs two keys: see key-rotation.slow.test.ts',
  'database url': 'reads',
  queue: 'reads',
  restore: 'writes into an empty place',
  serve: 'is the platform',
  'webhook listen': 'calls the API',
  work: 'is the platform',
};

/** These open a read-only connection or none: see the test below. */
const reads =
  /^(?:usage|(?:audit|definition|execution|key|link|resource|schedule|token|webhook) (?:list|show|draw|next|check|convert|test|endpoints|deliveries|attempts))$/;

function commandsIn(command: Command, words: string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((each) => commandsIn(each, [...words, each.name()]));
}

const commands = commandsIn(createProgram());

test('every command is audited, or says why not', () => {
  const how = 'add it to `changes` with a command line, or to `others` with a reason';
  const unknown = commands.filter(
    (name) => !(name in changes || name in others || (reads.test(name) && name !== 'webhook test')),
  );
  expect(unknown, how).toEqual([]);
  for (const name of [...Object.keys(changes), ...Object.keys(others)]) expect(commands).toContain(name);
});

test.each(Object.keys(changes))('%s has an entry', async (name) => {
  const args = (await changes[name]?.()) as string[];
  const before = new Set((await list('--all', '--action', name)).map(({ cursor }) => cursor));
  const printed = await run(...name.split(' '), ...args);
  const entries = (await list('--all', '--action', name)).filter(({ cursor }) => !before.has(cursor));
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      actor: { kind: 'operator', id: 'grace' },
      source: hostname(),
      action: name,
    });
    // What the command prints is a secret.
    for (const word of printed.split(/\s+/).filter((each) => /^(?:tot|wrpk|wrps)_/.test(each)))
      expect(JSON.stringify(entry)).not.toContain(word);
  }
});

test('a command that only reads cannot change anything', async () => {
  const { inEnvironment } = await import('../../server/src/cli/connect.ts');
  const options = {
    dataDir: '',
    databaseUrl: connectionString,
    environment: 'production',
    command: 'x',
  } as const;
  const change = inEnvironment(options, (reading) => reading.deleteFrom('links').execute());
  await expect(change).rejects.toThrow('read-only transaction');
});

test('apply names each object and its changed columns, and nothing for the same file', async () => {
  const file = join(temporaryRoot(), 'audited-again.yaml');
  const text = smallPlatform.replace('Lake & Daughters', 'Lake & Sons');
  const applied = async (content: string, ...args: string[]) => {
    await writeFile(file, content);
    const before = (await list('--all', '--action', 'apply')).length;
    await run('apply', file, ...args);
    const all = await list('--all', '--oldest-first', '--action', 'apply');
    return all.slice(before).map(({ object, details }) => ({ kind: object.kind, ...details }));
  };
  expect(await applied(text, '--dry-run')).toEqual([]);
  const first = await applied(text);
  for (const kind of ['organization', 'user', 'workspace', 'table', 'record', 'case', 'workflow definition'])
    expect(first).toContainEqual({ kind, change: 'created' });
  expect(first).toContainEqual(
    expect.objectContaining({ kind: 'workspace role', change: 'permission added' }),
  );
  expect(first).toContainEqual(expect.objectContaining({ kind: 'user', change: 'membership added' }));
  expect(await applied(text)).toEqual([]);
  const changed = text
    .replace('email: cy@lake.example', 'email: di@lake.example')
    .replace('              - relation: can_view_workspace\n', '');
  const second = await applied(changed);
  expect(second).toHaveLength(2);
  expect(second).toContainEqual({ kind: 'case', change: 'updated', fields: ['contact_email'] });
  expect(second).toContainEqual(
    expect.objectContaining({ change: 'permission removed', relation: 'can_view_workspace' }),
  );
  expect(JSON.stringify(second)).not.toContain('@');
});

describe('wrp audit list', () => {
  test('filters by the e-mail address of a user, and shows it', async () => {
    const user = await given.user({ organization: world.organization });
    await owner.POST('/organizations/users/{userId}/terminate', { params: { path: { userId: user.id } } });
    const [entry] = await list('--actor', world.owner.email, '--object', user.id);
    expect(entry).toMatchObject({
      action: 'terminateUser',
      actor: { kind: 'caller', name: world.owner.email },
      details: { event: 'user.terminated', status: 'TERMINATED' },
    });
    const table = await run('audit', 'list', '--object', user.id);
    expect(table).toContain(world.owner.email);
    expect(table).toContain('terminateUser');
    expect(await list('--actor', 'nobody')).toEqual([]);
  });

  test('pages with a cursor, and exports all, the oldest first', async () => {
    const all = await list('--all', '--oldest-first');
    const first = await list('--oldest-first', '--limit', '2');
    const rest = await list('--oldest-first', '--all', '--after', first.at(-1)?.cursor as string);
    expect([...first, ...rest]).toEqual(all);
    const { stderr } = await wrp('audit', 'list', '--limit', '1');
    expect(stderr).toContain('--after ');
  });

  test.each([
    ['--since', 'yesterday'],
    ['--since', '2026-13-01'],
    ['--after', 'x'],
    ['--limit', '0'],
  ])('refuses %s %s', async (...args) => {
    expect((await wrp('audit', 'list', ...args)).status).toBe(2);
  });

  test('reads dates, times and durations', async () => {
    const all = (await list('--all')).length;
    for (const since of ['2020-01-01', '2020-01-01T08:00:00+01:00', '1d', '3600s'])
      expect(await list('--all', '--since', since)).toHaveLength(all);
    expect(await list('--all', '--until', '1d')).toEqual([]);
  });
});
