/** Generates clients from the contract with the generators of others, compiles them, and calls a platform with them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, run } from '../../../scripts/command-line/command.ts';
import { type Generator, installed, missing } from './generators/generator.ts';
import { goGenerators } from './generators/go.ts';
import { openapiGenerators } from './generators/openapi-generator.ts';
import { pythonGenerators } from './generators/python.ts';
import { typescriptGenerators } from './generators/typescript.ts';
import { errorLine, namesIn, type Place, runTrials, type TrialResult } from './trials.ts';

const generators: Record<string, Generator> = {
  ...typescriptGenerators,
  ...pythonGenerators,
  ...goGenerators,
  ...openapiGenerators,
};

async function tryGenerator(name: string, generator: Generator, place: Place): Promise<TrialResult> {
  const { version, document, needs } = generator;
  const directory = join(place.directory, name);
  const contract = join(directory, document);
  const lacking = await missing(needs);
  if (lacking.length > 0) return { outcome: 'skipped', detail: `there is no ${lacking.join(' and no ')}` };
  let tools: string;
  try {
    tools = await installed(generator);
  } catch (error) {
    return { outcome: 'not installed', detail: errorLine(error) };
  }
  try {
    await mkdir(directory, { recursive: true });
    const response = await fetch(`${place.variables['BASE_URL']}/${document}`);
    await writeFile(contract, await response.text());
    await generator.use({ directory, tools, contract }, place.variables);
    return { outcome: 'passed', detail: version };
  } catch (error) {
    return { outcome: 'failed', detail: `${version}: ${errorLine(error)}` };
  }
}

const names = Object.keys(generators);

const cli = command('client:generators')
  .description(`Generates clients from the downloads of a platform of its own, with each generator that can be installed here,
compiles them, and calls the platform with them. Prints one line for each. Exit code 1: one of them failed.`)
  .option('--only <names>', `only these, comma-separated: ${names.join(', ')}`, namesIn(names))
  .option('--json', 'print [{name, outcome, detail}]')
  .action(async ({ only = names, json = false }) => {
    const trials = Object.entries(generators).map(
      ([name, generator]) => [name, (place: Place) => tryGenerator(name, generator, place)] as const,
    );
    await runTrials(Object.fromEntries(trials), { only, json });
  });

await run(cli);
