import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { demoInputs } from '../../scripts/spec/journeys/inputs.ts';
import { readJourneys } from '../../scripts/spec/journeys/journeys.ts';
import { startReceiver } from '../../scripts/spec/journeys/receiver.ts';
import { runJourneys } from '../../scripts/spec/journeys/respect.ts';
import { dataPlaces } from '../../server/src/config.ts';
import { registerDemoWebhook } from '../../server/src/manifest/demo.ts';
import { demoFilePath } from '../../server/src/manifest/demo-file.ts';
import { demoPlatform } from '../support/demo.ts';
import { forgedWebhooks } from '../support/forged-webhooks.ts';
import { capturedMessage } from '../support/snippets/captured-message.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const command = (...args: string[]) =>
  run(process.execPath, [join(root, 'scripts/spec/journeys/main.ts'), ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

const journeys = await readJourneys();
/** Journeys that run only as steps of another one, which provides their inputs. */
const insideOthers = ['fetch-a-key'];

test('lint finds nothing in the descriptions of the journeys', async () => {
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const folder = join(root, 'spec/arazzo');
  const files = [...new Set(journeys.map(({ file }) => join(folder, file)))];
  const settings = ['--config', join(folder, 'redocly.yaml'), '--format', 'github-actions'];
  const { stdout } = await run(process.execPath, [cli, 'lint', ...settings, ...files]).catch(
    (error) => error,
  );
  expect(stdout.trim()).toBe('');
});

test('every main journey has a description', () => {
  expect([...new Set(journeys.map(({ file }) => file))]).toEqual([
    'exchange-and-refresh.yaml',
    'run-a-workflow.yaml',
    'send-a-link.yaml',
    'terminate-and-reinstate.yaml',
    'upload-and-attach.yaml',
    'verify-a-webhook.yaml',
  ]);
});

test('without options, the command reads the demo file where the platform writes it', async () => {
  const nowhere = join(temporaryRoot(), 'no-data');
  const { code, stderr } = await run(process.execPath, [join(root, 'scripts/spec/journeys/main.ts')], {
    env: { ...process.env, DATA_DIR: nowhere },
  }).catch((error) => error);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${demoFilePath(nowhere)} cannot be read`)]);
  // Its default is that of the platform's settings, in the root of the project.
  expect(dataPlaces({}).dataDirectory).toBe(join(root, '.data'));
});

// The mock: journeys.slow.test.ts.
describe('the platform', () => {
  test(
    'runs every journey',
    async () => {
      const { baseUrl, dataDirectory, database, demo } = await demoPlatform();
      const receiver = await startReceiver({ port: 0, baseUrl });
      atEnd(receiver.close);
      await registerDemoWebhook(database, receiver.webhookUrl);
      const file = join(dataDirectory, 'demo.json');
      const inputs = demoInputs(JSON.stringify({ production: demo }), file, 'production');
      const outcome = await runJourneys({
        journeys,
        to: baseUrl,
        inputs: { ...inputs, receiverUrl: receiver.url },
      });
      expect(outcome.journeys.flatMap(({ errors }) => errors)).toEqual([]);
      const notRun = outcome.journeys.filter(({ result }) => result !== 'passed');
      expect(notRun.map(({ workflow }) => workflow)).toEqual(insideOthers);
    },
    scaledTimeout(120_000),
  );

  test('signs webhooks that the receiver of the journeys accepts, which refuses what is forged', async () => {
    const platform = await demoPlatform();
    const receiver = await startReceiver({ port: 0, baseUrl: platform.baseUrl });
    atEnd(receiver.close);
    const { headers, body: genuine } = await capturedMessage(platform);
    const signed = headers['webhook-signature'] as string;
    const send = async (signature: string | undefined, body: string) => {
      const sent = signature === undefined ? {} : { 'Webhook-Signature': signature };
      return (await fetch(receiver.webhookUrl, { method: 'POST', headers: sent, body })).status;
    };
    expect(await send(signed, genuine)).toBe(204);
    for (const { what, signature, body } of forgedWebhooks({ signature: signed, body: genuine }))
      expect([what, await send(signature, body)]).toEqual([what, 400]);
  });
});

describe('npm run journeys', () => {
  test.each([
    [['--tow', 'x'], /^journeys: unknown option '--tow'\. .*See --help\.\n$/],
    [
      ['--stateless', '--to', 'http://127.0.0.1:1'],
      /^journeys: no response from http:\/\/127\.0\.0\.1:1: start .+\n$/,
    ],
  ])('%j fails with one line', async (args, line) => {
    const { code, stdout, stderr } = await command(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toEqual(expect.stringMatching(line));
  });
});
