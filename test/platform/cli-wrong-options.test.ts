import type { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../server/src/cli/program.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { runWrp } from '../support/wrp.ts';

const { connectionString } = await cloneDatabase();
const id = '6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01';

/** Options that have no effect together, and the message. */
const together: [line: string, message: RegExp][] = [
  ['audit list --all --limit 3', /'--all' cannot be used with option '--limit <n>'/],
  ['blobs sweep --dry-run --confirm', /'--dry-run' cannot be used with option '--confirm'/],
  ['definition check a.json --sarif --json', /'--json' cannot be used with option '--sarif'/],
  [
    'definition convert a.json --output b --write',
    /'-o, --output <file>' cannot be used with option '--write'/,
  ],
  ['definition convert - --write', /--write replaces a file/],
  [
    'definition test a.json --case b --input {}',
    /'--case <name>' cannot be used with option '--input <json>'/,
  ],
  ['definition test a.json --json --verbose', /'--json' cannot be used with option '--verbose'/],
  ['definition test a.json --json --full', /'--json' cannot be used with option '--full'/],
  ['definition test a.json --variables {}', /only for --state with --input/],
  [`execution show ${id} --json --open`, /'--json' cannot be used with option '--open'/],
  [`execution show ${id} --json --output a`, /'--json' cannot be used with option '--output <file>'/],
  [`execution show ${id} --full --open`, /'--full' cannot be used with option '--open'/],
  [`execution show ${id} --full --output a`, /'--full' cannot be used with option '--output <file>'/],
  [
    'execution list --limit 3 --group-by error',
    /'--limit <n>' cannot be used with option '--group-by <what>'/,
  ],
  ['execution list --inputs --group-by error', /'--inputs' cannot be used with option '--group-by <what>'/],
  ['execution list --group-by error --status RUNNING', /--group-by counts executions with status FAILED/],
  [`execution retry ${id} --rate 3`, /--rate is for executions that options select/],
  [`execution cancel ${id} --rate 3`, /--rate is for executions that options select/],
  [`execution retry ${id} --dry-run`, /--dry-run is for executions that options select/],
  [`execution retry ${id} --status FAILED`, /or select some, not both/],
  ['schedule next --cron 0_2_*_*_* --workspace a', /'--workspace' cannot be used with option '--cron'/],
  ['schedule next --cron 0_2_*_*_* -e sandbox', /'--environment' cannot be used with option '--cron'/],
  ['schedule next a --time-zone UTC', /--time-zone belongs to --cron/],
  ['schedule next a --cron 0_2_*_*_*', /name a schedule, or a cron expression/],
  [
    'webhook listen --to http://a --resend b --since 1h',
    /'--resend <event>' cannot be used with option '--since/,
  ],
  [`webhook redeliver ${id} --endpoint ${id}`, /name deliveries, or an endpoint/],
  ['console --json', /'--json' cannot be used with 'console'/],
  ['serve --json', /'--json' cannot be used with 'serve'/],
  ['work --json', /'--json' cannot be used with 'work'/],
];

/** Options and arguments that are missing or not valid, and the message. */
const invalid: [line: string, message: RegExp][] = [
  ['execution retry', /Name an execution, or select some/],
  ['execution cancel', /Name an execution, or select some/],
  ['execution retry --status COMPLETED', /Only executions with status FAILED can be retried/],
  ['execution cancel --status FAILED', /Only executions with status RUNNING can be cancelled/],
  ['execution retry --status FAILED --input -', /--input is for one execution/],
  ['execution retry --status FAILED --rate 0', /It must be a number above 0/],
  ['execution list --revision 1', /--revision needs --definition/],
  ['execution cancel --revision 1', /--revision needs --definition/],
  ['execution list --after x', /--after is not a cursor of this list/],
  ['execution list --record x', /It must be a UUID/],
  ['schedule next --cron often', /--cron /],
  ['schedule next --cron 0_2_*_*_* --time-zone Moon', /--time-zone must be a name of/],
  ['schedule next', /name a schedule, or a cron expression/],
  ['token create --user a --workspace b --name _', /It must have 1 to 200 characters/],
  ['definition pause a --reason _', /It must have 1 to 200 characters/],
  [`webhook test ${id} --type moon.rose`, /moon\.rose is not an event type/],
  ['webhook deliveries --type moon.rose', /moon\.rose is not an event type/],
];

describe('wrp exits with 2 and one line, and prints nothing else', () => {
  test.each([...together, ...invalid])('%s', async (line, message) => {
    const words = line.split(' ').map((word) => word.replaceAll('_', ' '));
    const ended = await runWrp(words, { env: { DATABASE_URL: connectionString } });
    expect([ended.status, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.replace('(add --help for usage)\n', '')).toMatch(/^[^\n]+\n$/);
  });
});

const leavesOf = (command: Command, words: string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[words.join(' '), command]]
    : command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));

test('every pair of options that the commands declare to be exclusive is in the table', () => {
  const conflictsOf = (option: Option) => (option as unknown as { conflictsWith: string[] }).conflictsWith;
  const missing = leavesOf(createProgram()).flatMap(([name, command]) =>
    command.options.flatMap((option) =>
      conflictsOf(option).flatMap((attribute) => {
        const other = command.options.find((each) => each.attributeName() === attribute);
        const flags = [option.long, other?.long ?? `(no option ${attribute})`] as string[];
        const isTested = ([line]: [string, RegExp]) =>
          line.startsWith(`${name} `) && flags.every((flag) => line.includes(flag));
        return together.some(isTested) ? [] : [`${name} ${flags.join(' ')}`];
      }),
    ),
  );
  expect(missing).toEqual([]);
});
