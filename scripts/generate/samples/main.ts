/**
 * Extracts the code samples from the tests that run them, and writes them as an overlay over the contract, which the
 * portal applies. The samples in Python and Go are made from those in cURL: `curl.ts` reads the request, and `python.ts`
 * and `go.ts` write it.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { command, run } from '../../command-line/command.ts';
import { updateGenerated } from '../files.ts';
import { samplesOverlay } from './overlay.ts';
import { readSamples } from './read.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('samples', 'node scripts/generate/samples/main.ts')
  .description(
    'Writes generated/samples.overlay.json: the samples of test/samples/, in cURL and TypeScript, and their equivalents in Python and Go, for each operation.',
  )
  .option('--check', 'write nothing; exit with code 1 if the file does not match the samples')
  .action(async ({ check = false }) => {
    const contract = JSON.parse(await readFile(new URL('generated/openapi.json', root), 'utf8'));
    const samples = await readSamples(fileURLToPath(new URL('test/samples/', root)));
    const text = `${JSON.stringify(samplesOverlay(contract, samples), null, 2)}\n`;
    await updateGenerated(root, { 'samples.overlay.json': text }, check);
  });

await run(cli);
