import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Contract } from '../../contract/source.ts';

export const releases = new URL('../../../spec/releases/', import.meta.url);

const datesName = 'dates.json';
const fileName = /^(\d+)\.(\d+)\.(\d+)\.json$/;

/** @returns The released contract with the highest version, if there is one. */
export async function lastRelease(
  directory = releases,
): Promise<{ version: string; contract: Contract } | undefined> {
  const version = (await releaseVersions(directory)).at(-1);
  return version ? { version, contract: await releasedContract(version, directory) } : undefined;
}

/** The versions of the released contracts, the lowest first. */
export async function releaseVersions(directory = releases): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => fileName.test(name))
    .map((name) => name.slice(0, -'.json'.length))
    .sort(compareVersions);
}

export async function releasedContract(version: string, directory = releases): Promise<Contract> {
  return JSON.parse(await readFile(new URL(`${version}.json`, directory), 'utf8'));
}

/** Stores a contract as a release. @throws if its version is already released with other content */
export async function release(contract: Contract, directory = releases, now = new Date()): Promise<string> {
  const version = String(contract.info['version']);
  const name = `${version}.json`;
  if (!fileName.test(name)) throw new Error(`info.version is "${version}", not a version such as 3.1.0.`);
  const text = `${JSON.stringify(contract, null, 2)}\n`;
  const file = new URL(name, directory);
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing !== undefined && existing !== text) {
    throw new Error(`${version} is released already; raise info.version in spec/openapi.yaml.`);
  }
  await mkdir(directory, { recursive: true });
  await writeFile(file, text);
  const dates = { [version]: now.toISOString().slice(0, 10), ...(await releaseDates(directory)) };
  await writeFile(new URL(datesName, directory), `${JSON.stringify(dates, null, 2)}\n`);
  return version;
}

/** The days on which versions were released, as `2026-11-21`. */
export async function releaseDates(directory = releases): Promise<Record<string, string>> {
  const text = await readFile(new URL(datesName, directory), 'utf8').catch(() => '{}');
  return JSON.parse(text);
}

/** Negative if `left` is the lower version. */
export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
