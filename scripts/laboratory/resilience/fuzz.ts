/** Generates requests from the contract with Schemathesis, and checks every response. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../../generated/operations.ts';
import { type Caller, callers, callersFile } from './fuzz/callers.ts';
import { type PhaseReports, phases, readReport } from './fuzz/report.ts';
import { findSchemathesis, runSchemathesis } from './fuzz/schemathesis.ts';
import { type PlatformProcess, withPlatform } from './platform.ts';
import { runResilienceTests, type TestResult } from './results.ts';

const { pollWebhookEvents: _sandboxOnly, ...reachable } = operations;
/** The operations that production does not refuse. The one of the sandbox is checked by test/webhooks/polling.test.ts. */
const labels = Object.values(reachable).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const launcher = join(import.meta.dirname, '../../../server/bin/wrp.js');
/** Requests that are refused for their number prove nothing. */
const settings = { AUTH_RATE_LIMIT_PER_MINUTE: '1000000', REFUSED_ATTEMPTS_PER_MINUTE: '1000000' };

await runResilienceTests({
  name: 'fuzz',
  description: `Runs Schemathesis with all of its checks and phases on platforms of its own: as the owner of the demo with an
organization token, as the same with an access token, and as a member. Each time, the owner of another organization must
get none of the caller's objects. The owner must reach every operation. A run is repeated by its seed.`,
  options: {
    examples: { description: 'the maximum number of generated cases per operation', full: 100, quick: 10 },
    seed: { description: 'of the generated cases', full: 1 },
    only: { description: 'run only as the callers whose name contains this text', full: '' },
  },
  test: async ({ examples, seed, only }, { progress, signal }) => {
    const program = findSchemathesis();
    const results: TestResult[] = [];
    for (const caller of callers.filter(({ name }) => name.includes(only))) {
      const reports = await withPlatform({ settings }, (platform, dataDirectory) =>
        fuzz(caller, { platform, dataDirectory, program, examples, seed, signal }),
      );
      const own = resultsOf(caller, reports, seed);
      results.push(...own);
      const failed = own.reduce((sum, { failures }) => sum + failures.length, 0);
      progress(`${caller.name}: ${failed || 'none'} failed, ${own.at(-1)?.seen}`);
    }
    return results;
  },
});

async function fuzz(
  caller: Caller,
  {
    platform,
    dataDirectory,
    ...run
  }: { platform: PlatformProcess; dataDirectory: string } & Pick<
    Parameters<typeof runSchemathesis>[0],
    'program' | 'examples' | 'seed' | 'signal'
  >,
): Promise<PhaseReports> {
  const { demo } = platform;
  const file = join(dataDirectory, 'callers.json');
  await writeFile(file, callersFile(caller, demo, await strangersToken(dataDirectory)));
  return readReport(await runSchemathesis({ ...run, demo, callersFile: file, folder: dataDirectory }));
}

/** The token of the owner of another organization, which an operator creates. */
async function strangersToken(dataDirectory: string): Promise<string> {
  const email = 'owner@stranger.example';
  const production = {
    organization: { name: 'Strangers' },
    users: [{ email, firstName: 'Owner', lastName: 'Stranger', role: 'owner' }],
    workspaces: [{ name: 'Elsewhere', type: 'LIVE' }],
  };
  const file = join(dataDirectory, 'strangers.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ environments: { production } }));
  const wrp = (...args: string[]) =>
    promisify(execFile)(process.execPath, [launcher, ...args, '--data-dir', dataDirectory]);
  await wrp('apply', file);
  const { stdout } = await wrp(
    'token',
    'create',
    '--user',
    email,
    '--workspace',
    'Elsewhere',
    '--name',
    'fuzz',
  );
  return stdout.trim();
}

/** A line for each phase, and one for all operations. */
function resultsOf({ name, mayDoEverything }: Caller, reports: PhaseReports, seed: number): TestResult[] {
  const succeeded = new Set(phases.flatMap((phase) => [...reports[phase].succeeded]));
  const reached = (count: number) => `${count} of ${labels.length} operations with 2xx`;
  const missing = labels.filter((label) => !succeeded.has(label));
  const lines = phases.map((phase): TestResult => {
    const { cases, succeeded: inPhase, failures } = reports[phase];
    const tried = `${name}, ${phase}`;
    const repeated = failures.map((failure) => `${failure} (seed ${seed})`);
    return {
      tried,
      times: cases,
      seen: reached(inPhase.size),
      failures: cases === 0 ? ['no case was sent'] : repeated,
    };
  });
  return [
    ...lines,
    {
      tried: `${name}, all phases`,
      times: labels.length,
      seen: reached(succeeded.size),
      failures: mayDoEverything ? missing.map((label) => `no response of ${label} is 2xx`) : [],
    },
  ];
}
