import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../server/src/config.ts';
import { goGenerators } from '../client/compatibility/generators/go.ts';
import { openapiGenerators } from '../client/compatibility/generators/openapi-generator.ts';
import { pythonGenerators } from '../client/compatibility/generators/python.ts';
import { typescriptGenerators } from '../client/compatibility/generators/typescript.ts';
import { forgedWebhooks } from '../support/forged-webhooks.ts';

const spec = fileURLToPath(new URL('../../spec', import.meta.url));
const text = (path: string) => readFile(join(spec, path), 'utf8');
const yaml = async (path: string) => parse(await text(path));

/** The name of an environment variable for a URL or a credential. */
const credential = /\b(?:(?:[A-Z][A-Z\d]*_)+(?:URL|TOKEN|KEY|SECRET)|TOKEN)\b/g;

describe('the guides', () => {
  test('explain every error code exactly once', async () => {
    const { ErrorCode } = await yaml('schemas/errors.yaml');
    const { tags } = JSON.parse(await readFile(join(spec, '../generated/openapi.json'), 'utf8'));
    const guide: string = tags.find(({ name }: { name: string }) => name === 'errors').description;
    const entries = [...guide.matchAll(/^- `([a-z_]+)`: .+ Retry: .+$/gm)];
    expect(entries.map(([, code]) => code).sort()).toEqual([...ErrorCode.enum].sort());
  });

  test('list every numbered decision, each with its test', async () => {
    const rows = [...(await text('guides/limits-and-decisions.md')).matchAll(/^\| (\d+) \|/gm)];
    const tests = join(spec, '../test');
    const files = (await readdir(tests, { recursive: true })).filter((file) => file.endsWith('.test.ts'));
    const texts = await Promise.all(files.map((file) => readFile(join(tests, file), 'utf8')));
    const tested = [...texts.join('\n').matchAll(/^ *(?:test|describe)\(['"](?:decision )?(\d+): /gm)];
    const numbers = (found: RegExpExecArray[]) => found.map(([, number]) => Number(number));
    expect(numbers(rows)).toEqual([...new Set(numbers(tested))].sort((one, other) => one - other));
    expect(numbers(rows).slice(0, 33)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
  });

  test('name only requests that exist', async () => {
    const { paths } = JSON.parse(await text('../generated/openapi.json')) as {
      paths: Record<string, object>;
    };
    const isOperation = (method: string, path: string) =>
      Object.entries(paths).some(([template, operations]) => {
        const pattern = template.replace(/\{[^}]+\}/g, '[^/]+');
        return method.toLowerCase() in operations && new RegExp(`^${pattern}$`).test(path);
      });
    const isOther = (path: string) => /^\/(?:__mock(?:\/|$)|readyz$|mcp$)/.test(path);
    let count = 0;
    for (const name of await readdir(join(spec, 'guides')))
      for (const [line, method = '', path = ''] of (await text(join('guides', name))).matchAll(
        /`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g,
      )) {
        count += 1;
        expect(isOperation(method, path) || isOther(path), `${name}: ${line}`).toBe(true);
      }
    expect(count).toBeGreaterThan(20);
  });

  test('name the versions of the generators that CI tries', async () => {
    const rows = (await text('guides/generators.md')).split('\n');
    const tried = { ...typescriptGenerators, ...pythonGenerators, ...goGenerators, ...openapiGenerators };
    for (const { tools, version } of Object.values(tried)) {
      const row = rows.find((line) => line.includes(` | ${version} | `) && line.includes(tools));
      expect(row, `${tools} ${version}`).toBeDefined();
    }
  });

  test('and READMEs name the version of Node that runs a TypeScript file', async () => {
    const guides = (await readdir(join(spec, 'guides'))).map((name) => join('guides', name));
    const running: string[] = [];
    for (const file of [...guides, '../client/README.md', '../scripts/mock/package/README.md'])
      for (const [line] of (await text(file)).matchAll(/^.*\bnode [\w./-]+\.m?ts\b.*$/gm)) running.push(line);
    expect(running.length).toBeGreaterThan(1);
    for (const line of running) expect(line).toContain('Node 22.18 or later');
  });

  test('samples, READMEs and commands have one name each for the URL, the token and the API key', async () => {
    const settings = new Set<string>();
    readConfig(new Proxy({}, { get: (_env, name) => void settings.add(String(name)) }));
    // The server reads this one only if the bucket is set. The other two come from responses.
    const others = ['S3_SECRET_ACCESS_KEY', 'ACCESS_TOKEN', 'REFRESH_TOKEN'];
    const names = ['WRP_BASE_URL', 'WRP_TOKEN', 'WRP_API_KEY', 'WRP_API_SECRET', ...others];
    const folders = ['spec/guides', 'client/src', 'server/src/cli', 'server/src/mcp', 'scripts/portal/pages'];
    const samples = ['scripts/spec/new', 'test/samples', 'test/client/compatibility/generators'];
    const readmes = [
      'README.md',
      'client/README.md',
      'scripts/mock/package/README.md',
      'scripts/portal/pages/frontends.md',
    ];
    const found = new Map<string, string>();
    for (const part of [...folders, ...samples, ...readmes, 'generated/samples.overlay.json']) {
      const files = /\.\w+$/.test(part) ? [''] : await readdir(join(spec, '..', part), { recursive: true });
      for (const file of files.filter((one) => /^$|\.\w+$/.test(one)))
        for (const [name] of (await text(join('..', part, file))).matchAll(credential))
          found.set(name, join(part, file));
    }
    for (const [name, file] of found)
      if (!settings.has(name)) expect(names, `${file} names the variable ${name}`).toContain(name);
    expect([...found.keys()]).toEqual(expect.arrayContaining(names));
  });

  test('link only to pages of the portal', async () => {
    const { tags } = await yaml('openapi.yaml');
    const pages = tags.map(({ name }: { name: string }) => name);
    for (const file of await readdir(join(spec, 'guides'))) {
      for (const [, page] of (await text(`guides/${file}`)).matchAll(/\(#\/([^)/]+)[^)]*\)/g)) {
        expect(pages, `${file} links to #/${page}`).toContain(page);
      }
    }
  });

  test('have a section that lists what the contract deprecates', async () => {
    expect(await text('guides/versioning.md')).toContain('\n## Current deprecations\n');
  });

  test('appear in the portal, each under a tag', async () => {
    const { info, tags } = await yaml('openapi.yaml');
    const described = [info, ...tags].map(({ description }) => description?.$ref).filter(Boolean);
    const files = (await readdir(join(spec, 'guides'))).map((file) => `guides/${file}`);
    expect(described.sort()).toEqual(files.sort());
  });
});

describe('verifiedEvent, the receiver in the guide to webhooks', () => {
  /** The guide's own code, the example's key behind `fetch`, and the example's message. */
  async function receiver() {
    const guide = await text('guides/webhooks.md');
    const [, code] = /```ts\n((?:(?!```).)+?function verifiedEvent.+?)```/s.exec(guide) ?? [];
    const directory = await mkdtemp(join(tmpdir(), 'guide-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const file = join(directory, 'receiver.mts');
    await writeFile(file, code ?? '');
    const { keyAsBase64, claimStarted } = await yaml('examples/webhooks.yaml');
    const { WebhookSignature } = await yaml('parameters.yaml');
    vi.stubGlobal('fetch', async () => new Response(keyAsBase64.value));
    onTestFinished(() => void vi.unstubAllGlobals());
    const { verifiedEvent } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    return {
      verifiedEvent,
      signature: WebhookSignature.example as string,
      event: claimStarted.value,
      body: Buffer.from(JSON.stringify(claimStarted.value)),
      signedAt: Date.parse('2026-11-19T09:12:45Z'),
    };
  }

  test('accepts the example of the contract', async () => {
    const { verifiedEvent, signature, event, body, signedAt } = await receiver();
    expect(await verifiedEvent(signature, body, signedAt + 300_000)).toEqual(event);
  });

  test('refuses what is forged of it', async () => {
    const { verifiedEvent, signature: genuine, body: signed, signedAt } = await receiver();
    for (const { what, signature, body } of forgedWebhooks({ signature: genuine, body: signed.toString() })) {
      const verified = verifiedEvent(signature ?? '', Buffer.from(body), signedAt);
      expect(await verified.catch(() => 'refused'), what).toBe('refused');
    }
  });

  test('refuses a message older than 5 minutes, and one from the future', async () => {
    const { verifiedEvent, signature, body, signedAt } = await receiver();
    await expect(verifiedEvent(signature, body, signedAt + 301_000)).rejects.toThrow('5-minute window');
    await expect(verifiedEvent(signature, body, signedAt - 301_000)).rejects.toThrow('5-minute window');
  });
});
