import { Readable } from 'node:stream';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { fileNameOf } from '../../domain/file-names.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { mediaTypeOf } from '../../domain/media-types.ts';
import type { StoredFile } from '../../domain/stored-file.ts';
import { TaskFailure } from './task.ts';

export function invalid(cause: string): TaskFailure {
  return new TaskFailure('Wrp.InvalidArguments', cause);
}

/** @throws TaskFailure for a field that the task does not know: a mistyped one would be ignored for ever */
export function onlyFields(given: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`The field ‘${unknown}’ is not known: there are ${known.join(', ')}.`);
}

export function textOf(given: JsonObject, name: string): string {
  const text = optionalText(given, name);
  if (text === undefined) throw invalid(`‘${name}’ is missing.`);
  return text;
}

export function optionalText(given: JsonObject, name: string): string | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`‘${name}’ must be a string.`);
  if (!value.isWellFormed() || value.includes('\0'))
    throw invalid(`‘${name}’ holds a character that cannot be kept.`);
  return value;
}

/** The fields of a file that a definition writes. */
export const fileFields = ['name', 'contentType', 'text', 'base64', 'json'] as const;

/**
 * Stores the file that arguments describe: its content is one of `text`, `base64` and `json`.
 *
 * @param expectRoom throws where there is no room for so many bytes
 */
export async function storeFile(
  given: JsonObject,
  blobs: Pick<BlobStore, 'write'>,
  expectRoom: (size: number) => Promise<void>,
): Promise<StoredFile> {
  const named = fileNameOf(textOf(given, 'name'));
  if ('problem' in named) throw invalid(named.problem);
  const [content, usualType] = contentOf(given);
  const contentType = mediaTypeOf(optionalText(given, 'contentType') ?? usualType);
  if (contentType === undefined) throw invalid('‘contentType’ is no media type.');
  await expectRoom(content.length);
  const written = await blobs.write(Readable.from([content], { objectMode: false }));
  return { ...written, name: named.name, contentType };
}

function contentOf(given: JsonObject): [content: Buffer, usualType: string | undefined] {
  const forms = (['text', 'base64', 'json'] as const).filter((name) => given[name] !== undefined);
  if (forms.length !== 1) throw invalid('The content is one of ‘text’, ‘base64’ and ‘json’.');
  if (forms[0] === 'json') return [Buffer.from(JSON.stringify(given['json'])), 'application/json'];
  const text = textAsGiven(given[forms[0] as string]);
  if (forms[0] === 'text') return [Buffer.from(text), 'text/plain; charset=utf-8'];
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalid('‘base64’ is not base64.');
  return [Buffer.from(text, 'base64'), undefined];
}

function textAsGiven(value: Json | undefined): string {
  if (typeof value !== 'string') throw invalid('The content must be a string.');
  return value;
}
