import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Position } from '../../server/src/domain/cursors.ts';
import type { ExecutionFilter } from '../../server/src/store/execution-filter.ts';
import {
  executionPages,
  type ListedExecution,
  listExecutions,
} from '../../server/src/store/execution-list.ts';
import { executionStatuses } from '../../server/src/store/schema.ts';
import { given } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';

const { database } = await openClone();
const now = new Date('2026-11-27T09:00:00.000Z');
const { world, ...make } = await given(database, { now: () => now, forward: () => {} });
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

const definitions = [
  await make.workflowDefinition({ workspace: world.workspace, name: 'claims' }),
  await make.workflowDefinition({ workspace: world.workspace, name: 'refunds' }),
  await make.workflowDefinition({ workspace: world.otherWorkspace, name: 'claims' }),
];
const places = [world.workspace, world.workspace, world.otherWorkspace];
const { id: recordId } = world.record;
const errors = [null, '', 'States.Timeout', 'Claims.Refused'];

/** Executions with every combination of what filters compare, several started and ended at the same time. */
const rows = Array.from({ length: 240 }, (_, number) => {
  const status = executionStatuses[number % 5] ?? 'RUNNING';
  const which = number % 3;
  const definition = definitions[which] as (typeof definitions)[number];
  const created_at = minutes(-Math.floor(number / 4));
  return {
    id: randomUUID(),
    workspace_id: places[which]?.id as string,
    workflow_definition_id: definition.id,
    name: which === 1 ? 'refunds' : 'claims',
    revision: number % 7 < 3 ? '1' : '2',
    status,
    locale: 'en',
    parameters: JSON.stringify({ claim: `C-${number}`, note: 'Straße "x"' }),
    record_id: number % 4 === 1 ? recordId : null,
    execution_type: 'BACKGROUND' as const,
    version: 1,
    origin: '{}',
    result_origin: '{}',
    expires_at: minutes(99_999),
    deadline_at: minutes(99_999),
    created_at,
    ended_at: status === 'RUNNING' ? null : new Date(created_at.getTime() + (number % 11) * 60_000),
    error: status === 'FAILED' ? (errors[number % 4] ?? null) : null,
    kept: number % 2 === 0,
  };
});
const { id: definition_revision_id } = await database
  .selectFrom('definition_revisions')
  .select('id')
  .limit(1)
  .executeTakeFirstOrThrow();
await database
  .insertInto('executions')
  .values(rows.map((row) => ({ ...row, definition_revision_id })))
  .execute();
const workspaceName = 'Depot';
await database
  .updateTable('workspaces')
  .set({ name: workspaceName })
  .where('id', '=', world.workspace.id)
  .execute();
const all = await listExecutions(database, {}, { size: 1_000 });

type Row = (typeof rows)[number];
const after = (time: Date | null, since: Date) => time !== null && time >= since;
const before = (time: Date | null, until: Date) => time !== null && time < until;

/** Which executions match a condition, judged without SQL. */
const conditions: { [Key in keyof ExecutionFilter]-?: (row: Row, value: never) => boolean } = {
  status: (row, value: string) => row.status === value,
  definition: (row, value: string) => row.workflow_definition_id === value || row.name === value,
  revision: (row, value: string) => row.revision === value,
  workspace: (row, value: string) =>
    row.workspace_id === value || (value === workspaceName && row.workspace_id === world.workspace.id),
  recordId: (row, value: string) => row.record_id === value,
  createdSince: (row, value: Date) => after(row.created_at, value),
  createdUntil: (row, value: Date) => before(row.created_at, value),
  endedSince: (row, value: Date) => after(row.ended_at, value),
  endedUntil: (row, value: Date) => before(row.ended_at, value),
  error: (row, value: string) => row.status === 'FAILED' && (row.error || 'Fail') === value,
  text: (row, value: string) =>
    row.parameters.toLowerCase().includes(JSON.stringify(value).slice(1, -1).toLowerCase()),
};

