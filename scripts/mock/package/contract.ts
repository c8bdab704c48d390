import { readFile } from 'node:fs/promises';
import type { Contract } from '../../contract/source.ts';

const remedy = 'It takes an OpenAPI 3.1 document in JSON, such as /openapi.json of a platform.';

/**
 * Reads a contract. Default: the one of this package.
 *
 * @throws an error of one line if there is no such document, or it is not a contract
 */
export async function readContract(source?: string | URL | object): Promise<Contract> {
  if (source === undefined) {
    const { default: contract } = await import('../../../generated/openapi.json', { with: { type: 'json' } });
    return contract as unknown as Contract;
  }
  if (typeof source === 'object' && !(source instanceof URL))
    return checked(structuredClone(source), 'The contract');
  return checked(parsed(await textOf(source), source), `The contract ${source}`);
}

async function textOf(source: string | URL): Promise<string> {
  const isRemote = /^https?:/i.test(String(source));
  const failed = ({ message, cause }: Error) =>
    new Error(`The contract ${source} cannot be read: ${cause instanceof Error ? cause.message : message}`);
  if (!isRemote) {
    const file = /^file:/i.test(String(source)) ? new URL(source) : source;
    return readFile(file, 'utf8').catch((error) => Promise.reject(failed(error)));
  }
  const response = await fetch(source).catch((error) => Promise.reject(failed(error)));
  if (!response.ok) throw new Error(`The contract ${source} cannot be read: status ${response.status}.`);
  return response.text();
}

function parsed(text: string, source: string | URL): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The contract ${source} is not JSON. ${remedy}`);
  }
}

function checked(document: unknown, name: string): Contract {
  const { openapi, info, paths } = (document ?? {}) as Partial<Contract>;
  const isContract = /^3\.1\./.test(String(openapi)) && info !== undefined && paths !== undefined;
  if (!isContract) throw new Error(`${name} is not an OpenAPI 3.1 document. ${remedy}`);
  const outside = /"\$ref":"(?!#)([^"]+)"/.exec(JSON.stringify(document))?.[1];
  if (outside) throw new Error(`${name} refers to another file, ${outside}: bundle it first.`);
  return { components: {}, ...(document as object) } as Contract;
}
