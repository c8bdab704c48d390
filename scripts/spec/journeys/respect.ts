import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../command-line/command.ts';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import type { Inputs } from './inputs.ts';
import { type Journey, journeysFolder, readJourneys } from './journeys.ts';

export interface Outcome {
  to: string;
  journeys: JourneyOutcome[];
}

export interface JourneyOutcome extends Journey {
  result: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  because?: string;
  milliseconds: number;
  /** The number of steps that ran. */
  steps: number;
  /** Such as `step read: GET … returned 401; not met: $statusCode == 200`. */
  errors: string[];
}

const cli = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/**
 * Runs the journeys with Redocly Respect: requests go to `to`, and each response is checked against the contract.
 *
 * @param print called with Respect's own report
 * @throws {CommandError} if Respect could not run them
 */
export async function runJourneys({
  journeys,
  to,
  inputs,
  stateless = false,
  print,
}: {
  journeys: Journey[];
  to: string;
  inputs: Inputs;
  /** Skips what needs more than a mock. */
  stateless?: boolean;
  print?: (text: string) => void;
}): Promise<Outcome> {
  const reasons = new Map(journeys.map((journey) => [journey, reasonToSkip(journey, inputs, stateless)]));
  const chosen = journeys.filter((journey) => reasons.get(journey) === undefined);
  const executed = chosen.length > 0 ? await respect(chosen, to, inputs, print) : new Map();
  return {
    to,
    journeys: journeys.map((journey) => {
      const because = reasons.get(journey);
      if (because !== undefined) {
        return { ...journey, result: 'skipped', because, milliseconds: 0, steps: 0, errors: [] };
      }
      return { ...journey, ...outcomeOf(executed.get(journey.workflow)) };
    }),
  };
}

function reasonToSkip({ needs, stateless: isStateless }: Journey, inputs: Inputs, stateless: boolean) {
  if (stateless && !isStateless) return 'needs a platform that keeps state';
  const missing = needs.filter((name) => inputs[name] === undefined);
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined;
}

/** The parts of Respect's JSON output that are used here. */
interface Executed {
  workflowId: string;
  totalTimeMs: number;
  executedSteps: ExecutedStep[];
}
interface ExecutedStep extends Partial<Executed> {
  stepId?: string;
  request?: { method: string; url: string };
  response?: { statusCode: number; headers?: Record<string, string> };
  checks?: { name: string; passed: boolean; message: string; severity: string; condition?: string }[];
  retriesLeft?: number;
}

async function respect(
  chosen: Journey[],
  to: string,
  inputs: Inputs,
  print?: (text: string) => void,
): Promise<Map<string, Executed>> {
  await using directory = await temporaryDirectory('journeys');
  const output = join(directory.path, 'respect.json');
  const files = [...new Set(chosen.map(({ file }) => file))];
  // Respect runs every workflow of a file that is not skipped.
  const others = (await readJourneys()).filter(
    ({ workflow }) => !chosen.some((one) => one.workflow === workflow),
  );
  const skipped = others.flatMap(({ workflow }) => ['--skip', workflow]);
  const settings = ['--server', `platform=${to}`, '--json-output', output, '--execution-timeout', '300000'];
  const { text, failure } = await run([...files, ...skipped, ...settings], inputs);
  print?.(text);
  const json = await readFile(output, 'utf8').catch(() => {
    throw new CommandError(`Respect could not run the journeys: ${(failure || text).trim().split('\n')[0]}`);
  });
  const report: { files: Record<string, { executedWorkflows: Executed[] }> } = JSON.parse(json);
  const executed = Object.values(report.files).flatMap(({ executedWorkflows }) => executedWorkflows);
  return new Map(executed.map((workflow) => [workflow.workflowId, workflow]));
}

function run(args: string[], inputs: Inputs): Promise<{ text: string; failure: string }> {
  return new Promise((resolve) => {
    const options = {
      cwd: journeysFolder,
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        // Other users of the machine can see a process's arguments.
        REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      },
      maxBuffer: 256 << 20,
    };
    execFile(process.execPath, [cli, 'respect', ...args], options, (_error, stdout, stderr) =>
      resolve({ text: stdout, failure: stderr }),
    );
  });
}

function outcomeOf(executed: Executed | undefined): Omit<JourneyOutcome, keyof Journey> {
  if (!executed) return { result: 'failed', milliseconds: 0, steps: 0, errors: ['Respect did not run it'] };
  const steps = flattened(executed.executedSteps);
  const errors = steps.flatMap((step) => errorOf(step) ?? []);
  const result = errors.length > 0 ? 'failed' : 'passed';
  return { result, milliseconds: Math.round(executed.totalTimeMs), steps: steps.length, errors };
}

/** A step can itself be a workflow. */
function flattened(steps: ExecutedStep[]): ExecutedStep[] {
  return steps.flatMap((step) => (step.executedSteps ? flattened(step.executedSteps) : [step]));
}

const firstLine = (text: string) => text.trim().split('\n')[0] ?? '';

/** What a step expected, and what it got; undefined if it passed. */
function errorOf({ stepId, request, response, checks = [], retriesLeft }: ExecutedStep): string | undefined {
  const failed = checks.filter(({ passed, severity }) => !passed && severity === 'error');
  // A step that will be retried has not failed yet.
  if (failed.length === 0 || retriesLeft) return undefined;
  const criteria = failed.flatMap(({ condition }) => condition ?? []);
  const others = failed.map(({ name, message }) => `${name}: ${firstLine(message)}`);
  const requestId = response?.headers?.['request-id'];
  const named = requestId ? ` (Request-Id ${requestId})` : '';
  const where = response?.statusCode
    ? `${request?.method.toUpperCase()} ${request?.url} returned ${response.statusCode}${named}; `
    : '';
  return `step ${stepId}: ${where}${criteria.length > 0 ? `not met: ${criteria.join(', ')}` : others.join(', ')}`;
}
