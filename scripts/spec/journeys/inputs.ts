import { randomUUID } from 'node:crypto';
import { routesOf } from '../../../server/contract/index.ts';
import { CommandError } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';

/** The inputs of the journeys, by name. */
export type Inputs = Record<string, string>;

/**
 * Reads the inputs from the text of a `demo.json`.
 *
 * @param file its name in errors
 * @throws {CommandError} if it is not a demo.json, or lacks the environment
 */
export function demoInputs(text: string, file: string, environment: 'production' | 'sandbox'): Inputs {
  const content = parsed(text)?.[environment];
  if (typeof content !== 'object' || content === null) {
    throw new CommandError(`${file} is not a demo.json: it has no "${environment}".`);
  }
  const { organizationToken: token, workflowDefinitionId: definitionId, definitions, ...rest } = content;
  const inputs = {
    ...rest,
    token,
    definitionId,
    runId: randomUUID(),
    largeDefinitionId: definitions?.large,
    waitDefinitionId: definitions?.wait,
  };
  return Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => typeof value === 'string'),
  ) as Inputs;
}

// biome-ignore lint/suspicious/noExplicitAny: the caller checks it
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Inputs for the mock, which accepts any value of the right form: the examples of the contract. */
export function inputsOfMock(contract: Contract): Inputs {
  const examples = routesOf(contract)
    .flatMap(({ operation }) => operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => [parameter.name, (parameter as { example?: string }).example]);
  const ids = Object.fromEntries(examples.filter(([, example]) => example !== undefined));
  const secret = (prefix: string, length: number) => prefix.padEnd(length, '0');
  return {
    ...ids,
    token: secret('tot_', 42),
    apiKey: secret('wrpk_', 37),
    apiSecret: secret('wrps_', 48),
    caseId: ids.userId,
    definitionId: ids.workflowId,
    runId: randomUUID(),
  };
}
