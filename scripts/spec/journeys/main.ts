/** Runs the journeys of spec/arazzo/ against a platform with Redocly Respect, which sends requests there only. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { dataPlaces } from '../../../server/src/config.ts';
import { demoFilePath } from '../../../server/src/manifest/demo-file.ts';
import { CommandError, command, portOption, run, urlOption } from '../../command-line/command.ts';
import { demoInputs, inputsOfMock } from './inputs.ts';
import { readJourneys } from './journeys.ts';
import { startReceiver } from './receiver.ts';
import { report } from './report.ts';
import { runJourneys } from './respect.ts';

const cli = command('journeys')
  .description(`Runs the journeys of spec/arazzo/, or those that are named, against a running platform. They create, change and
end objects there: use an installation for tests. Exit code 1: a journey failed or could not run.`)
  .argument('[journey...]')
  .addOption(urlOption('--to <url>', "the platform (default: production's URL in demo.json)"))
  .option(
    '--data <file>',
    'tokens and ids, in the form of demo.json (default: $DATA_DIR/demo.json, else .data/demo.json)',
  )
  .option('--sandbox', "use that file's sandbox instead of production")
  .option(
    '--stateless',
    'only journeys that need no state, as for the mock: --to http://127.0.0.1:4010 --stateless',
  )
  .addOption(
    portOption(
      '--receive <port>',
      `receive webhooks on 127.0.0.1 during the run; start the platform with
DEMO_WEBHOOK_URL=http://127.0.0.1:<port>/ WEBHOOK_ALLOW_PRIVATE=http://127.0.0.1:<port>`,
    ),
  )
  .option('--list', 'print the journeys and what each needs; run nothing')
  .option('--json', 'print the outcome as JSON')
  .option('--verbose', "print Respect's own report as well")
  .action(async (names, options) => {
    const { stateless = false, receive, json, verbose } = options;
    const all = await readJourneys();
    const unknown = names.find((name) => !all.some(({ workflow }) => workflow === name));
    if (unknown) throw new CommandError(`there is no journey "${unknown}"; --list prints them.`);
    const journeys = all.filter(({ workflow }) => names.length === 0 || names.includes(workflow));
    if (options.list) {
      const lines = journeys.map(
        ({ workflow, summary, needs }) => `${workflow}\n  ${summary}\n  ${needs.join(', ')}\n`,
      );
      process.stdout.write(json ? `${JSON.stringify(journeys, null, 2)}\n` : lines.join('\n'));
      return;
    }
    const inputs = stateless && !options.data ? inputsOfMock(await contract()) : await readInputs(options);
    const to = (options.to?.href ?? inputs['baseUrl'] ?? 'http://127.0.0.1:4010').replace(/\/+$/, '');
    await requirePlatform(to);
    const receiver = receive === undefined ? undefined : await startReceiver({ port: receive, baseUrl: to });
    try {
      const outcome = await runJourneys({
        journeys,
        to,
        inputs: { ...inputs, baseUrl: to, ...(receiver && { receiverUrl: receiver.url }) },
        stateless,
        ...(verbose && { print: (text: string) => void process.stderr.write(text) }),
      });
      const text = json
        ? `${JSON.stringify(outcome, null, 2)}\n`
        : report(outcome, process.stdout.hasColors?.());
      process.stdout.write(text);
      if (outcome.journeys.some(({ result }) => result === 'failed')) process.exitCode = 1;
    } finally {
      receiver?.close();
    }
  });

await run(cli);

/** Reads demo.json, in DATA_DIR as the platform resolves it. */
async function readInputs({ data, sandbox = false }: { data?: string; sandbox?: boolean }) {
  const file = data
    ? resolve(process.env['INIT_CWD'] ?? '.', data)
    : demoFilePath(dataPlaces(process.env).dataDirectory);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`${file} cannot be read: start the platform once, or set --data.`);
  });
  return demoInputs(text, file, sandbox ? 'sandbox' : 'production');
}

async function contract() {
  return JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
}

/** Fails early, instead of once for each journey. */
async function requirePlatform(to: string): Promise<void> {
  await fetch(to, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new CommandError(`no response from ${to}: start the platform with npm start, or set --to.`);
  });
}
