import { type Client, type components, unwrap, waitForResult } from '@wrp/client';
import { element, field, onSubmit } from './page.ts';
import { attempt } from './problem.ts';

/** Milliseconds between polls of a running execution. */
const pollInterval = 500;
/** Longer results are cut. */
const shownCharacters = 5_000;

/** The form that starts a workflow and shows its status and result. */
export function workflowForm(client: () => Client): void {
  const form = element('workflow', HTMLFormElement);
  const status = element('execution', HTMLElement);
  const place = element('result', HTMLPreElement);
  /** A new start stops polling the previous execution. */
  let polling = new AbortController();

  onSubmit(form, () =>
    attempt(async () => {
      polling.abort();
      polling = new AbortController();
      place.hidden = true;
      const body = {
        workflowDefinitionId: field(form, 'definition'),
        parameters: { claimNumber: field(form, 'claimNumber'), urgent: field(form, 'urgent') === 'on' },
      };
      const started = await unwrap(client().POST('/workflows', { body }));
      const ended = await follow(client(), started, status, polling.signal);
      if (ended?.status !== 'COMPLETED') return;
      const result = await waitForResult(client(), ended.id, { signal: polling.signal });
      place.textContent = JSON.stringify(result, null, 2).slice(0, shownCharacters);
      place.hidden = false;
    }),
  );
}

type Execution = components['schemas']['WorkflowExecution'];

/** Shows the status until it is final. @returns undefined if aborted */
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
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
    execution = await unwrap(client.GET('/workflows/{workflowId}', { params }));
  }
  return undefined;
}
