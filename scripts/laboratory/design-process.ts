import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Report } from '../design/report.ts';

/** `npm run design` of a copy of the project, as a process. */
export type DesignProcess = {
  /** URLs. */
  page: string;
  mock: string;
  /** Waits for a report that `isWanted`, of the save of this number or a later one. @throws after `seconds` */
  report(from: number, isWanted: (report: Report) => boolean, seconds?: number): Promise<Report>;
  /** The newest save that was reported. */
  readonly lastSave: number;
  /** Everything that it wrote to standard error. */
  readonly errorOutput: string;
  stop(): Promise<void>;
};

type Line = { event: 'listening'; page: string; mock: string } | ({ event: 'report' } & Report);

/** Starts it on free ports. @throws if it exits before it listens */
export async function startDesign(directory: string): Promise<DesignProcess> {
  const script = join(directory, 'scripts/design/main.ts');
  const child = spawn(process.execPath, [script, '--port', '0', '--mock-port', '0', '--json'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const reports: Report[] = [];
  const waiting = new Set<() => void>();
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const addresses = await new Promise<{ page: string; mock: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if (line.event === 'listening') return resolve(line);
      reports.push(line);
      for (const check of waiting) check();
    });
    child.once('exit', () => reject(new Error(`design exited: ${errorOutput}`)));
  });

  return {
    page: addresses.page,
    mock: addresses.mock,
    report(from, isWanted, seconds = 110) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = reports.find((report) => report.save >= from && isWanted(report));
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(
            new Error(`No such report within ${seconds} s; the last: ${JSON.stringify(reports.at(-1))}`),
          );
        }, seconds * 1000);
        waiting.add(check);
        check();
      });
    },
    get lastSave() {
      return reports.at(-1)?.save ?? -1;
    },
    get errorOutput() {
      return errorOutput;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
