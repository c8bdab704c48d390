import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const busy = 5;

/**
 * The lock that `server/embedded-postgres` takes by an SQLite transaction, for Node 20, which has no SQLite: the file
 * names the process. That is enough for the temporary directory of a mock, which only its own process uses.
 */
export class DatabaseSync {
  readonly #file: string;
  #isHeld = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes the lock, whatever the statement. @throws an error with SQLite's code if a running process has it */
  exec(): void {
    if (isRunning(ownerIn(this.#file)))
      throw Object.assign(new Error('database is locked'), { errcode: busy });
    writeFileSync(this.#file, String(process.pid));
    this.#isHeld = true;
  }

  close(): void {
    if (this.#isHeld) rmSync(this.#file, { force: true });
  }
}

function ownerIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
