/** The thread of `builder.ts`. */
import { posix } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { Outcome, Redocly } from '../contract/redocly/redocly.ts';
import type { Contract } from '../contract/source.ts';
import { generatedFiles, writeGenerated } from '../generate/files.ts';
import { generatedSources, siteFiles } from '../portal/site.ts';
import type { SiteFile } from '../portal/site-files.ts';

export type BuildJob = 'portal' | { contract: Contract; digest: string };
export type BuildMessage =
  | { written: string[] }
  | { files: SiteFile[] }
  | { error: string }
  /** To be run by Redocly on the main thread, which replies with its outcome. */
  | { command: string[] };
type Incoming = { job: BuildJob } | { reply: Outcome | { error: string } };

const root = new URL('../../', import.meta.url);
const replies: ((reply: Outcome | { error: string }) => void)[] = [];
const redocly: Redocly = {
  async run(command) {
    const { promise, resolve } = Promise.withResolvers<Outcome | { error: string }>();
    replies.push(resolve);
    post({ command });
    const reply = await promise;
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  },
};

parentPort?.on('message', async (message: Incoming) => {
  if ('reply' in message) return replies.shift()?.(message.reply);
  try {
    post(await carryOut(message.job));
  } catch (error) {
    post({ error: error instanceof Error ? error.message : String(error) });
  }
});

async function carryOut(job: BuildJob): Promise<BuildMessage> {
  if (job === 'portal') return { files: await siteFiles({ ...(await generatedSources()), redocly }) };
  const written = await writeGenerated(root, await generatedFiles(job.contract, job.digest));
  return { written: written.map((name) => posix.join('generated', name)) };
}

function post(message: BuildMessage): void {
  parentPort?.postMessage(message);
}
