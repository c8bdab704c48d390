/**
 * Takes the code samples out of the tests that prove them, and writes them as an overlay over the contract, which the
 * portal applies.
 *
 *   node scripts/generate/samples/main.ts           writes generated/samples.overlay.json where it is stale
 *   node scripts/generate/samples/main.ts --check   changes nothing; exit code 1 where it is stale
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../../command-line/run-command.ts';
import { samplesOverlay } from './overlay.ts';
import { readSamples } from './read.ts';

const usage = `Usage: node scripts/generate/samples/main.ts [--check]

Writes generated/samples.overlay.json: the samples of test/samples/, in cURL and TypeScript, for each operation.

  --check     write nothing; exit with 1 when the file does not match the samples
  -h, --help  print this
`;
const name = 'generated/samples.overlay.json';
const root = new URL('../../../', import.meta.url);

await runCommand('samples', async () => {
  const { values: options } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const contract = JSON.parse(await readFile(new URL('generated/openapi.json', root), 'utf8'));
  const samples = await readSamples(fileURLToPath(new URL('test/samples/', root)));
  const text = `${JSON.stringify(samplesOverlay(contract, samples), null, 2)}\n`;
  const file = new URL(name, root);
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) {
    console.log(`${name} is up to date.`);
    return 0;
  }
  if (options.check) {
    console.error(
      `samples: ${name} is stale; run \`node scripts/generate/samples/main.ts\` and commit what it writes.`,
    );
    return 1;
  }
  const draft = new URL(`${file.href}.${process.pid}`);
  await writeFile(draft, text);
  await rename(draft, file);
  console.log(`Wrote ${name}.`);
  return 0;
});
