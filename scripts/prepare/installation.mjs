/** Compares node_modules with package-lock.json by npm's own records. */
import { existsSync, readFileSync } from 'node:fs';
import { Failure } from './step.mjs';

const root = new URL('../../', import.meta.url);
const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies'];

/**
 * @returns {{state: 'complete' | 'absent' | 'outdated' | 'unlocked', reason: string}} `unlocked`: a package.json
 *   requires something that package-lock.json lacks.
 */
export function installation() {
  const lock = readJson('package-lock.json');
  if (!lock) return { state: 'unlocked', reason: 'package-lock.json is missing' };
  const changed = changedManifest(lock);
  if (changed) return { state: 'unlocked', reason: `${changed} has changed` };
  // npm writes this file last: after an interrupted installation it is missing.
  const installed = readJson('node_modules/.package-lock.json');
  if (!installed) return { state: 'absent', reason: 'nothing is installed yet' };
  const name = missingPackage(lock, installed);
  if (name) return { state: 'outdated', reason: `${name} is not as package-lock.json names it` };
  return { state: 'complete', reason: '' };
}

/** @returns {boolean} Whether the generator's packages are installed; production may omit them. */
export function hasGenerator() {
  return ['openapi-typescript', '@redocly/cli'].every((name) =>
    existsSync(new URL(`node_modules/${name}/package.json`, root)),
  );
}

function changedManifest(lock) {
  const locked = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules'));
  for (const [path, entry] of locked) {
    const file = path === '' ? 'package.json' : `${path}/package.json`;
    const manifest = readJson(file);
    if (!manifest) throw new Failure(`${file} is missing`);
    const differs = (field) => !sameEntries(manifest[field] ?? {}, entry[field] ?? {});
    if (dependencyFields.some(differs)) return file;
  }
  return undefined;
}

function missingPackage(lock, installed) {
  const entries = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));
  const missing = entries.find(([path, wanted]) => {
    if ((wanted.dev || wanted.devOptional) && omitsDevelopment()) return false;
    if ((wanted.optional || wanted.devOptional) && !isForThisSystem(wanted)) return false;
    const found = installed.packages[path];
    if (!found) return true;
    return wanted.link ? !found.link : found.version !== wanted.version;
  });
  // The directories may have been removed after npm wrote its record.
  const removed = missing ?? entries.find(([path, { link }]) => link && !existsSync(new URL(path, root)));
  return removed?.[0].replace(/^.*node_modules\//, '');
}

/** Of the optional packages, only those with programs for this system are required. */
function isForThisSystem({ os, cpu, libc }) {
  if (!os || !cpu || libc?.includes('musl')) return false;
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
}

function omitsDevelopment() {
  const omitted = process.env['npm_config_omit'] ?? '';
  return process.env['NODE_ENV'] === 'production' || omitted.split(/\s+/).includes('dev');
}

function sameEntries(left, right) {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

function readJson(path) {
  let text;
  try {
    text = readFileSync(new URL(path, root), 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${path} is not well-formed JSON`);
  }
}
