import { type Options, type Running, runSection, type Values } from '../section.ts';
import { table } from '../table.ts';

/** One line of the table. */
export interface TestResult {
  /** What was tried, for instance `SIGKILL under load`. */
  tried: string;
  /** How often. */
  times: number;
  /** What was seen, for instance `p99 38 ms`. */
  seen?: string;
  /** Each time that the promise was broken: what happened, and where. Empty: the promise held. */
  failures: string[];
}

const shownFailures = 20;

/** Runs a section of `npm run prove`. Exit code 1: a promise was broken. */
export async function runResilienceTests<Declared extends Options>(section: {
  name: string;
  /** The text of `--help`. */
  description: string;
  options: Declared;
  test(values: Values<Declared>, running: Running): Promise<TestResult[]>;
}): Promise<void> {
  await runSection({
    ...section,
    tool: 'prove',
    async run(values, running) {
      const results = await section.test(values, running);
      if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
      return results;
    },
    asText: (results) => resultTable([{ name: section.name, results }]),
  });
}

/** What was tried, how often, what failed; and below the table each failure. */
export function resultTable(sections: readonly { name: string; results: readonly TestResult[] }[]): string {
  const rows = sections.flatMap(({ name, results }) =>
    results.map(({ tried, times, failures, seen = '' }) => [
      `${name}: ${tried}`,
      String(times),
      failures.length === 0 ? 'none' : String(failures.length),
      seen,
    ]),
  );
  const failed = sections.flatMap(({ name, results }) =>
    results.flatMap(({ tried, failures }) =>
      listOf(failures).map((failure) => `${name}: ${tried}: ${failure}`),
    ),
  );
  return [table([['Tried', 'times', 'failed', 'seen'], ...rows], [0, 3]), ...failed].join('\n');
}

function listOf(failures: readonly string[]): string[] {
  const rest = failures.length - shownFailures;
  return [...failures.slice(0, shownFailures), ...(rest > 0 ? [`and ${rest} more`] : [])];
}
