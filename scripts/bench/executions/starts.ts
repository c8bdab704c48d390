import type { Environment } from './platform.ts';
import { parameters } from './rows.ts';

/** Starts executions one after another. @returns the milliseconds until each response */
export async function startExecutions(
  { baseUrl, token, definitions }: Environment,
  count: number,
): Promise<number[]> {
  const body = JSON.stringify({ workflowDefinitionId: definitions.one, parameters });
  const headers = { Authorization: token, 'Content-Type': 'application/json' };
  const times: number[] = [];
  for (let made = 0; made < count; made++) {
    const startedAt = performance.now();
    const response = await fetch(`${baseUrl}/workflows`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`A start returned ${response.status}: ${text}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}
