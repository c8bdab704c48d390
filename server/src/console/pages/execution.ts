import { type Html, html } from '../../domain/html.ts';
import type { DescribedExecution } from '../../store/execution-list.ts';
import { cancelExecution } from '../../workflows/ending.ts';
import { describeRefusal, failHint, retryExecution } from '../../workflows/retry.ts';
import { executionPage } from '../execution/page.ts';
import type { ConsolePage, PageRequest } from '../page.ts';

/** One execution, as `wrp execution show --open` shows it; `retry` and `cancel`. */
export const execution: ConsolePage = {
  path: '/executions/:id',
  command: 'execution',
  show({ database, id, now, form, layouts }) {
    const extra = (execution: DescribedExecution) => form && formPart(execution, form);
    return executionPage(database, id, { now, layouts, extra });
  },
  actions: {
    async retry({ database, jobs, origin, id, fields, now }) {
      const newest = fields.get('revision') === 'newest';
      const outcome = await retryExecution({ database, jobs, now }, { executionId: id, origin, newest });
      if (outcome.kind === 'unknown') return undefined;
      if (outcome.kind === 'retried')
        return {
          done: `The execution runs again, with revision ${outcome.revision}.${failHint(outcome)}`,
        };
      if (outcome.kind === 'running') return { done: 'The execution is already running.' };
      return { refused: describeRefusal(outcome) };
    },
    async cancel({ change, id, now }) {
      const status = await change((transaction) => cancelExecution(transaction, id, now));
      if (status === undefined) return undefined;
      if (status === 'RUNNING') return { done: 'The execution is cancelled.' };
      return status === 'CANCELLED'
        ? { done: 'The execution was already cancelled.' }
        : { refused: `The execution has already ended with status ${status}.` };
    },
  },
};

function formPart(
  { id, status }: DescribedExecution,
  form: NonNullable<PageRequest['form']>,
): Html | undefined {
  const back = `/executions/${id}`;
  if (status === 'FAILED')
    return form('retry', {
      ...{ name: 'Retry', button: 'Retry the execution', back },
      effect: 'It continues from the states that failed. What succeeded is kept.',
      fields: html`<label>Revision <select name="revision"><option value="">its own</option><option value="newest">the newest</option></select></label> `,
    });
  if (status !== 'RUNNING') return undefined;
  return form('cancel', {
    ...{ name: 'Cancel', button: 'Cancel the execution', isDangerous: true, back },
    effect: 'Its open tasks are stopped.',
  });
}
