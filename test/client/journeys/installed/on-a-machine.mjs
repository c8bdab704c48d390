/** Runs the journey in a runtime with a file system, and prints the outcome as JSON. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createClient, downloadResource, fromPath, saveTo, uploadResource } from '@wrp/client';
import { expected, journey } from './journey.mjs';

const directory = await mkdtemp(join(tmpdir(), 'wrp-journey-'));
try {
  const actual = await journey(process.env);
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL, token: process.env.WRP_TOKEN });
  await writeFile(join(directory, 'report.txt'), 'the report');
  const file = await fromPath(join(directory, 'report.txt'), { type: 'text/plain' });
  const { resourceId } = await uploadResource(client, file);
  await saveTo(join(directory, 'copy.txt'), await downloadResource(client, resourceId));
  const paths = `${await readFile(join(directory, 'copy.txt'), 'utf8')}, ${(await readdir(directory)).length} files`;
  const all = { ...expected, paths: 'the report, 2 files' };
  console.log(JSON.stringify({ actual: { ...actual, paths }, expected: all }));
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exit();
