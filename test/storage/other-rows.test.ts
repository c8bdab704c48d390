import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAttachment } from '../../server/src/store/attachments.ts';
import { historyOf } from '../../server/src/store/execution-history.ts';
import { describeExecution, listExecutions, liveThreads } from '../../server/src/store/execution-list.ts';
import { dueExecutions, type Ending, endExecutions } from '../../server/src/store/executions.ts';
import { joinFork, startQueued } from '../../server/src/store/forks.ts';
import { createLink, findLink, findLinkExecution, markSent } from '../../server/src/store/links.ts';
import { deleteExpiredResults } from '../../server/src/store/results.ts';
import { updateProfile } from '../../server/src/store/users.ts';
import { twoOrganizations } from './two-organizations.ts';

/** Statements that name what they read or change leave the rows of others alone, with two of each kind in the tables. */
const { database, now, world, given, runningExecution, minutes } = await twoOrganizations();

describe('a user', () => {
  const foreign = { organizationId: world.strangersOrganization.id, userId: world.member.id };

  test('is changed in its own organization only', async () => {
    const profile = { firstName: 'Mallory', lastName: '', title: '' };
    for (const isCurrent of [undefined, () => true, () => false])
      expect(await updateProfile(database, foreign, profile, isCurrent)).toEqual({ kind: 'unknown_user' });
    const { userId } = foreign;
    const { first_name } = await database
      .selectFrom('users')
      .select('first_name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    expect(first_name).not.toBe('Mallory');
  });
});

describe('an attachment', () => {
  test('is created in the workspace of its record', async () => {
    for (const workspace of [world.workspace, world.otherWorkspace]) {
      const table = await given.table({ workspace });
      const record = await given.record({ table });
      const file = { name: 'a.txt', contentType: 'text/plain', size: 1, sha256: Buffer.alloc(32) };
      const created = await createAttachment(
        database,
        { tableId: table.id, recordId: record.id },
        { userId: world.owner.id },
        { file: { ...file, blobKey: randomUUID() }, tags: [], now, storageQuota: undefined },
      );
      expect(created).toMatchObject({ kind: 'created', workspaceId: workspace.id });
    }
  });
});

describe('a link', () => {
  test('does not count as a use of a parameter set of another organization', async () => {
    const definition = await given.workflowDefinition({ workspace: world.strangersWorkspace });
    const [caseId, parametersId] = [randomUUID(), randomUUID()];
    const place = { workspace_id: world.workspace.id, created_at: now };
    await database
      .insertInto('cases')
      .values({ ...place, id: caseId, name: 'Case' })
      .execute();
    const lastUse = minutes(-3 * 24 * 60);
    const times = { created_at: lastUse, last_used_at: lastUse };
    const set = { id: parametersId, workflow_definition_id: definition.id, parameters: '{}' };
    await database
      .insertInto('parameter_sets')
      .values({ ...set, ...times, created_by: world.stranger.id })
      .execute();
    const link = {
      id: randomUUID(),
      caseId,
      parametersId,
      workflowDefinitionId: world.workflowDefinition.id,
      secretSha256: Buffer.alloc(32),
      organizationId: world.organization.id,
      createdBy: world.owner.id,
      now,
      mailed: false,
      problemsOf: async () => [],
    };
    expect(await createLink(database, link)).toEqual({ kind: 'unknown_parameters' });
    const { last_used_at } = await database
      .selectFrom('parameter_sets')
      .select('last_used_at')
      .where('id', '=', parametersId)
      .executeTakeFirstOrThrow();
    expect(last_used_at).toEqual(lastUse);

    const own = { ...link, parametersId: undefined };
    expect(await createLink(database, own)).toMatchObject({ kind: 'created' });
    const sent = [await markSent(database, link.id, now), await markSent(database, link.id, minutes(1))];
    expect(sent, 'a message that is sent again is recorded once').toEqual([true, false]);
  });
});

describe('an execution', () => {
  /** An execution with a fork that waits for two child threads, of which the second is queued. */
  async function forked(name: string) {
    const id = await runningExecution();
    const fork = await thread(id, { status: 'waiting', awaiting: 'fork', label: name });
    const ended = { parent_id: fork, status: 'ended', output: JSON.stringify(name), label: name };
    await thread(id, { ...ended, position: 0 });
    await thread(id, { ...ended, position: 1, status: 'queued' });
    return { id, fork };
  }

  async function thread(execution_id: string, row: object): Promise<string> {
    const id = randomUUID();
    const values = { id, execution_id, scope: '{}', frame: '{}', ...row };
    await database
      .insertInto('threads')
      .values(values as never)
      .execute();
    return id;
  }

  const readyAt = (step: number) => ({ status: 'ready', label: '', step });
  const entry = (execution_id: string, state: string) =>
    database
      .insertInto('execution_history')
      .values({ execution_id, thread_id: randomUUID(), at: now, kind: 'state', state, detail: '{}' })
      .execute();

  test('is listed and described with its own workspace', async () => {
    const [one, other] = [await runningExecution(), await runningExecution()];
    const { id: workspace_id } = world.otherWorkspace;
    await database.updateTable('executions').set({ workspace_id }).where('id', '=', other).execute();
    const workspaces = [world.workspace.id, workspace_id];
    const described = [await describeExecution(database, one), await describeExecution(database, other)];
    expect(described.map((execution) => execution?.workspace.id)).toEqual(workspaces);
    const { content: listed } = await listExecutions(database, {}, { size: 100 });
    const shown = [one, other].map((id) => listed.filter((row) => row.id === id));
    expect(shown.map((rows) => rows.map(({ workspace }) => workspace.id))).toEqual(
      workspaces.map((id) => [id]),
    );
  });

  test('is listed under its own definition', async () => {
    const executions = [];
    for (const name of ['one', 'other']) {
      const { id: workflow_definition_id } = await given.workflowDefinition({
        workspace: world.workspace,
        name,
      });
      const id = await runningExecution();
      await database.updateTable('executions').set({ workflow_definition_id }).where('id', '=', id).execute();
      executions.push({ id, name });
    }
    for (const { id, name } of executions)
      expect((await listExecutions(database, { definition: name }, { size: 100 })).content).toMatchObject([
        { id },
      ]);
  });

  test('is due at its own deadline', async () => {
    const [due, later] = [await runningExecution(), await runningExecution()];
    for (const [id, deadline_at] of [
      [due, now],
      [later, minutes(1)],
    ] as const)
      await database.updateTable('executions').set({ deadline_at }).where('id', '=', id).execute();
    const ids = (await dueExecutions(database, now, 100)).map(({ id }) => id);
    expect(ids).toContain(due);
    expect(ids).not.toContain(later);
  });

  test('ends in its own organization, at the checkpoint of its own root thread only', async () => {
    const [one, other] = [await runningExecution(), await runningExecution()];
    const { id: workspace_id, organizationId } = world.strangersWorkspace;
    await database.updateTable('executions').set({ workspace_id }).where('id', '=', other).execute();
    const [root, moved] = [await thread(one, readyAt(3)), await thread(other, readyAt(3))];
    // Where the root thread was.
    await thread(other, { ...readyAt(2), parent_id: moved });
    const ending = (executionId: string, id: string, step: number): Ending => ({
      executionId,
      status: 'COMPLETED',
      now,
      root: { thread: { id, step, turn: 0, frame: null, awaiting: null }, history: [] },
    });
    expect(await endExecutions(database, [ending(one, root, 3), ending(other, moved, 2)])).toMatchObject([
      { organizationId: world.organization.id, workspaceId: world.workspace.id, current: true },
      { organizationId, workspaceId: workspace_id, current: false },
    ]);
  });

  test('shows on the page of its link its own case, definition and organization', async () => {
    const expected = [];
    for (const [number, home] of [world.workspace, world.strangersWorkspace].entries()) {
      const [linkId, execution_id] = [randomUUID(), await runningExecution()];
      const uiOptions = { number };
      const definition = await given.workflowDefinition({ workspace: home, uiOptions });
      const { id: definition_revision_id } = await database
        .selectFrom('definition_revisions')
        .select('id')
        .where('workflow_definition_id', '=', definition.id)
        .executeTakeFirstOrThrow();
      await database
        .updateTable('executions')
        .set({ workspace_id: home.id, definition_revision_id })
        .where('id', '=', execution_id)
        .execute();
      const place = { workspace_id: home.id, created_at: now };
      const linkedCase = { ...place, id: randomUUID(), name: `Case ${number}` };
      await database.insertInto('cases').values(linkedCase).execute();
      const parameters_id = randomUUID();
      const set = { id: parameters_id, workflow_definition_id: definition.id, parameters: `${number}` };
      await database
        .insertInto('parameter_sets')
        .values({ ...set, created_by: world.owner.id })
        .execute();
      const of = {
        case_id: linkedCase.id,
        workflow_definition_id: definition.id,
        parameters_id,
        execution_id,
        used_at: now,
      };
      await database
        .insertInto('links')
        .values({
          ...place,
          ...of,
          id: linkId,
          secret_sha256: Buffer.from(linkId),
          created_by: world.owner.id,
          expires_at: now,
        })
        .execute();
      expected.push({ linkId, execution_id, home, linkedCase, definition, uiOptions, number });
    }
    for (const { linkId, execution_id, home, linkedCase, definition, uiOptions, number } of expected) {
      expect(await findLinkExecution(database, execution_id)).toMatchObject({
        id: execution_id,
        caseName: linkedCase.name,
        definition: { uiOptions },
        organization: `Organization ${home.organizationId}`,
      });
      expect(await findLink(database, linkId)).toMatchObject({
        case: { id: linkedCase.id },
        workspace: { id: home.id },
        parameters: number,
        definition: { id: definition.id, revision: { uiOptions } },
        organization: { id: home.organizationId },
      });
    }
  });

  test('shows its own history and threads', async () => {
    const [one, other] = [await forked('one'), await forked('other')];
    await entry(one.id, 'One');
    await entry(other.id, 'Other');
    expect(await entriesOf(historyOf(database, one.id))).toMatchObject([{ state: 'One' }]);
    const labels = (await liveThreads(database, one.id)).map(({ label }) => label);
    expect(new Set(labels)).not.toContain('other');
  });

  test('starts and joins the threads of its own forks', async () => {
    const [one, other] = [await forked('one'), await forked('other')];
    expect(await startQueued(database, one.fork, 1)).toBeDefined();
    const queued = await database
      .selectFrom('threads')
      .select('parent_id')
      .where('status', '=', 'queued')
      .where('parent_id', 'in', [one.fork, other.fork])
      .execute();
    expect(queued).toEqual([{ parent_id: other.fork }]);
    // Exactly as large as the result of one of the two forks.
    await joinFork(database, { threadId: one.fork, maxResultBytes: '"one"'.length });
    const { outcome } = await database
      .selectFrom('threads')
      .select('outcome')
      .where('id', '=', one.fork)
      .executeTakeFirstOrThrow();
    expect(outcome).toEqual({ kind: 'succeeded', result: ['one'] });
    expect(await startQueued(database, other.fork, 1)).toBeDefined();
  });

  test('keeps its history when the result of another one expires', async () => {
    const [old, young] = [await runningExecution(), await runningExecution()];
    for (const id of [old, young]) {
      await entry(id, 'Done');
      const ended_at = id === old ? minutes(-2) : now;
      const values = { status: 'COMPLETED' as const, ended_at, kept: true };
      await database.updateTable('executions').set(values).where('id', '=', id).execute();
    }
    await deleteExpiredResults(database, minutes(-1));
    expect(await entriesOf(historyOf(database, old))).toEqual([]);
    expect(await entriesOf(historyOf(database, young))).toHaveLength(1);
  });
});

async function entriesOf<Entry>(history: AsyncIterable<Entry>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of history) entries.push(entry);
  return entries;
}
