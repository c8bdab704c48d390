import { expect, test } from 'vitest';
import { shiftedClock } from '../../scripts/laboratory/resilience/faults/installation.ts';
import { createActors } from '../support/actors.ts';
import { executionsOf } from '../support/executions.ts';
import { givenParts, startPart } from '../support/parts.ts';

const { database, ports, shared, world } = await givenParts();

const shifted = (seconds: number, settings: object) => ({
  ...shared,
  ...settings,
  LOG_LEVEL: 'warn',
  NODE_OPTIONS: `--import=${shiftedClock(seconds)}`,
});

test('a server ten minutes behind and a worker an hour ahead agree on the time of the database', async () => {
  const [server, worker] = await Promise.all([
    startPart('serve', shifted(-600, {})),
    startPart('work', shifted(3_600, { METRICS_PORT: `${ports.metrics}` })),
  ]);
  try {
    const before = Date.now();
    const { owner } = createActors(`http://127.0.0.1:${ports.production}`, world);
    const executions = executionsOf(owner);
    const { id } = await executions.start({ workflowDefinitionId: world.workflowDefinition.id });
    await executions.ended({ id });
    const { created_at, ended_at } = await database
      .selectFrom('executions')
      .select(['created_at', 'ended_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const events = await database
      .selectFrom('events')
      .select(['type', 'created_at'])
      .orderBy('created_at')
      .execute();
    expect(events.map(({ type }) => type)).toEqual(['workflow.started', 'workflow.completed']);
    // The database is on this machine.
    const times = [before, created_at.getTime(), ended_at?.getTime() ?? 0, Date.now()];
    for (const [at, time] of times.slice(1).entries())
      expect(time).toBeGreaterThan((times[at] as number) - 100);

    const metrics = await fetch(`http://127.0.0.1:${ports.metrics}/metrics`).then((response) =>
      response.text(),
    );
    expect(Number(/^wrp_clock_skew_seconds (\S+)$/m.exec(metrics)?.[1])).toBeCloseTo(3600, 0);
    const warnings = [server, worker].map((part) =>
      part.output().match(/the clock of this machine is [^:]+/g),
    );
    expect(warnings).toEqual([
      [expect.stringMatching(/is (600|599\.\d|600\.\d) s behind the database's$/)],
      [expect.stringMatching(/is (3600|3599\.\d|3600\.\d) s ahead of the database's$/)],
    ]);
  } finally {
    expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0]);
  }
});
