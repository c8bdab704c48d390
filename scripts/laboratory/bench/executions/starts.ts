import type { Environment } from '../platform.ts';
import { type Definitions, parameters } from './rows.ts';

/**
 * Starts executions one after another.
 *
 * @param definition Default: of one step
 * @param untilEnd waits for the end of each before the next
 * @returns the milliseconds until each response
 */
export async function startExecutions(
  { baseUrl, token, definitions }: Environment,
  count: number,
  { definition = 'one', untilEnd = false }: { definition?: keyof Definitions; untilEnd?: boolean } = {},
): Promise<number[]> {
  const body = JSON.stringify({ workflowDefinitionId: definitions[definition], parameters });
  const headers = { Authorization: token, 'Content-Type': 'application/json' };
  const times: number[] = [];
  for (let made = 0; made < count; made++) {
    const startedAt = performance.now();
    const response = await fetch(`${baseUrl}/workflows`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`A start returned ${response.status}: ${text}`);
    times.push(performance.now() - startedAt);
    const { id } = JSON.parse(text);
    while (untilEnd && (await isRunning(`${baseUrl}/workflows/${id}`, headers)));
  }
  return times;
}

async function isRunning(url: string, headers: Record<string, string>): Promise<boolean> {
  const response = await fetch(url, { headers });
  const { status } = (await response.json()) as { status?: string };
  if (response.status !== 200) throw new Error(`An execution returned ${response.status}.`);
  return status === 'RUNNING';
}
