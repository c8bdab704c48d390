import { Readable } from 'node:stream';
import type { BlobStore, StoredFile } from '../../../blobs/index.ts';
import { fileNameOf, mediaTypeOf } from '../../../http-bodies/index.ts';
import type { JsonObject } from '../../../json/index.ts';
import { TaskFailure } from './task.ts';

export function invalid(cause: string): TaskFailure {
  return new TaskFailure('Wrp.InvalidArguments', cause);
}

/** @throws TaskFailure for an unknown field, which is probably misspelled */
export function onlyFields(args: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`Unknown field ‘${unknown}’; the fields are ${known.join(', ')}.`);
}

export function textOf(args: JsonObject, name: string): string {
  const text = optionalText(args, name);
  if (text === undefined) throw invalid(`‘${name}’ is missing.`);
  return text;
}

export function optionalText(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`‘${name}’ must be a string.`);
  return value;
}

/** The arguments that describe a file. */
export const contentFields = ['text', 'base64', 'json'] as const;
export const fileFields = ['name', 'contentType', ...contentFields] as const;

/**
 * Stores the file that the arguments describe. Its content is one of `text`, `base64` and `json`.
 *
 * @param assertFits throws if a file of this size exceeds the quota
 */
export async function storeFile(
  args: JsonObject,
  blobs: Pick<BlobStore, 'write'>,
  assertFits: (size: number) => Promise<void>,
): Promise<StoredFile> {
  const named = fileNameOf(textOf(args, 'name'));
  if ('problem' in named) throw invalid(named.problem);
  const [content, defaultType] = contentOf(args);
  const contentType = mediaTypeOf(optionalText(args, 'contentType') ?? defaultType);
  if (contentType === undefined) throw invalid('‘contentType’ is not a media type.');
  await assertFits(content.length);
  const written = await blobs.write(Readable.from([content], { objectMode: false }));
  return { ...written, name: named.name, contentType };
}

function contentOf(args: JsonObject): [content: Buffer, defaultType: string | undefined] {
  const [format, ...others] = contentFields.filter((name) => args[name] !== undefined);
  if (!format || others.length > 0) throw invalid('The content must be one of ‘text’, ‘base64’ and ‘json’.');
  const content = args[format];
  if (format === 'json') return [Buffer.from(JSON.stringify(content)), 'application/json'];
  if (typeof content !== 'string') throw invalid('The content must be a string.');
  if (format === 'text') return [Buffer.from(content), 'text/plain; charset=utf-8'];
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(content)) throw invalid('‘base64’ is not valid base64.');
  return [Buffer.from(content, 'base64'), undefined];
}
