import type * as node from '../node/files.ts';

/** Browsers encode forms themselves. */
export const multipartForm: typeof node.multipartForm | undefined = undefined;

/** Browsers have no runtime to name. */
export const runtime: typeof node.runtime | undefined = undefined;

/** Browsers keep requests and responses alive themselves. */
export const retain: typeof node.retain | undefined = undefined;

/** @throws always: browsers have no file paths; upload a `File` or a `Blob` */
export const fromPath: typeof node.fromPath = () => unsupported('fromPath', 'Upload a File or a Blob.');

/** @throws always: browsers have no file paths; read the stream */
export const saveTo: typeof node.saveTo = () => unsupported('saveTo', 'Read the stream of the download.');

async function unsupported(name: string, instead: string): Promise<never> {
  throw new Error(`${name}() needs a file system. ${instead}`);
}
