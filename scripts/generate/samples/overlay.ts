import { routesOf } from '../../../server/src/contract/routes.ts';
import { CommandError } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';
import { type Overlay, operationTarget } from '../../portal/contract/overlay.ts';
import type { Samples } from './read.ts';

/** One entry of `x-codeSamples`, an extension of Redoc. */
interface CodeSample {
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
    actions: routes.map(({ path, method, operation: { operationId } }) => ({
      target: operationTarget(path, method),
      update: {
        'x-codeSamples': [
          { lang: 'Shell', label: 'cURL', source: shell[operationId] },
          { lang: 'TypeScript', label: 'TypeScript', source: typeScript[operationId] },
        ] as CodeSample[],
      },
    })),
  };
}
