import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import {
  type BlobStore,
  BlobsUnavailable,
  type Marker,
  type Quarantine,
} from '../../server/blobs/blob-store.ts';
import { openS3Blobs } from '../../server/blobs/s3.ts';
import { api } from '../support/api.ts';
import { bodyOf } from '../support/responses.ts';
import { givenS3Service, type Manner, manners } from './hanging-s3.ts';

const mebibyte = 1 << 20;
/** Seconds, as in the guide to operations. */
const promised = 20;

type Method<Interface> = Extract<
  {
    [Name in keyof Interface]-?: Interface[Name] extends (...args: never[]) => unknown ? Name : never;
  }[keyof Interface],
  string
>;
/** Every call of the store that sends requests: a URL is computed. A new method does not compile without a case. */
type Call =
  | Exclude<Method<Required<BlobStore>>, 'downloadUrl'>
  | `marker.${Method<Marker>}`
  | `quarantine.${Method<Quarantine>}`
  | 'write of several parts'
  | 'write of several parts that fails';

async function lengthOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

/** @throws the failure of a batch */
async function batch(changing: ReturnType<Quarantine['add']>): Promise<void> {
  const { failure } = await changing;
  if (failure) throw failure;
}

const large = () => Readable.from([randomBytes(6 * mebibyte), randomBytes(6 * mebibyte)]);

/** How each is called. `blobKey` is a stored blob, `quarantined` one in quarantine. */
const calls: Record<
  Call,
  (store: BlobStore, blobs: { blobKey: string; quarantined: string }) => Promise<unknown>
> = {
  write: (store) => store.write(Readable.from(['x'])),
  'write of several parts': (store) => store.write(large()),
  'write of several parts that fails': (store) => {
    const source = new PassThrough();
    for (const chunk of [7, 7]) source.write(randomBytes(chunk * mebibyte));
    setTimeout(() => source.destroy(new Error('the client went away')), 500);
    return store.write(source);
  },
  read: async (store, { blobKey }) => buffer(await store.read(blobKey)),
  delete: (store, { blobKey }) => store.delete(blobKey),
  list: (store) => lengthOf(store.list()),
  collectUnfinished: (store) => store.collectUnfinished(new Date()),
  check: (store) => store.check(),
  'marker.read': ({ marker }) => marker.read(),
  'marker.create': ({ marker }) => marker.create('id'),
  'marker.replace': ({ marker }) => marker.replace('id'),
  'quarantine.add': ({ quarantine }, { blobKey }) => batch(quarantine.add([blobKey], new Date())),
  'quarantine.list': ({ quarantine }) => lengthOf(quarantine.list()),
  'quarantine.restore': ({ quarantine }, { quarantined }) => batch(quarantine.restore([quarantined])),
  'quarantine.remove': ({ quarantine }, { quarantined }) => batch(quarantine.remove([quarantined])),
};

async function givenStore() {
  const service = await givenS3Service();
  const store = await openS3Blobs(service.settings, 'production');
  const [{ blobKey }, { blobKey: quarantined }] = await Promise.all([
    store.write(Readable.from(['x'])),
    store.write(Readable.from(['x'])),
  ]);
  await store.quarantine.add([quarantined], new Date());
  service.received.clear();
  return { service, store, blobs: { blobKey, quarantined } };
}

test('each call fails within 20 s, whichever of its requests hangs', { timeout: 120_000 }, async () => {
  const problems: string[] = [];
  const measure = async (name: Call, kind: string, manner: Manner) => {
    const { service, store, blobs } = await givenStore();
    service.hang(kind, manner);
    const began = performance.now();
    const outcome: unknown = await calls[name](store, blobs).catch((error: unknown) => error);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    // A failed write stays what it is, although its removal fails, too.
    const isRemoval = kind.startsWith('DELETE') && name.startsWith('write');
    const isRight = isRemoval ? outcome instanceof Error : outcome instanceof BlobsUnavailable;
    if (seconds >= promised || !isRight)
      problems.push(`${name}, ${kind} ${manner}: ${seconds} s, ${String(outcome)}`);
  };
  const measured = (Object.keys(calls) as Call[]).map(async (name) => {
    const { service, store, blobs } = await givenStore();
    await calls[name](store, blobs).catch(() => {});
    expect([...service.received], name).not.toEqual([]);
    const cases = [...service.received].flatMap((kind) =>
      manners.map((manner) => measure(name, kind, manner)),
    );
    await Promise.all(cases);
  });
  await Promise.all(measured);
  expect(problems).toEqual([]);
});

test('a service that takes longer for a part than another request may be silent stores it', {
  timeout: 120_000,
}, async () => {
  const { service, store } = await givenStore();
  service.slowDown({ bytes: 5 * mebibyte, perSecond: 800 << 10 });
  const content = randomBytes(6 * mebibyte);
  const { blobKey } = await store.write(Readable.from([content]));
  expect((await buffer(await store.read(blobKey))).equals(content)).toBe(true);
});

describe('a platform whose S3 hangs', async () => {
  const service = await givenS3Service();
  const { owner, world, metricsPort } = await api({ s3: service.settings, metricsPort: 0 });
  const params = { path: { tableId: world.table.id, recordId: world.record.id } };
  const upload = (bytes: number) =>
    owner.POST('/resources', { body: { file: new File([randomBytes(bytes)], 'x') } });
  const { resourceId } = (await bodyOf(201, upload(1))) as { resourceId: string };
  const requests: Record<string, [kinds: string[], run: () => Promise<Response>]> = {
    'an upload': [['PUT', 'DELETE'], async () => (await upload(1)).response],
    'a large upload': [
      ['POST uploads', 'PUT partNumber', 'POST uploadId'],
      async () => (await upload(12 * mebibyte)).response,
    ],
    'an attachment': [
      ['PUT'],
      async () => {
        const body = { file: new File(['x'], 'x') };
        return (await owner.POST('/tables/{tableId}/records/{recordId}/attachments', { params, body }))
          .response;
      },
    ],
    'a download': [['GET'], () => owner.fetch(`/resources/${resourceId}`)],
  };

  test.each(Object.entries(requests))(
    'answers %s with 503 within 20 s',
    { timeout: 120_000 },
    async (_name, [kinds, run]) => {
      for (const kind of kinds) {
        service.hang(kind);
        const began = performance.now();
        const response = await run();
        expect((performance.now() - began) / 1000, kind).toBeLessThan(promised);
        const expected = kind === 'DELETE' ? [201, null] : [503, expect.any(String)];
        expect([response.status, response.headers.get('Retry-After')], kind).toEqual(expected);
      }
    },
  );

  test('is not ready, and ready again when the service responds', { timeout: 60_000 }, async () => {
    const readiness = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).json();
    service.hang('PUT');
    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({
      reasons: expect.arrayContaining(['the production blob store cannot be written']),
    });
    service.work();
    await expect.poll(readiness, { timeout: 10_000 }).toEqual({ status: 'ready' });
    expect(await (await owner.fetch(`/resources/${resourceId}`)).text()).toMatch(/^.$/s);
  });
});
