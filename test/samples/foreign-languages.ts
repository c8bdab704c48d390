import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { derivedSamples } from '../../scripts/generate/samples/overlay.ts';
import { readSamples } from '../../scripts/generate/samples/read.ts';
import { routesOf } from '../../server/contract/index.ts';
import { go, python } from '../support/foreign-toolchains.ts';
import { atEnd } from '../support/temporary.ts';
import type { SampleLanguage } from './stage.ts';

const execute = promisify(execFile);

/** The Python samples. */
export async function pythonSamples(): Promise<SampleLanguage> {
  const samples = await samplesIn('Python');
  const directory = await temporaryDirectory();
  const fileOf = (operationId: string) => join(directory, `${operationId}.py`);
  await Promise.all(Object.entries(samples).map(([id, code]) => writeFile(fileOf(id), code)));
  return { language: 'Python', commandOf: (operationId) => [python ?? 'python3', fileOf(operationId)] };
}

/** The Go samples, compiled as one program: to link 32 takes a minute. @throws if gofmt or vet reports something */
export async function goSamples(): Promise<SampleLanguage> {
  const samples = await samplesIn('Go');
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'go.mod'), 'module samples\n\ngo 1.25\n');
  for (const [id, code] of Object.entries(samples)) {
    await mkdir(join(directory, id));
    const imported = code.replace('package main', `package ${id}`).replace('func main()', 'func Main()');
    await writeFile(join(directory, id, 'sample.go'), `${imported}\n`);
  }
  const ids = Object.keys(samples);
  await writeFile(
    join(directory, 'main.go'),
    `package main

import (
	"os"

${ids.map((id) => `\t"samples/${id}"\n`).join('')})

func main() {
	map[string]func(){
${ids.map((id) => `\t\t"${id}": ${id}.Main,\n`).join('')}	}[os.Args[1]]()
}
`,
  );
  const run = (program: string, args: string[]) =>
    execute(program, args, { cwd: directory, timeout: 300_000 });
  const { stdout: unformatted } = await run(join(go ?? '', '../gofmt'), ['-d', ...ids]);
  if (unformatted) throw new Error(`gofmt formats these samples otherwise:\n${unformatted}`);
  await run(go ?? 'go', ['vet', './...']);
  await run(go ?? 'go', ['build', '-o', 'samples', '.']);
  return { language: 'Go', commandOf: (operationId) => [join(directory, 'samples'), operationId] };
}

/** Returns the samples of the operations. */
async function samplesIn(language: string): Promise<Record<string, string>> {
  const { shell } = await readSamples(import.meta.dirname);
  const samples = routesOf(contract as unknown as Contract).map(({ operation }) => {
    const derived = derivedSamples(operation, shell[operation.operationId] ?? '');
    return [operation.operationId, derived.find(({ label }) => label === language)?.source ?? ''];
  });
  return Object.fromEntries(samples);
}

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-samples-'));
  atEnd(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
