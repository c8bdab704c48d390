import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadBody, uploadHeaders } from '../form.ts';
import type { PlatformProcess } from '../platform.ts';
import type { TestResult } from '../results.ts';
import { differencesOf, readStored } from '../stored.ts';

const size = 1 << 20;
const file = randomBytes(size);
/** Uploads at the same time. */
const lanes = 16;
/** How long the platform has to clean up. */
const longestCleanup = 10_000;

/**
 * Breaks off uploads after any number of bytes of their request, from none of the body to all but the last byte, by
 * a reset or by an orderly end. Every other upload has an Idempotency-Key, which must stay free.
 */
export async function breakOffUploads(
  platform: PlatformProcess,
  dataDirectory: string,
  {
    uploads,
    progress = () => {},
    signal,
  }: { uploads: number; progress?: (line: string) => void; signal?: AbortSignal },
): Promise<TestResult> {
  const bytes = await uploadBytes(platform);
  const before = await readStored(dataDirectory);
  const failures: string[] = [];
  let next = 0;
  const lane = async () => {
    while (next < uploads) {
      signal?.throwIfAborted();
      const at = next++;
      const response = await breakOff(platform, bytes(at % 2 === 0), at % 4 < 2);
      // A refusal of the incomplete form may arrive before the connection is gone.
      if (response !== '' && !/^HTTP\/1\.1 400 /.test(response))
        failures.push(`upload ${at} was broken off and got ${response.split('\r\n', 1)[0]}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  progress(`${uploads} uploads broken off`);
  const deadline = performance.now() + longestCleanup;
  let left = differencesOf(before, await readStored(dataDirectory));
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(100);
    left = differencesOf(before, await readStored(dataDirectory));
  }
  failures.push(...left, ...(await stillWorks(platform)));
  return {
    tried: 'an upload broken off at a random byte',
    times: uploads,
    seen: `${before.files.length} files and ${before.rows} rows before and after`,
    failures,
  };
}

/** The bytes of a complete request; call it for one with or without an Idempotency-Key. */
async function uploadBytes({ demo }: PlatformProcess): Promise<(repeatable: boolean) => [string, Buffer]> {
  const body = await buffer(uploadBody([file]));
  const common = { Host: new URL(demo.baseUrl).host, Authorization: demo.organizationToken };
  return (repeatable) => {
    const headers = {
      ...common,
      ...uploadHeaders(size),
      ...(repeatable && { 'Idempotency-Key': randomUUID() }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return [`POST /resources HTTP/1.1\r\n${lines.join('')}\r\n`, body];
  };
}

/** Sends part of a request and closes the connection. @returns what was received until then */
function breakOff(
  { demo }: PlatformProcess,
  [head, body]: [string, Buffer],
  byReset: boolean,
): Promise<string> {
  const { hostname, port } = new URL(demo.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(head);
    socket.write(body.subarray(0, Math.floor(Math.random() * body.length)), () => {
      if (byReset) socket.resetAndDestroy();
      else socket.end();
    });
  });
}

/** An upload that is not broken off is stored. */
async function stillWorks({ demo }: PlatformProcess): Promise<string[]> {
  const form = new FormData();
  form.append('file', new File([file], 'a.bin'));
  const headers = { Authorization: demo.organizationToken };
  const response = await fetch(`${demo.baseUrl}/resources`, { method: 'POST', headers, body: form });
  return response.status === 201 ? [] : [`a complete upload afterwards returned ${response.status}`];
}
