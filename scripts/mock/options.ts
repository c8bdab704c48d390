import { originIn } from '../../server/http-server/index.ts';
import { CommandError, listOption, numberOption, urlOption } from '../command-line/command.ts';

/** A workspace has at most 10,000 memberships; every second user gets one. */
const mostSeeded = 10_000;

export const statefulFlag = [
  '--stateful',
  'keep what is written; workflows run, links work once, webhooks are sent',
] as const;

export const webhookUrlOption = () =>
  urlOption('--webhook-url <url>', 'with --stateful: send every event to this URL');

export const allowTargetOption = () =>
  listOption(
    '--allow-target <url>',
    'with --stateful: webhooks and workflows may call this origin if its address is not public; repeatable',
    (text) => (/^https?:/i.test(text) ? originIn(text) : undefined),
    'an origin such as http://localhost:3000',
  );

export const seedOption = () =>
  numberOption(
    '--seed <count>',
    "with --stateful: add so many users, records and executions to the demo's",
    mostSeeded,
    0,
  );

/** The option that needs a mock with state, by its name in code, and why; undefined if there is none. */
export function statefulProblem(given: {
  webhookUrl?: unknown;
  allowTarget: readonly unknown[];
  seed: number;
}): { option: string; reason: string } | undefined {
  if (given.webhookUrl) return { option: 'webhookUrl', reason: 'there are no events' };
  if (given.allowTarget.length > 0) return { option: 'allowTarget', reason: 'nothing is called' };
  if (given.seed > 0) return { option: 'seed', reason: 'the data is that of the examples' };
  return undefined;
}

/** @throws {CommandError} if an option needs `--stateful` */
export function checkStateful({
  stateful,
  ...given
}: { stateful?: true | undefined } & Parameters<typeof statefulProblem>[0]): void {
  const problem = stateful ? undefined : statefulProblem(given);
  if (!problem) return;
  const option = problem.option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CommandError(`--${option} needs --stateful: without state ${problem.reason}.`);
}
