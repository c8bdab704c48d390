import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { objectNouns } from '../../server/src/cli/command-error.ts';
import { isStoredIn } from '../../server/src/store/environments.ts';
import { api } from '../support/api.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { wrpOn } from '../support/wrp.ts';
import { smallPlatform } from './small-platform.ts';

const { connectionString } = await cloneDatabase();
const { owner, world, database } = await api({ databaseUrl: connectionString, clock: 'running' });
const wrp = wrpOn(connectionString);
const unknownId = '00000000-0000-4000-8000-000000000000';

/** By its kind, what only production has. */
const stored: Record<string, string> = {};
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-environments-'));
  atEnd(() => rm(directory, { recursive: true }));
  const schedule = "{ name: weekly, definition: echo, user: ada@lake.example, cron: '0 9 * * 1' }";
  await writeFile(join(directory, 'p.yaml'), `${smallPlatform}        schedules: [${schedule}]\n`);
  expect(await wrp('apply', join(directory, 'p.yaml'))).toMatchObject({ status: 0 });
  const start = { workflowDefinitionId: world.workflowDefinition.id };
  const caseId = await database.selectFrom('cases').select('id').executeTakeFirstOrThrow();
  const credential = ['--user', 'ada@lake.example', '--workspace', 'Boats', '--name', 'test', '--json'];
  Object.assign(stored, {
    execution: (await executionsOf(owner).start(start)).id,
    case: caseId.id,
    token: JSON.parse((await wrp('token', 'create', ...credential)).stdout).id,
    key: JSON.parse((await wrp('key', 'create', ...credential)).stdout).key,
  });
});

const commands: [words: string[], reference: string, message: string][] = [
  [['execution', 'show'], 'execution', 'no execution *'],
  [['execution', 'show', '--open'], 'execution', 'no execution *'],
  [['execution', 'retry'], 'execution', 'no execution *'],
  [['execution', 'cancel'], 'execution', 'no execution *'],
  [['execution', 'list', '--workspace'], '=Boats', 'no workspace *'],
  [['execution', 'list', '--definition'], '=echo', 'no definition *'],
  [['definition', 'show'], '=echo', 'no definition *'],
  [['definition', 'draw'], '=echo', 'no definition *'],
  [['definition', 'pause'], '=echo', 'no definition *'],
  [['definition', 'archive'], '=echo', 'no definition *'],
  [['schedule', 'pause'], '=weekly', 'no schedule *'],
  [['schedule', 'next'], '=weekly', 'no schedule *'],
  [['link', 'list', '--case'], 'case', 'no case *'],
  [['token', 'revoke'], 'token', 'no such organization token'],
  [['key', 'revoke'], 'key', 'no such API key'],
];

describe('a command on an object that only the other environment has', () => {
  test.each(commands)('names the environment: %s', async (words, reference, message) => {
    const value = reference.startsWith('=') ? reference.slice(1) : (stored[reference] as string);
    const { status, stderr } = await wrp(...words, value, '-e', 'sandbox');
    const expected = `There is ${message.replace('*', value)} in sandbox. It is in production: add -e production.\n`;
    expect([status, stderr]).toEqual([1, expected]);
  });

  test.each(commands)('says nothing of it if neither has the object: %s', async (words, _, message) => {
    const { status, stderr } = await wrp(...words, unknownId, '-e', 'sandbox');
    expect([status, stderr]).toEqual([1, `There is ${message.replace('*', unknownId)} in sandbox.\n`]);
  });

  test.each(Object.entries(objectNouns))('is looked up in a table that exists: %s', async (_noun, table) => {
    for (const reference of [unknownId, 'x'])
      expect(await isStoredIn(database, 'production', table, reference)).toBe(false);
  });
});
