import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Collection } from '../../scripts/portal/files/postman.ts';
import { demoPlatform } from '../support/demo.ts';
import { programs } from '../support/programs.ts';
import { scaledTimeout } from '../support/timeout.ts';

/** Postman's runner of collections. */
const newman = (await programs()).resolve('newman/bin/newman.js');

interface Execution {
  item: { name: string };
  response?: { code: number; stream: { data: number[] } };
  assertions?: { error?: { message: string } }[];
}

test(
  'the Postman collection succeeds from top to bottom on a new platform',
  async () => {
    const { environments } = await demoPlatform();
    const { baseUrl, demo } = environments.sandbox;
    const directory = await mkdtemp(join(tmpdir(), 'wrp-postman-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const served = await fetch(`${baseUrl}/docs/postman-collection.json`);
    const collection = (await served.json()) as Collection;
    // The reader chooses the files.
    await writeFile(join(directory, 'file.jpg'), 'a file');
    const requests = collection.item.flatMap(({ item }) => item);
    for (const { request } of requests) {
      for (const field of request.body?.formdata ?? []) {
        if (field.type === 'file') Object.assign(field, { src: join(directory, 'file.jpg') });
      }
    }
    await writeFile(join(directory, 'collection.json'), JSON.stringify(collection));
    const { organizationToken, apiKey, apiSecret } = demo;
    const given = Object.entries({ organizationToken, apiKey, apiSecret, baseUrl });
    const report = join(directory, 'report.json');
    await promisify(execFile)(
      process.execPath,
      [
        newman,
        'run',
        join(directory, 'collection.json'),
        '--working-dir',
        directory,
        '--delay-request',
        '50',
        '--reporters',
        'json',
        '--reporter-json-export',
        report,
        ...given.flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ],
      { timeout: scaledTimeout(120_000) },
    ).catch((error) => {
      if (!existsSync(report)) throw error;
    });
    const { run } = JSON.parse(await readFile(report, 'utf8')) as { run: { executions: Execution[] } };
    const failed = run.executions
      .filter(({ response }) => !response || response.code >= 300)
      .map(({ item, response }) => [
        item.name,
        response?.code,
        String(Buffer.from(response?.stream.data ?? [])),
      ]);
    expect(failed).toEqual([]);
    const sent = new Set(run.executions.map(({ item }) => item.name));
    expect([...sent]).toEqual(requests.map(({ name }) => name));
  },
  scaledTimeout(180_000),
);
