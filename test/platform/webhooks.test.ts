import { beforeAll, describe, expect, test } from 'vitest';
import eventTypes from '../../generated/event-types.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { demoPlatformFile, registerDemoWebhook } from '../../server/src/manifest/demo.ts';
import { parsePlatformFile, readPlatformFile } from '../../server/src/manifest/read.ts';
import type { Database } from '../../server/src/store/database.ts';
import { disableEndpoint } from '../../server/src/store/webhook-endpoints.ts';
import { listEndpoints } from '../../server/src/store/webhook-log.ts';
import { emptyDatabase, openClone } from '../support/postgres.ts';
import { smallPlatform } from './small-platform.ts';

const withWebhooks = (lines: string) => `${smallPlatform}    webhooks:\n${lines}`;

const database = async () => (await openClone()).database;

const apply = async (into: Database, text: string) =>
  applyPlatform({
    database: into,
    environment: 'production',
    file: parsePlatformFile(text, 'platform.yaml'),
  });

describe('webhooks in the platform file', () => {
  test('become endpoints once, for all or some event types', async () => {
    const into = await database();
    const text = withWebhooks(
      `      - { url: 'https://hooks.lake.example/in', events: all }
      - { url: 'http://10.0.0.8:8080/wrp?k=1', events: [user.updated, link.used] }
`,
    );
    const first = await apply(into, text);
    expect(first.webhooks).toEqual({ created: 2, updated: 0, removed: 0, unchanged: 0 });
    const again = await apply(into, text);
    expect(again.webhooks).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 2 });
    expect(await listEndpoints(into)).toMatchObject([
      { url: 'https://hooks.lake.example/in', events: 'all', organization: { name: 'Lake & Daughters' } },
      { url: 'http://10.0.0.8:8080/wrp?k=1', events: ['user.updated', 'link.used'] },
    ]);
  });

  test('are the same if their URL is written differently', async () => {
    const into = await database();
    await apply(into, withWebhooks(`      - { url: 'https://X.example:443', events: all }\n`));
    const changes = await apply(into, withWebhooks(`      - { url: 'https://x.example/', events: all }\n`));
    expect(changes.webhooks).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 1 });
    expect(await listEndpoints(into)).toMatchObject([{ url: 'https://X.example:443' }]);
  });

  test('keep their own URL if another organization writes it differently', async () => {
    const into = await database();
    await apply(into, withWebhooks(`      - { url: 'https://X.example:443', events: all }\n`));
    const text = withWebhooks(`      - { url: 'https://x.example/', events: all }\n`);
    const changes = await apply(into, text.replace('Lake & Daughters', 'River & Sons'));
    expect(changes.webhooks).toEqual({ created: 1, updated: 0, removed: 0, unchanged: 0 });
    expect(await listEndpoints(into)).toMatchObject([
      { url: 'https://X.example:443' },
      { url: 'https://x.example/' },
    ]);
  });

  test('change their event types, stay when the file drops them, and stay disabled', async () => {
    const into = await database();
    await apply(into, withWebhooks(`      - { url: 'https://a.example', events: all }\n`));
    const [endpoint] = await listEndpoints(into);
    await disableEndpoint(into, endpoint?.id as string, 'receiver', new Date());
    const changes = await apply(
      into,
      withWebhooks(`      - { url: 'https://a.example', events: [user.updated] }\n`),
    );
    expect(changes.webhooks.updated).toBe(1);
    await apply(into, smallPlatform);
    expect(await listEndpoints(into)).toMatchObject([{ events: ['user.updated'], disabledBy: 'receiver' }]);
  });

  test.each([
    ['an invalid URL', `{ url: nowhere, events: all }`, 'webhooks[0].url must be an http or https URL'],
    ['another scheme', `{ url: 'ftp://a.example', events: all }`, 'webhooks[0].url must be an http or https'],
    ['credentials', `{ url: 'https://u:p@a.example', events: all }`, 'without user name, password'],
    ['no events', `{ url: 'https://a.example' }`, 'webhooks[0].events is missing'],
    ['an empty list', `{ url: 'https://a.example', events: [] }`, 'webhooks[0].events must not be empty'],
    [
      'another word',
      `{ url: 'https://a.example', events: some }`,
      'webhooks[0].events must be all or a list',
    ],
    [
      'an unknown event type',
      `{ url: 'https://a.example', events: [user.vanished] }`,
      'webhooks[0].events[0] must be one of workflow.started, ',
    ],
    [
      'a duplicate event type',
      `{ url: 'https://a.example', events: [link.used, link.used] }`,
      'contains a duplicate',
    ],
    [
      'a duplicate URL',
      `{ url: 'https://a.example', events: all }\n      - { url: 'https://a.example', events: all }`,
      'webhooks[1].url is already the URL of another webhook',
    ],
    [
      'an equivalent URL',
      `{ url: 'https://x.example/', events: all }\n      - { url: 'https://X.example:443', events: all }`,
      'webhooks[1].url is already the URL of another webhook',
    ],
    [
      'an unknown key',
      `{ url: 'https://a.example', events: all, secret: x }`,
      'webhooks[0].secret is not a known property',
    ],
  ])('are refused with the line and one reason: %s', (_what, line, reason) => {
    const read = () => parsePlatformFile(withWebhooks(`      - ${line}\n`), 'platform.yaml');
    expect(read).toThrow(reason);
    expect(read).toThrow(/^platform\.yaml:\d+:\d+ environments\.production\.webhooks\[[^\n]*$/);
  });

  test('know the event types that the contract declares', () => {
    expect(eventTypes.enum).toEqual(Object.keys(contract.webhooks));
  });
});

describe('DEMO_WEBHOOK_URL', () => {
  let into: Database;
  beforeAll(async () => {
    into = await emptyDatabase();
  });

  test('has no effect without the demo', async () => {
    expect(await registerDemoWebhook(into, 'https://a.example/')).toBe('no_demo');
    expect(await listEndpoints(into)).toEqual([]);
  });

  test('is one endpoint for all events, however often the platform starts, with the URL of the last start', async () => {
    const file = await readPlatformFile(demoPlatformFile);
    await applyPlatform({ database: into, environment: 'production', file });
    for (const url of ['https://a.example/', 'https://a.example/', 'https://b.example/x']) {
      expect(await registerDemoWebhook(into, url)).toBe('registered');
      const endpoints = await listEndpoints(into);
      expect(endpoints).toMatchObject([{ url, events: 'all', disabledDateTime: null }]);
      await disableEndpoint(into, endpoints[0]?.id as string, 'receiver', new Date());
    }
  });
});
