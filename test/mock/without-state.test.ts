import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exampleFile } from '../../scripts/mock/example-files.ts';
import { exampleMock } from '../../scripts/mock/server.ts';
import { served, theBundle } from './support.ts';

const contract = await theBundle();
const mock = await exampleMock(contract);
const base = await served(mock.listener);
const known = { Authorization: 'tot_any' };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(path.startsWith('http') ? path : base + path, { headers: { ...known, ...headers } });
const attachmentPath =
  '/tables/9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01/records/2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01/attachments';

describe('a browser of any origin', () => {
  test('may send every method and header that it asks for', async () => {
    const answer = await fetch(`${base}/organizations/users`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,idempotency-key,x-anything',
      },
    });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,idempotency-key,x-anything',
      'access-control-allow-credentials': 'true',
    });
  });

  test('may read every header that an operation documents, by its name', async () => {
    const answer = await get('/organizations/users', { Origin: 'null' });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('null');
    const exposed = answer.headers.get('Access-Control-Expose-Headers')?.split(', ');
    const needed = [
      'Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Content-Disposition',
      'ETag',
    ];
    expect(exposed).toEqual(expect.arrayContaining([...needed, 'Content-Length', 'Preference-Applied']));
  });

  test('may read an error, too', async () => {
    const answer = await fetch(`${base}/nowhere`, { headers: { Origin: 'https://app.example' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
  });
});

describe('Prefer', () => {
  test('finds the status of an example by its name, and says what it did', async () => {
    const answer = await get('/organizations/users/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02', {
      Prefer: 'example=userNotFound, respond-async',
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Preference-Applied')).toBe('example=userNotFound');
  });

  test('delays the answer', async () => {
    const startedAt = performance.now();
    const answer = await get('/organizations/roles', { Prefer: 'wait=0.3' });
    expect(performance.now() - startedAt).toBeGreaterThan(295);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Preference-Applied')).toBe('wait=0.3');
  });

  test.each(['wait=61', 'wait=soon', 'wait=1e3'])('%s is refused: 400 parameter_invalid', async (wish) => {
    const answer = await get('/organizations/roles', { Prefer: wish });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: [{ code: 'parameter_invalid', parameter: 'Prefer' }],
    });
  });
});

describe('a download', () => {
  test('is a whole PDF, of the size and digest that the contract tells of it', async () => {
    const answer = await get('/resources/c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('Content-Type')).toBe('application/pdf');
    expect(answer.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(answer.headers.get('ETag')).toBe(`"${digestOf(bytes)}"`);
    expectPdf(bytes);
    const { policyTermsUploaded } = contract.components['examples'] as Record<string, { value: unknown }>;
    const told = { data: { size: bytes.length, sha256: digestOf(bytes) } };
    expect(policyTermsUploaded?.value).toMatchObject(told);
  });

  test('of an attachment leads to the mock, and has the name, media type and size of the attachment', async () => {
    const attachments = (await (await get(attachmentPath)).json()) as {
      id: string;
      name: string;
      type: string;
      size: number;
    }[];
    const { link } = (await (await get(`${attachmentPath}/${attachments[0]?.id}`)).json()) as {
      link: string;
    };
    expect(link.startsWith(`${base}/files/`)).toBe(true);
    const file = await fetch(link);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(file.headers.get('Content-Type')).toBe(attachments[0]?.type);
    expect(file.headers.get('Content-Disposition')).toContain(attachments[0]?.name);
    expect(bytes).toHaveLength(attachments[0]?.size ?? 0);
    expect([bytes.subarray(0, 3), bytes.subarray(-2)]).toEqual([
      Buffer.from([0xff, 0xd8, 0xff]),
      Buffer.from([0xff, 0xd9]),
    ]);
  });

  test('of a large result is JSON of the size and digest that the redirect tells of it', async () => {
    const answer = await get('/workflows/6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01/result', {
      Prefer: 'example=largeResult',
    });
    const { redirectUrl, size, sha256 } = (await answer.json()) as Record<string, string>;
    const file = await fetch(redirectUrl ?? '');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([bytes.length, digestOf(bytes)]).toEqual([size, sha256]);
    expect(JSON.parse(bytes.toString())).toHaveProperty('workflowId');
  });

  test.each([800, 9_999, 10_000, 1_204_882])('as a PDF of %i bytes opens', (size) => {
    const bytes = exampleFile('application/pdf', size, 'Gutachten (Ü)');
    expect(bytes).toHaveLength(size);
    expectPdf(bytes);
  });

  test.each([15_060, 15_045 + 65_537, 15_045 + 65_540, 482_113])(
    'as a photo of %i bytes has comments that end where they say',
    (size) => {
      const bytes = exampleFile('image/jpeg', size, 'bumper.jpg');
      expect(bytes).toHaveLength(size);
      let at = 2;
      while (bytes.readUInt16BE(at) === 0xfffe) at += 2 + bytes.readUInt16BE(at + 2);
      expect(bytes.readUInt16BE(at)).toBe(0xffe0);
    },
  );
});

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Every place that the table of objects names is where that object begins, and the table is where the end says. */
function expectPdf(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  const [, start] = /startxref\n(\d+)\n%%EOF\n*$/.exec(text) ?? [];
  expect(text.startsWith('xref\n', Number(start))).toBe(true);
  const places = [...text.slice(Number(start)).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => place);
  expect(places.length).toBeGreaterThan(4);
  for (const [index, place] of places.entries())
    expect(text.startsWith(`${index + 1} 0 obj\n`, Number(place))).toBe(true);
}
