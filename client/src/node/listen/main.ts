#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { version } from '../../../../generated/version.ts';
import { ListenError, listen, permitted } from './listen.ts';

const help = `Usage: wrp-listen --to <url> [options]

Forwards the events of the sandbox to a receiver on your machine: the webhooks of the platform with their signature.

Options:
  --to <url>           the receiver, for example http://localhost:3000/hooks
  --since <duration>   start with the events of this long ago: 90s, 10m, 24h (at most 24h; default: now)
  --resend <event id>  send this event again, then end
  --json               print a JSON object for each line
  --version            print the version
  --help               print this

Environment:
  WRP_BASE_URL         the sandbox's URL
  WRP_TOKEN            an organization token of the sandbox, ${permitted}.
                       Your operator creates it. That of the demo is sandbox.organizationToken in the demo file

The receiver is your own server. It verifies each POST with webhookVerifier, whose baseUrl is the sandbox's URL, and
responds with 2xx. There are examples in TypeScript, Python and Go at /docs/receiving-webhooks of the platform.

While it runs, r and Enter send the last event again, and "r <event id>" another one. Ctrl-C stops.
Exit status: 0 success, 1 failure, 2 usage error.
`;

class UsageError extends Error {}

process.exitCode = await main();

async function main(): Promise<number> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  // The reader of standard output may close it early, as `head` does.
  process.stdout.on('error', () => stop.abort());
  try {
    const { to, resend, since, json, help: isHelp, version: isVersion } = optionsOf();
    if (isHelp || isVersion) {
      process.stdout.write(isHelp ? help : `${version}\n`);
      return 0;
    }
    if (to === undefined) throw new UsageError('--to is missing.');
    const { stdin, stdout, stderr } = process;
    await listen({ to, resend, since, json }, { stdin, stdout, stderr, signal: stop.signal });
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError) && !(error instanceof UsageError)) throw error;
    console.error(error.message);
    if (error instanceof ListenError) return 1;
    console.error('wrp-listen --help shows the options.');
    return 2;
  }
}

function optionsOf() {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const options = {
      to: text,
      resend: text,
      since: text,
      json: flag,
      version: flag,
      help: { ...flag, short: 'h' },
    };
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
