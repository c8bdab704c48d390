/**
 * Imports one program after the other and reports what fails: `node run-programs.ts <plan.json>`. A process of its
 * own, because programs open servers, and because Node itself is what readers run them with.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { forgedWebhooks } from '../forged-webhooks.ts';
import { scaledTimeout } from '../timeout.ts';

export interface Plan {
  /** `blocks` is the code of each, which shows where a server listens. */
  programs: { file: string; blocks: string[] }[];
  message: SignedMessage | undefined;
  report: string;
}
/** A webhook as it was delivered. */
export interface SignedMessage {
  headers: Record<string, string>;
  body: string;
}
export type Report = { program: number; block: number; message: string }[];

const plan: Plan = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'));
const report: Report = [];
let block = 0;
let opened: { server: Server; block: number }[] = [];

Object.assign(globalThis, {
  enter: (index: number) => {
    block = index;
  },
});
console.log = () => {};

// The ports in pages may be in use on this machine.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenAnywhere(this: Server, ...given: unknown[]) {
  opened.push({ server: this, block });
  const callback = given.findLast((argument) => typeof argument === 'function') as (() => void) | undefined;
  return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
} as typeof listen;

for (const [program, { file, blocks }] of plan.programs.entries()) {
  block = 0;
  opened = [];
  const problem = (error: unknown, at = block) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report.push({ program, block: at, message: text.split('\n').slice(0, 6).join('\n') });
  };
  const escaped = (error: unknown) => problem(error);
  process.on('uncaughtException', escaped);
  await Promise.race([import(pathToFileURL(file).href), overdue()]).catch(problem);
  for (const { server, block: at } of opened) {
    await receives(server, blocks[at] ?? '').catch((error) => problem(error, at));
    server.close();
  }
  process.off('uncaughtException', escaped);
}
writeFileSync(plan.report, JSON.stringify(report));
process.exit();

async function overdue(): Promise<never> {
  const bound = scaledTimeout(20_000);
  await delay(bound, undefined, { ref: false });
  throw new Error(`It did not end within ${bound / 1000} seconds.`);
}

/** A receiver accepts what the platform signed, and refuses what is forged of it. */
async function receives(server: Server, code: string): Promise<void> {
  if (!/verif/i.test(code)) return;
  if (!plan.message) throw new Error('There is no signed message to send to this receiver.');
  while (!server.listening) await delay(5);
  const { port } = server.address() as AddressInfo;
  const [, path = '/'] = /['"](\/[\w/-]+)['"]/.exec(code) ?? [];
  const { 'webhook-signature': genuine = '', ...headers } = plan.message.headers;
  const post = (signature: string | undefined, body: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { ...headers, ...(signature !== undefined && { 'webhook-signature': signature }) },
      body,
    });
  const taken = await post(genuine, plan.message.body);
  if (!taken.ok) throw new Error(`A signed event got ${taken.status}: ${await taken.text()}`);
  for (const { what, signature, body } of forgedWebhooks({ signature: genuine, body: plan.message.body })) {
    const { status } = await post(signature, body);
    if (status !== 400) throw new Error(`A forged event (${what}) got ${status}, not 400.`);
  }
}
