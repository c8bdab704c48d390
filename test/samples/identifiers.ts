import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { parseCurl, pathVariablesOf, variablesOf } from '../../scripts/generate/samples/curl.ts';
import { readSamples } from '../../scripts/generate/samples/read.ts';
import { routesOf } from '../../server/contract/index.ts';
import { failingServer } from '../client/support.ts';
import { atEnd } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import type { SampleLanguage } from './stage.ts';

const run = promisify(execFile);

/** Describes that a sample whose identifier is a dot segment or empty sends its request to its operation, or none. */
export async function describeIdentifiers({ language, commandOf }: SampleLanguage): Promise<void> {
  const { shell } = await readSamples(import.meta.dirname);
  const server = await failingServer();
  const cwd = await mkdtemp(join(tmpdir(), 'wrp-identifiers-'));
  atEnd(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'bumper.jpg'), 'a photo');
  const samples = routesOf(contract as unknown as Contract)
    .map(({ path, operation: { operationId } }) => {
      const request = parseCurl(shell[operationId] ?? '');
      return { operationId, path, variables: variablesOf(request), identifiers: pathVariablesOf(request) };
    })
    .filter(({ identifiers }) => identifiers.length > 0);

  describe(`the identifiers of samples in ${language}`, () => {
    test.each(samples)(
      'of $operationId never lead to another operation',
      async ({ operationId, path, variables, identifiers }) => {
        const template = path.split('/');
        const positions = [...template.keys()].filter((at) => template[at]?.startsWith('{'));
        const valid = Object.fromEntries(variables.map((name) => [name, crypto.randomUUID()]));
        const [program, ...args] = commandOf(operationId);
        const send = async (values: Record<string, string>) => {
          server.respondWith();
          const env = { ...process.env, ...valid, ...values, WRP_BASE_URL: server.baseUrl };
          await run(program, args, { cwd, env, timeout: scaledTimeout(50_000) }).catch(() => {});
          return server.requests.map((request) => request.path.split('/'));
        };
        expect(await send({})).toHaveLength(1);
        for (const [index, name] of identifiers.entries())
          for (const value of ['..', '.', ''])
            for (const segments of await send({ [name]: value }))
              expect([segments.length, segments[positions[index] ?? 0]]).toEqual([template.length, value]);
      },
      scaledTimeout(60_000),
    );
  });
}
