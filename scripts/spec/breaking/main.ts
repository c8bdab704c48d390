/**
 * Compares the contract with the last released one: within a major version, nothing may break a client.
 *
 *   npm run spec:breaking                exit code 1 where something breaks
 *   npm run spec:breaking -- --release   keeps the contract as released under its info.version
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runCommand } from '../../command-line/run-command.ts';
import type { Contract } from '../../contract/source.ts';
import type { Redocly } from '../../redocly/redocly.ts';
import type { Break } from './break.ts';
import { ownRules } from './own-rules.ts';
import { redoclyDiff } from './redocly-diff.ts';
import { lastRelease, release } from './releases.ts';

const usage = `Usage: npm run spec:breaking [-- --json | --release]

Compares generated/openapi.json with the highest version in spec/releases/.

  --json     print what breaks as JSON
  --release  check, then keep the contract as spec/releases/<info.version>.json

Exit codes: 0 nothing breaks · 1 something does, or the comparison failed
`;

/**
 * Everything that can break a client of `released` against `current`.
 * @param redocly one that is open already; without it, one is opened and closed
 */
export async function breaksBetween(
  released: Contract,
  current: Contract,
  redocly?: Redocly,
): Promise<Break[]> {
  const found = [...(await redoclyDiff(released, current, redocly)), ...ownRules(released, current)];
  const seen = new Set<string>();
  return found.filter((one) => {
    const key = JSON.stringify(one);
    return !seen.has(key) && seen.add(key);
  });
}

if (import.meta.main) await runCommand('breaking', main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const current = await readContract();
  const last = await lastRelease();
  const breaks =
    last && !isNextMajor(last.version, current) ? await breaksBetween(last.contract, current) : [];
  report(breaks, last?.version, values.json);
  if (breaks.length > 0) return 1;
  if (values.release) console.error(`Released as ${await release(current)}.`);
  return 0;
}

async function readContract(): Promise<Contract> {
  const text = await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8').catch(
    () => {
      throw new Error('generated/openapi.json is missing; run `npm run generate`.');
    },
  );
  return JSON.parse(text);
}

/** A new major version may break clients; it would live beside the old one. */
export function isNextMajor(released: string, { info }: Contract): boolean {
  return Number.parseInt(String(info['version']), 10) > Number.parseInt(released, 10);
}

function report(breaks: Break[], version: string | undefined, asJson: boolean): void {
  if (asJson) console.log(JSON.stringify({ released: version ?? null, breaks }, null, 2));
  else if (!version) console.log('There is no released contract in spec/releases/ to compare with.');
  else if (breaks.length === 0) console.log(`Nothing breaks a client of ${version}.`);
  else {
    for (const { rule, where, message } of breaks) console.log(`${where}\n  ${message} (${rule})`);
    console.log(
      `\n${breaks.length} ${breaks.length === 1 ? 'change breaks' : 'changes break'} clients of ${version}.`,
    );
  }
}
