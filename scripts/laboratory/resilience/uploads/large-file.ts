import { createCipheriv, createHash } from 'node:crypto';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openUpload, responseOf, uploadBody } from '../form.ts';
import type { PlatformProcess } from '../platform.ts';
import type { TestResult } from '../results.ts';

const mebibyte = 2 ** 20;
/** Memory above that of the idle platform, in MiB. */
const mostMemory = 150;
const sampleEvery = 200;

/** Uploads and downloads a file of that size, which is generated and never held. */
export async function transferLargeFile(
  platform: PlatformProcess,
  {
    mebibytes,
    progress = () => {},
    signal = new AbortController().signal,
  }: { mebibytes: number; progress?: (line: string) => void; signal?: AbortSignal },
): Promise<TestResult> {
  const idle = await platform.memory();
  const failures: string[] = [];
  const memory = sampler(platform);
  const uploadStarted = performance.now();
  const { path, sha256 } = await uploadGenerated(platform, mebibytes, signal);
  const uploadMemory = memory.most();
  progress(`${mebibytes} MiB uploaded in ${secondsSince(uploadStarted)} s`);
  const downloadStarted = performance.now();
  const downloaded = await download(platform, path, signal);
  progress(`${mebibytes} MiB downloaded in ${secondsSince(downloadStarted)} s`);
  await memory.stop();
  if (downloaded.size !== mebibytes * mebibyte)
    failures.push(`the download has ${downloaded.size} bytes instead of ${mebibytes * mebibyte}`);
  if (downloaded.sha256 !== sha256)
    failures.push(`the download has SHA-256 ${downloaded.sha256} instead of ${sha256}`);
  if (memory.most() - idle > mostMemory)
    failures.push(
      `the platform took ${mib(memory.most())}, ${mib(idle)} when idle: more than ${mostMemory} MiB above`,
    );
  return {
    tried: `${mebibytes} MiB uploaded and downloaded`,
    times: 1,
    seen: `${mib(uploadMemory - idle)} above the idle ${mib(idle)} while uploading, ${mib(memory.most() - idle)} at most`,
    failures,
  };
}

/** @returns the path of the stored file, and the SHA-256 of what was sent */
async function uploadGenerated(
  platform: PlatformProcess,
  mebibytes: number,
  signal: AbortSignal,
): Promise<{ path: string; sha256: string }> {
  const digest = createHash('sha256');
  const sending = openUpload(platform, mebibytes * mebibyte);
  const responding = responseOf(sending);
  responding.catch(() => {});
  await pipeline(Readable.from(uploadBody(generated(mebibytes, digest))), sending, { signal });
  const { response, text } = await responding;
  if (response.statusCode !== 201) throw new Error(`The upload returned ${response.statusCode}: ${text}`);
  const { resourcePath } = JSON.parse(text) as { resourcePath: string };
  return { path: resourcePath, sha256: digest.digest('hex') };
}

/** Bytes that do not repeat: a wrong order would show. */
function* generated(mebibytes: number, digest: ReturnType<typeof createHash>): Generator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16));
  const zeros = Buffer.alloc(mebibyte);
  for (let sent = 0; sent < mebibytes; sent++) {
    const block = cipher.update(zeros);
    digest.update(block);
    yield block;
  }
}

function download(
  { demo }: PlatformProcess,
  path: string,
  signal: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: demo.organizationToken };
    get(new URL(path, demo.baseUrl), { headers, signal, agent: false }, async (response) => {
      const digest = createHash('sha256');
      let size = 0;
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          digest.update(chunk);
          size += chunk.length;
        }
        if (response.statusCode !== 200) throw new Error(`The download returned ${response.statusCode}.`);
        resolve({ size, sha256: digest.digest('hex') });
      } catch (error) {
        reject(error);
      }
    }).once('error', reject);
  });
}

/** Samples the memory of the platform until it is stopped. */
function sampler(platform: PlatformProcess) {
  let most = 0;
  let stopped = false;
  const sample = async () => {
    while (!stopped) {
      most = Math.max(most, await platform.memory());
      await new Promise((resolve) => setTimeout(resolve, sampleEvery));
    }
  };
  const sampling = sample();
  return {
    most: () => most,
    stop() {
      stopped = true;
      return sampling;
    },
  };
}

const mib = (mebibytes: number) => `${Math.round(mebibytes)} MiB`;
const secondsSince = (start: number) => ((performance.now() - start) / 1000).toFixed(1);
