import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { demoPlatform } from '../../support/demo.ts';
import { atEnd } from '../../support/temporary.ts';
import { scaledTimeout } from '../../support/timeout.ts';
import { document, installed, missing } from './generators/generator.ts';
import { goGenerators } from './generators/go.ts';
import { openapiGenerators } from './generators/openapi-generator.ts';
import { pythonGenerators } from './generators/python.ts';
import { typescriptGenerators } from './generators/typescript.ts';

const generators = { ...typescriptGenerators, ...pythonGenerators, ...goGenerators, ...openapiGenerators };
const { baseUrl, variables } = await demoPlatform();
const clients = await mkdtemp(join(tmpdir(), 'wrp-generators-'));
atEnd(() => rm(clients, { recursive: true, force: true }));

test.for(Object.entries(generators).map(([name, generator]) => ({ name, ...generator })))(
  'the client that $name $version generates from a download of the platform compiles, and calls the platform',
  { timeout: scaledTimeout(600_000) },
  async ({ name, ...generator }, { skip }) => {
    const lacking = await missing(generator.needs);
    if (lacking.length > 0) return skip(`there is no ${lacking.join(' and no ')}`);
    const tools = await installed(generator).catch((error) => skip(`could not be installed: ${error}`));
    const directory = join(clients, name);
    const contract = join(directory, document);
    await mkdir(directory);
    const response = await fetch(`${baseUrl}/${document}`);
    await writeFile(contract, await response.text());
    await generator.use({ directory, tools, contract }, variables);
  },
);
