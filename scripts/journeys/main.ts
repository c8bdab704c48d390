/**
 * Runs the journeys of spec/arazzo/ against a platform, with Redocly Respect. It fetches nothing but from there.
 *
 *   npm run journeys -- --to http://127.0.0.1:8080
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, portOf, runCommand } from '../command-line/run-command.ts';
import { demoInputs, inputsOfMock } from './inputs.ts';
import { readJourneys } from './journeys.ts';
import { startReceiver } from './receiver.ts';
import { report } from './report.ts';
import { runJourneys } from './respect.ts';

const usage = `Usage: npm run journeys [-- options] [journey ...]

Runs the journeys of spec/arazzo/, or those that are named, against a platform that runs. They create, change and end
things there: use an installation that is meant for it. Exit codes: 0 all passed · 1 one failed, or could not run.

  --to <url>         where the platform is; otherwise what demo.json says of production
  --data <file>      tokens and ids, in the form of demo.json; default $DATA_DIR/demo.json, else .data/demo.json
  --sandbox          with the sandbox of that file instead of production
  --stateless        only what needs no state, as against the mock: --to http://127.0.0.1:4010 --stateless
  --receive <port>   take webhooks on 127.0.0.1 while they run; the platform must send them there:
                     DEMO_WEBHOOK_URL=http://127.0.0.1:<port>/ WEBHOOK_ALLOW_PRIVATE=true npm start
  --list             print the journeys and what each needs, run nothing
  --json             print the outcome as JSON
  --verbose          print Respect's own report as well
  -h, --help         print this
`;

await runCommand('journeys', async () => {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      data: { type: 'string' },
      sandbox: { type: 'boolean', default: false },
      stateless: { type: 'boolean', default: false },
      receive: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (options.help) return print(usage);
  const all = await readJourneys();
  const unknown = positionals.find((name) => !all.some(({ workflow }) => workflow === name));
  if (unknown) throw new CommandError(`there is no journey "${unknown}"; --list names them.`);
  const wanted = all.filter(({ workflow }) => positionals.length === 0 || positionals.includes(workflow));
  if (options.list) {
    if (options.json) return print(`${JSON.stringify(wanted, null, 2)}\n`);
    const lines = wanted.map(
      ({ workflow, summary, needs }) => `${workflow}\n  ${summary}\n  ${needs.join(', ')}\n`,
    );
    return print(lines.join('\n'));
  }
  if (options.to !== undefined && !/^https?:$/.test(URL.parse(options.to)?.protocol ?? '')) {
    throw new CommandError(`--to takes an http or https address, not "${options.to}".`);
  }
  const inputs =
    options.stateless && !options.data ? inputsOfMock(await contract()) : await readInputs(options);
  const to = (options.to ?? inputs['baseUrl'] ?? 'http://127.0.0.1:4010').replace(/\/+$/, '');
  await demandAnswer(to);
  const receiver = options.receive
    ? await startReceiver({ port: portOf(options.receive, '--receive'), baseUrl: to })
    : undefined;
  try {
    const given = { ...inputs, baseUrl: to, ...(receiver && { receiverUrl: receiver.url }) };
    const outcome = await runJourneys({
      ...{ journeys: wanted, to, inputs: given, stateless: options.stateless },
      ...(options.verbose && { print: (text: string) => void process.stderr.write(text) }),
    });
    print(
      options.json ? `${JSON.stringify(outcome, null, 2)}\n` : report(outcome, process.stdout.hasColors?.()),
    );
    return outcome.journeys.some(({ result }) => result === 'failed') ? 1 : 0;
  } finally {
    receiver?.close();
  }
});

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** What `demo.json` says, of DATA_DIR as the platform understands it. */
async function readInputs({ data, sandbox }: { data?: string; sandbox: boolean }) {
  const from = process.env['INIT_CWD'] ?? '.';
  const { DATA_DIR } = process.env;
  const directory = DATA_DIR ? resolve(from, DATA_DIR) : resolve(import.meta.dirname, '../../.data');
  const file = data ? resolve(from, data) : resolve(directory, 'demo.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(
      `${file} cannot be read: start the platform once, or name another file with --data.`,
    );
  });
  return demoInputs(text, file, sandbox ? 'sandbox' : 'production');
}

async function contract() {
  return JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));
}

/** Rather one line here than a failure of every journey. */
async function demandAnswer(to: string): Promise<void> {
  await fetch(to, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new CommandError(
      `nothing answers at ${to}: start the platform with npm start, or name it with --to.`,
    );
  });
}
