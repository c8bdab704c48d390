/**
 * A lock between processes: a file with the process id of its holder. A kernel lock would be safer, but Node 20, which
 * this also runs on, has no API for one.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const pollMilliseconds = 200;
/** How long a process may take to write its id into the file that it has created. */
const writeMilliseconds = 2_000;

/**
 * Runs `work` while this process holds the lock. As long as its event loop runs, it renews the time of the file.
 *
 * @template Result
 * @param {string} lock path of the file; its directory is created
 * @param {() => Promise<Result>} work
 * @param {object} [options]
 * @param {number} [options.longest] milliseconds without renewal after which a lock is stale even if its process id is in use
 * @param {(holder: number | undefined, waited: number) => void} [options.onWait] called at every attempt that fails
 * @returns {Promise<Result>}
 * @throws the error of the file system if the file cannot be created
 */
export async function withLock(lock, work, { longest = 15 * 60_000, onWait = () => {} } = {}) {
  for (let waited = 0; !tryLock(lock); waited += pollMilliseconds) {
    const holder = readHolder(lock);
    if (holder !== undefined && !isAlive(lock, holder, longest)) removeStale(lock, holder);
    onWait(holder, waited);
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  const renewal = setInterval(() => renew(lock), longest / 4).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    process.off('exit', release);
    release();
  }
}

function tryLock(lock) {
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function renew(lock) {
  try {
    const now = new Date();
    utimesSync(lock, now, now);
  } catch {
    // Another process took it for stale and has removed it.
  }
}

function readHolder(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(lock, holder, longest) {
  try {
    const age = Date.now() - statSync(lock).mtimeMs;
    // The process id may belong to another process by now.
    if (age > longest) return false;
    return holder === 0 ? age < writeMilliseconds : process.kill(holder, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A rename decides which of several processes removes a stale lock. */
function removeStale(lock, holder) {
  const taken = `${lock}.${process.pid}`;
  try {
    renameSync(lock, taken);
    if (Number(readFileSync(taken, 'utf8')) === holder) rmSync(taken, { force: true });
    else renameSync(taken, lock);
  } catch {
    // Another process was faster.
  }
}
