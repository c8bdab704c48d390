import type { Environment } from './platform.ts';
import { parameters } from './rows.ts';

/** Starts executions one after another. @returns milliseconds until each was answered */
export async function startExecutions(
  { baseUrl, token, definitions }: Environment,
  count: number,
): Promise<number[]> {
  const body = JSON.stringify({ workflowDefinitionId: definitions.one, parameters });
  const headers = { Authorization: token, 'Content-Type': 'application/json' };
  const times: number[] = [];
  for (let made = 0; made < count; made++) {
    const startedAt = performance.now();
    const answer = await fetch(`${baseUrl}/workflows`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`A start was answered ${answer.status}: ${text}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}
