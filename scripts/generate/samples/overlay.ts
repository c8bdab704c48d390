import { type OperationObject, routesOf } from '../../../server/contract/index.ts';
import { CommandError } from '../../command-line/command.ts';
import { type Overlay, operationTarget } from '../../contract/overlay.ts';
import type { Contract } from '../../contract/source.ts';
import { type CurlRequest, parseCurl, type ResponseBody } from './curl.ts';
import { goSample } from './go.ts';
import { pythonSample } from './python.ts';
import type { Samples } from './read.ts';

/** One entry of `x-codeSamples`, an extension of Redoc. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/**
 * The samples as an overlay (version 1.0) that gives each operation its `x-codeSamples`.
 *
 * @throws {CommandError} with the operations that have no sample, and the samples that have no operation
 */
export function samplesOverlay(contract: Contract, { shell, typeScript }: Samples): Overlay {
  const routes = routesOf(contract);
  const operationIds = new Set(routes.map(({ operation }) => operation.operationId));
  const problems = [
    ...[...operationIds].filter((id) => !shell[id]).map((id) => `${id} has no sample in cURL`),
    ...[...operationIds].filter((id) => !typeScript[id]).map((id) => `${id} has no sample in TypeScript`),
    ...Object.keys({ ...shell, ...typeScript })
      .filter((id) => !operationIds.has(id))
      .map((id) => `${id} is not an operation`),
  ];
  if (problems.length > 0) throw new CommandError(`fix test/samples/: ${problems.join('; ')}.`);
  return {
    overlay: '1.0.0',
    info: {
      title: 'Code samples, extracted from the tests that run them',
      version: String(contract.info['version']),
    },
    actions: routes.map(({ path, method, operation }) => {
      const { operationId } = operation;
      const curl = shell[operationId] ?? '';
      const codeSamples: CodeSample[] = [
        { lang: 'Shell', label: 'cURL', source: curl },
        { lang: 'TypeScript', label: 'TypeScript', source: typeScript[operationId] ?? '' },
        ...derivedSamples(operation, curl),
      ];
      return { target: operationTarget(path, method), update: { 'x-codeSamples': codeSamples } };
    }),
  };
}

/** The cURL sample of an operation in other languages. */
export function derivedSamples(operation: OperationObject, curl: string): CodeSample[] {
  try {
    return inOtherLanguages(parseCurl(curl), responseBodyOf(operation));
  } catch (error) {
    throw new CommandError(`the cURL sample of ${operation.operationId}: ${(error as Error).message}`);
  }
}

/** The samples of a request in the languages that are made from cURL. */
export function inOtherLanguages(request: CurlRequest, body: ResponseBody): CodeSample[] {
  return [
    { lang: 'Python', label: 'Python', source: pythonSample(request, body) },
    { lang: 'Go', label: 'Go', source: goSample(request, body) },
  ];
}

/** What the first success of an operation contains. */
export function responseBodyOf({ responses }: OperationObject): ResponseBody {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [type] = Object.keys(success?.content ?? {});
  if (type === undefined) return 'none';
  return type === 'application/json' ? 'json' : 'text';
}
