import { expect, test } from 'vitest';
import { scheduleRow } from '../schedules/support.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { wrpOn } from '../support/wrp.ts';

const { connectionString } = await cloneDatabase();
const { owner, world, given, database } = await api({ databaseUrl: connectionString, clock: 'running' });
const executions = executionsOf(owner);
const wrp = wrpOn(connectionString);

/** Clears the screen (two spellings of the escape sequence), and reverses the text after it. */
const hostile = 'evil \u001b[2J\u009b2J\u202e';

const { workspace } = world;
const other = await given.workspace({ organization: world.organization });
for (const { id } of [workspace, other])
  await database.updateTable('workspaces').set({ name: hostile }).where('id', '=', id).execute();
await database
  .updateTable('users')
  .set({ email: `${hostile}@example.com` })
  .where('id', '=', world.owner.id)
  .execute();
await database.updateTable('organizations').set({ name: hostile }).execute();
const definition = definitionOf({ [hostile]: { Type: 'Fail', Error: hostile, Cause: hostile } });
const { id: workflowDefinitionId } = await given.workflowDefinition({ workspace, name: hostile, definition });
await given.workflowDefinition({ workspace: other, name: hostile, definition });
const failed = await executions.start({ workflowDefinitionId, parameters: { name: hostile } });
await executions.ended(failed, 'FAILED');
for (const one of [workspace, other]) {
  const row = scheduleRow(
    { workspace: one, owner: world.owner, workflowDefinition: { id: workflowDefinitionId } },
    { name: hostile, last_outcome: 'skipped', last_reason: hostile, next_due_at: new Date('2999-01-01') },
  );
  await database.insertInto('schedules').values(row).execute();
}

const commands: [status: number, words: string[]][] = [
  [0, ['execution', 'list']],
  [0, ['execution', 'list', '--json']],
  [0, ['execution', 'show', failed.id]],
  [0, ['execution', 'show', failed.id, '--json']],
  [0, ['execution', 'retry', '--definition', workflowDefinitionId, '--dry-run']],
  [1, ['execution', 'list', '--definition', `no ${hostile}`]],
  [0, ['definition', 'list']],
  [0, ['definition', 'draw', workflowDefinitionId]],
  [0, ['definition', 'show', workflowDefinitionId]],
  [1, ['definition', 'show', hostile]],
  [0, ['schedule', 'list']],
  [1, ['schedule', 'pause', hostile]],
  [2, ['schedule', 'next', '--cron', '* * * * *', '--time-zone', hostile]],
  [0, ['token', 'create', '--user', world.owner.id, '--workspace', workspace.id, '--name', hostile]],
  [0, ['token', 'list']],
  [0, ['audit', 'list']],
  [0, ['audit', 'list', '--json']],
  [0, ['queue']],
  [0, ['usage']],
];

test.each(commands)('exits with %j and prints no control characters: %j', async (status, words) => {
  const ended = await wrp(...words);
  expect(ended.status, ended.stderr).toBe(status);
  const printed = `${ended.stdout}${ended.stderr}`;
  expect(printed).toContain(words[0] === 'queue' ? 'FAILED' : 'evil');
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

test('JSON has the text as it is stored', async () => {
  const { stdout } = await wrp('execution', 'list', '--json');
  expect(JSON.parse(stdout).content[0]).toMatchObject({ error: hostile, workspace: { name: hostile } });
});
