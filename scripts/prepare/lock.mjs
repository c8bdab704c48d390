/** One preparation at a time: two `npm ci` in one directory would pull it from under each other. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Failure } from './run.mjs';

const directory = new URL('../../.cache/', import.meta.url);
const lock = fileURLToPath(new URL('prepare.lock', directory));
const longestStep = 15 * 60_000;
const lineEvery = 5_000;
const pollEvery = 200;

/** Runs `work` while no other process does, and waits for it before. */
export async function withLock(work) {
  await acquire();
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire() {
  let nextLine = 2_000;
  for (let waited = 0; !tryLock(); waited += pollEvery) {
    const holder = readHolder();
    if (holder !== undefined && !isAlive(holder)) takeAway(holder);
    if (waited >= nextLine) {
      process.stderr.write(`Waiting for process ${holder}, which is preparing this directory …\n`);
      nextLine += lineEvery;
    }
    await new Promise((resolve) => setTimeout(resolve, pollEvery));
  }
}

function tryLock() {
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Failure(`${fileURLToPath(directory)} cannot be written (${error.code})`);
  }
}

function readHolder() {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A process identifier may have been given anew since, so a very old lock counts as left behind. */
function isAlive(holder) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > longestStep) return false;
    // An empty file is a lock whose holder is just about to write its identifier.
    return holder === 0 || process.kill(holder, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Renames before it removes: of two processes that find the same dead holder, one gets the file. */
function takeAway(holder) {
  const taken = `${lock}.${process.pid}`;
  try {
    renameSync(lock, taken);
    if (Number(readFileSync(taken, 'utf8')) === holder) rmSync(taken, { force: true });
    else renameSync(taken, lock);
  } catch {
    // Another process was faster.
  }
}
