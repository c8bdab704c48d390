import { html } from '../../domain/html.ts';
import { cancelExecution } from '../../workflows/ending.ts';
import { executionPage } from '../execution/page.ts';
import type { ConsolePage } from '../page.ts';

/** One execution, as `wrp execution show --open` shows it. */
export const execution: ConsolePage = {
  path: '/executions/:id',
  show({ database, id, now, form }) {
    return executionPage(database, id, now, ({ status }) => {
      if (!form || status !== 'RUNNING') return false;
      return html`<details data-key="cancel"><summary>Cancel this execution</summary><div>${form(
        'cancel',
        html`<input type="hidden" name="back" value="/executions/${id}"><p>Its open tasks are stopped. It cannot be continued.</p>
<button class="danger">Cancel the execution</button>`,
      )}</div></details>`;
    });
  },
  actions: {
    async cancel({ database, id, now }) {
      const status = await database
        .transaction()
        .execute((transaction) => cancelExecution(transaction, id, now));
      if (status === undefined) return undefined;
      if (status === 'RUNNING') return { done: 'The execution is cancelled.' };
      return status === 'CANCELLED'
        ? { done: 'The execution was already cancelled.' }
        : { refused: `The execution has already ended with status ${status}.` };
    },
  },
};
