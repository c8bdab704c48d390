import { createHash } from 'node:crypto';
import { type Route, routesOf } from '../../../server/contract/index.ts';
import { demoFile } from '../../../server/src/manifest/demo-fixtures.ts';
import type { Contract } from '../../contract/source.ts';
import type { WireResponse } from './response.ts';

/** The origin of the links in the contract's examples, which does not exist. */
const exampleOrigin = 'https://api.wrp.example';

type Attachment = { id: string; name: string; type: string; size: number };
type Redirect = { redirectUrl: string; size: number };

/** The files that the links of the contract's examples lead to. */
export interface LinkedFiles {
  /** Makes the links in an example lead to this mock. */
  withLinksTo(host: string | undefined, body: unknown): unknown;
  /** The file at a path of this mock; undefined if no example links to it. */
  fileAt(pathname: string): WireResponse | undefined;
}

/** The files have the names, media types and sizes that the examples give them. */
export function linkedFiles(contract: Contract): LinkedFiles {
  const values = routesOf(contract).flatMap(exampleValues);
  const attachments = values.flat().filter(isAttachment);
  const links = values.filter((value): value is { link: string } => typeof read(value, 'link') === 'string');
  const redirects = values.filter(
    (value): value is Redirect => typeof read(value, 'redirectUrl') === 'string',
  );
  const makers = new Map<string, () => { type: string; name: string; bytes: Buffer }>();
  for (const { link } of links) {
    const linked = attachments.find(({ id }) => link.includes(id));
    if (!linked || !link.startsWith(exampleOrigin)) continue;
    for (const { id, type, name, size } of attachments) {
      const path = pathOf(link.replaceAll(linked.id, id));
      makers.set(path, () => ({ type, name, bytes: demoFile({ name, size }) }));
    }
  }
  for (const { redirectUrl, size } of redirects) {
    makers.set(pathOf(redirectUrl), () => ({
      type: 'application/json',
      name: 'result.json',
      bytes: largeResult(size),
    }));
  }
  return {
    withLinksTo: (host, body) => (host ? replaced(body, `http://${host}`) : body),
    fileAt(pathname) {
      const made = makers.get(pathname)?.();
      if (!made) return undefined;
      const { type, name, bytes } = made;
      const headers = {
        'content-type': type,
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename="${name}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
        etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
      };
      return { status: 200, headers, body: bytes };
    },
  };
}

/** The result that the contract's example of a redirect describes: JSON, padded with text to exactly this size. */
export function largeResult(size: number): Buffer {
  const frame = JSON.stringify({ workflowId: '6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01', text: '' });
  const text = Buffer.alloc(size - frame.length, 'The vehicle was inspected. ');
  return Buffer.from(`${frame.slice(0, -2)}${text}"}`);
}

function exampleValues({ operation }: Route): unknown[] {
  const media = Object.values(operation.responses).flatMap(({ content }) => Object.values(content ?? {}));
  return media.flatMap(({ examples }) => Object.values(examples ?? {}).map(({ value }) => value));
}

function isAttachment(value: unknown): value is Attachment {
  return ['id', 'name', 'type', 'size'].every((name) => read(value, name) !== undefined);
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const pathOf = (link: string) => new URL(link).pathname;

/** Replaces links only: nothing else in an example begins with the origin. */
function replaced(value: unknown, origin: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(`${exampleOrigin}/`) ? origin + value.slice(exampleOrigin.length) : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, origin));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, origin)]));
}
