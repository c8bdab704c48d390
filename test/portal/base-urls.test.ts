import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Collection } from '../../scripts/portal/files/postman.ts';
import { buildPortal } from '../../scripts/portal/main.ts';
import { contractDocuments } from '../../server/src/pages/contract-documents.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import { documentedAddresses } from '../../server/src/pages/served-addresses.ts';
import { requestsTo, servedPortal } from './support.ts';

const address = servedPortal();
const get = requestsTo(address);

type Server = { variables: Record<string, { default: string }> };

describe('with configured base URLs', () => {
  const addresses = {
    environment: 'sandbox' as const,
    baseUrls: { production: 'https://api.wrp.example', sandbox: 'https://sandbox.wrp.example/wrp' },
  };
  const configured = servedPortal({ addresses });
  const read = async (path: string) => {
    const response = await fetch(`${configured()}${path}`);
    expect(response.status, path).toBe(200);
    return { headers: response.headers, text: await response.text() };
  };

  test('files that name none are served as they are', async () => {
    const index = await openPortalSite(await buildPortal());
    const same = index.files.filter(
      ({ hasUrls, type }) => !hasUrls && !/^(?:image|application\/gzip)/.test(type),
    );
    expect(same.length).toBeGreaterThan(10);
    for (const { path } of same) expect((await read(path)).text, path).toBe(await (await get(path)).text());
  });

  test('the reference and llms.txt have both, and the Postman collection calls the sandbox', async () => {
    for (const path of ['/docs/reference', '/llms.txt']) {
      const { text } = await read(path);
      expect(text, path).toContain('https://api.wrp.example');
      expect(text, path).toContain('https://sandbox.wrp.example/wrp');
    }
    const { variable, info } = JSON.parse((await read('/docs/postman-collection.json')).text) as Collection;
    expect(variable?.[0]).toMatchObject({ key: 'baseUrl', value: addresses.baseUrls.sandbox });
    expect(JSON.stringify(info)).toContain('](https://sandbox.wrp.example/wrp/docs/quick-start)');
  });

  test('files with base URLs must be revalidated by caches', async () => {
    const [own, documented] = await Promise.all([read('/docs/quick-start'), get('/docs/quick-start')]);
    expect(own.headers.get('ETag')).not.toBe(documented.headers.get('ETag'));
    const cached = { 'If-None-Match': own.headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' };
    expect((await fetch(`${configured()}/docs/quick-start`, { headers: cached })).status).toBe(304);
    const page = await read('/docs/redoc');
    const [, definition = ''] = /data-definition="([^"]+)"/.exec(page.text) ?? [];
    expect((await read(definition)).headers.get('Cache-Control')).toBe('no-cache');
  });

  test('the contract has them, and its links are absolute', async () => {
    const server = createServer(express().use(contractDocuments(contract, addresses)));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const json = await (await fetch(`${base}/openapi.json`)).json();
    expect(json.servers.map(({ variables }: Server) => Object.values(variables)[0]?.default)).toEqual([
      addresses.baseUrls.sandbox,
      addresses.baseUrls.production,
    ]);
    expect(json.info.description).toContain('](https://sandbox.wrp.example/wrp/docs/errors)');
    expect(JSON.stringify(json)).not.toMatch(/\]\(#?\/|127\.0\.0\.1:808\d/);
    expect(parse(await (await fetch(`${base}/openapi.yaml`)).text())).toEqual(json);
    const { webhooks: _, components, ...rest } = json;
    const forGenerators = await (await fetch(`${base}/openapi-for-generators.json`)).json();
    expect(await (await fetch(`${base}/openapi-without-webhooks.json`)).json()).toEqual(forGenerators);
    const { organizationToken } = components.securitySchemes;
    const withOneScheme = (key: string, value: unknown) =>
      key === 'security' ? (value as object[]).filter((one) => !('accessToken' in one)) : value;
    const paths = JSON.parse(JSON.stringify(rest.paths), withOneScheme);
    expect(forGenerators).toEqual({ ...rest, paths, components: expect.any(Object) });
    expect(forGenerators.components.securitySchemes).toEqual({ organizationToken });
    const { schemas } = forGenerators.components;
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(Object.keys(schemas)));
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['User', 'Uuid', 'ParameterSetRequest']));
    for (const name of ['UserTerminated', 'NewParameterSet']) expect(schemas).not.toHaveProperty(name);
    const text = JSON.stringify(forGenerators);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(schemas).toHaveProperty(name);
  });

  test("replaces the base URLs of the contract's servers", () => {
    const documented = (contract.servers as Server[]).map(
      ({ variables }) => Object.values(variables)[0]?.default,
    );
    expect(documented).toEqual([documentedAddresses.production, documentedAddresses.sandbox]);
  });
});
