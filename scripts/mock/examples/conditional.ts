import type { IncomingMessage } from 'node:http';
import { byteRangeOf } from '../../../server/blobs/index.ts';
import { Refused, refuse } from '../../../server/contract/index.ts';
import { isAmong } from '../../../server/http-bodies/index.ts';
import type { WireResponse } from './response.ts';

/** Headers of a file that a 304 does not repeat. */
const ofContent = [
  ...['content-type', 'content-length', 'content-disposition'],
  ...['content-security-policy', 'accept-ranges'],
];

/**
 * Responds with 304 or 206 where the platform does: if the requester has the current version, or wants a part of a file.
 *
 * @throws {Refused} 416 `range_not_satisfiable`
 */
export function conditional({ method, headers }: IncomingMessage, response: WireResponse): WireResponse {
  const { etag } = response.headers;
  if (response.status !== 200 || etag === undefined || (method !== 'GET' && method !== 'HEAD'))
    return response;
  if (isAmong(headers['if-none-match'], etag)) {
    const kept = Object.entries(response.headers).filter(([name]) => !ofContent.includes(name));
    return { status: 304, headers: Object.fromEntries(kept), body: undefined };
  }
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  if (response.headers['accept-ranges'] !== 'bytes' || method === 'HEAD' || !isCurrent) return response;
  const bytes = Buffer.from(response.body ?? '');
  const range = byteRangeOf(headers.range, bytes.length);
  if (range === 'whole') return response;
  if (range === 'unsatisfiable')
    throw new Refused(refuse(416, 'range_not_satisfiable'), { 'Content-Range': `bytes */${bytes.length}` });
  const { start, end } = range;
  return {
    status: 206,
    headers: {
      ...response.headers,
      'content-range': `bytes ${start}-${end}/${bytes.length}`,
      'content-length': String(end - start + 1),
    },
    body: bytes.subarray(start, end + 1),
  };
}
