import { type Client, type components, unwrap, waitForResult } from '@wrp/client';
import { element, field, onSubmit } from './page.ts';
import { attempt } from './problem.ts';

/** How often a running execution is looked at, in milliseconds. */
const interval = 500;
/** A result may be any size; a page need not show all of it. */
const shownCharacters = 5_000;

/** The form that starts a workflow, and what becomes of it. */
export function workflowForm(client: () => Client): void {
  const form = element('workflow', HTMLFormElement);
  const status = element('execution', HTMLElement);
  const place = element('result', HTMLPreElement);
  /** Another start ends the watching of the last one. */
  let watching = new AbortController();

  onSubmit(form, () =>
    attempt(async () => {
      watching.abort();
      watching = new AbortController();
      place.hidden = true;
      const body = {
        workflowDefinitionId: field(form, 'definition'),
        parameters: { claimNumber: field(form, 'claimNumber'), urgent: field(form, 'urgent') === 'on' },
      };
      const started = await unwrap(client().POST('/workflows', { body }));
      const ended = await follow(client(), started, status, watching.signal);
      if (ended?.status !== 'COMPLETED') return;
      const result = await waitForResult(client(), ended.id, { signal: watching.signal });
      place.textContent = JSON.stringify(result, null, 2).slice(0, shownCharacters);
      place.hidden = false;
    }),
  );
}

type Execution = components['schemas']['WorkflowExecution'];

/** Shows the status until it is a final one. @returns undefined where the watching was ended */
async function follow(
  client: Client,
  started: Execution,
  status: HTMLElement,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  const params = { path: { workflowId: started.id } };
  for (let execution = started; !signal.aborted; ) {
    status.textContent = `${execution.name}: ${execution.status}`;
    if (execution.status !== 'RUNNING') return execution;
    await new Promise((resolve) => setTimeout(resolve, interval));
    execution = await unwrap(client.GET('/workflows/{workflowId}', { params }));
  }
  return undefined;
}
