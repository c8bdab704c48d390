import type * as node from '../node/files.ts';

/** There are no paths here. @throws Always: take a `File` of a form, or a `Blob`. */
export const fromPath: typeof node.fromPath = () => refuse('fromPath', 'Upload a File or a Blob.');

/** There are no paths here. @throws Always: read the stream. */
export const saveTo: typeof node.saveTo = () => refuse('saveTo', 'Read the stream of the download.');

async function refuse(name: string, instead: string): Promise<never> {
  throw new Error(`${name}() needs a file system. ${instead}`);
}