const cases: ExecutionFilter[] = [
  {},
  ...executionStatuses.map((status) => ({ status })),
  { definition: 'claims' },
  { definition: definitions[2]?.id },
  { definition: definitions[2]?.id.toUpperCase() },
  { definition: 'claims', revision: '1' },
  { definition: 'claims', workspace: world.workspace.id, status: 'FAILED' },
  { workspace: world.otherWorkspace.id },
  { workspace: workspaceName, text: 'c-1' },
  { recordId },
  { recordId, status: 'CANCELLED' },
  { recordId, endedSince: minutes(-30) },
  { recordId: randomUUID() },
  { createdSince: minutes(-10) },
  { createdUntil: minutes(-10) },
  { createdSince: minutes(-30), createdUntil: minutes(-10), status: 'COMPLETED' },
  { endedSince: minutes(-10) },
  { endedUntil: minutes(-10) },
  { endedSince: minutes(-30), endedUntil: minutes(-10), status: 'FAILED', definition: 'claims' },
  { error: 'Fail' },
  { error: 'States.Timeout' },
  { error: 'Claims.Refused', definition: 'refunds', createdUntil: minutes(-5) },
  { error: 'Claims.Refused', recordId },
  { error: 'Fail', status: 'COMPLETED' },
  { error: 'Fail', endedSince: minutes(-30), text: 'C-1' },
  { text: 'c-23' },
  { text: 'STRASSE' },
  { text: '"x"' },
  { text: 'Straße' },
  { text: 'C-1', status: 'EXPIRED', definition: 'claims', revision: '2' },
];

/** The ids of all pages. */
async function idsOf(filter: ExecutionFilter, size: number, window: number): Promise<string[]> {
  const ids: string[] = [];
  let position: Position | undefined;
  do {
    const limits = { window, page: 3 * window };
    const page = await listExecutions(database, filter, { after: position, size }, limits);
    expect(page.content.length).toBeLessThanOrEqual(size);
    ids.push(...page.content.map(({ id }) => id));
    position = page.next;
  } while (position);
  return ids;
}

function expectedOf(filter: ExecutionFilter): string[] {
  const matches = (row: Row) =>
    Object.entries(filter).every(([name, value]) => {
      const holds = conditions[name as keyof ExecutionFilter] as (row: Row, value: unknown) => boolean;
      return holds(row, name === 'definition' ? String(value).toLowerCase() : value);
    });
  const byEnd = filter.endedSince || filter.endedUntil;
  const placeOf = (row: Row) => `${(byEnd ? row.ended_at : row.created_at)?.toISOString()} ${row.id}`;
  return rows
    .filter(matches)
    .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
    .map(({ id }) => id);
}

describe('executions are found in order, in pages of any size', () => {
  test.each(cases)(
    '%o',
    async (filter) => {
      const expected = expectedOf(filter);
      for (const [size, window] of [
        [1_000, 5_000],
        [7, 5_000],
        [7, 10],
        [10, 10],
        [1, 1],
      ] as const)
        expect(await idsOf(filter, size, window), `pages of ${size} in windows of ${window}`).toEqual(
          expected,
        );
    },
    30_000,
  );
});

test('a page ends where the search ends, and names the place', async () => {
  const limits = { window: 10, page: 20 };
  const page = await listExecutions(database, { text: 'C-239"' }, { size: 50 }, limits);
  expect(page).toEqual({
    content: [],
    next: { id: all.content[19]?.id, createdAt: all.content[19]?.createdAt },
  });
});

test('a bulk change sees each execution once, although the changes move them in the list', async () => {
  const seen: string[] = [];
  for await (const { content } of executionPages(database, {
    status: 'FAILED',
    endedSince: minutes(-9_999),
  })) {
    seen.push(...content.map(({ id }: ListedExecution) => id));
    const ids = content.map(({ id }) => id);
    if (ids.length > 0)
      await database
        .updateTable('executions')
        .set({ ended_at: minutes(60) })
        .where('id', 'in', ids)
        .execute();
  }
  expect(seen.toSorted()).toEqual(expectedOf({ status: 'FAILED' }).toSorted());
});
