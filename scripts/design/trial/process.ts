import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer } from '../answer.ts';

/** `npm run design` of some project, as a process. */
export type DesignProcess = {
  /** Where the page and the mock are. */
  page: string;
  mock: string;
  /** Waits for an answer that is as it is wanted, from the save of this number on. @throws after `seconds` */
  answer(from: number, isWanted: (answer: Answer) => boolean, seconds?: number): Promise<Answer>;
  /** The newest save that was told of. */
  readonly lastSave: number;
  /** Everything that it said on standard error. */
  readonly complaints: string;
  stop(): Promise<void>;
};

type Line = { event: 'listening'; page: string; mock: string } | ({ event: 'answer' } & Answer);

/** Starts it on free ports. @throws where it ends before it listens */
export async function startDesign(directory: string): Promise<DesignProcess> {
  const script = join(directory, 'scripts/design/main.ts');
  const child = spawn(process.execPath, [script, '--port', '0', '--mock-port', '0', '--json'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const answers: Answer[] = [];
  const waiting = new Set<() => void>();
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const addresses = await new Promise<{ page: string; mock: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if (line.event === 'listening') return resolve(line);
      answers.push(line);
      for (const look of waiting) look();
    });
    child.once('exit', () => reject(new Error(`design ended: ${complaints}`)));
  });

  return {
    page: addresses.page,
    mock: addresses.mock,
    answer(from, isWanted, seconds = 110) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = answers.find((answer) => answer.save >= from && isWanted(answer));
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(
            new Error(`No such answer within ${seconds} s; the last: ${JSON.stringify(answers.at(-1))}`),
          );
        }, seconds * 1000);
        waiting.add(look);
        look();
      });
    },
    get lastSave() {
      return answers.at(-1)?.save ?? -1;
    },
    get complaints() {
      return complaints;
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
