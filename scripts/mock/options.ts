import { CommandError, listOption, numberOption, urlOption } from '../command-line/command.ts';
import { originIn } from '../command-line/host-names.ts';

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

/** @throws {CommandError} if an option needs `--stateful` */
export function checkStateful(given: {
  stateful?: true | undefined;
  webhookUrl?: URL | undefined;
  allowTarget: string[];
  seed: number;
}): void {
  if (given.stateful) return;
  const fail = (option: string, reason: string) => {
    throw new CommandError(`${option} needs --stateful: without state ${reason}.`);
  };
  if (given.webhookUrl) fail('--webhook-url', 'there are no events');
  if (given.allowTarget.length > 0) fail('--allow-target', 'nothing is called');
  if (given.seed > 0) fail('--seed', 'the data is that of the examples');
}
