import type { Json } from '../../../server/json/index.ts';
import { problemsOfLimits } from '../../../server/json-schema/index.ts';
import { type Attack, expectRefusal, type Group } from './attack.ts';
import { hostileExpressions } from './inputs/expressions.ts';
import { hostileSchemas, refusedDefinitions } from './inputs/schemas.ts';
import { apply, type Definition, declarationOf, ids } from './target.ts';

const schemaDefinition = (what: string) => `schema: ${what}`;
const expressionDefinition = (what: string) => `expression: ${what}`;

const isWithinLimits = (schema: unknown) => problemsOfLimits(schema as Json).length === 0;
const appliedSchemas = hostileSchemas.filter(([, schema]) => isWithinLimits(schema));
const tooLarge = hostileSchemas.filter(([, schema]) => !isWithinLimits(schema));

export const hostileDefinitions: Definition[] = [
  ...appliedSchemas.map(([what, schema]) => ({
    ...{ name: schemaDefinition(what), states: { Done: { Type: 'Succeed' } } },
    inputSchema: schema as object,
  })),
  ...hostileExpressions.map(([what, expression]) => ({
    name: expressionDefinition(what),
    states: { S: { Type: 'Pass', Output: { value: `{% ${expression} %}` }, End: true } },
  })),
];

/**
 * What the definitions of an operator can hold that is expensive to validate, to check against or to run.
 *
 * @param expressions how many of the expressions
 */
export const hostileWorkflows = (expressions: number): Group[] => [
  {
    tried: 'hostile input schemas',
    takesTurns: true,
    attacks: () =>
      appliedSchemas.map(([what, , parameters, errors]) => schemaAttack(what, parameters, errors)),
  },
  {
    tried: 'hostile expressions',
    takesTurns: true,
    // A state has 5 seconds of CPU time, and others run as well.
    longest: 150_000,
    attacks: () => hostileExpressions.slice(0, expressions).map(([what]) => expressionAttack(what)),
  },
  {
    tried: 'hostile definitions for wrp apply',
    takesTurns: true,
    atOnce: 2,
    attacks: () => [
      ...refusedDefinitions.map(([what, definition]) => applyAttack(what, definition)),
      ...tooLarge.map(([what, schema]) =>
        applyAttack(what, { inputSchema: schema as object, states: { Done: { Type: 'Succeed' } } }),
      ),
    ],
  },
];

function schemaAttack(what: string, parameters: unknown, errors: number | 'stopped'): Attack {
  return {
    name: what,
    async run({ start }) {
      const response = await start(schemaDefinition(what), parameters);
      if (errors === 0 && response.status === 200) return undefined;
      // Parameters with more values than a body may have are refused before.
      const code = response.text.includes('body_invalid') ? 'body_invalid' : 'parameters_mismatch';
      return expectRefusal(response, { statuses: [400], code });
    },
  };
}

function expressionAttack(what: string): Attack {
  return {
    name: what,
    async run({ start, ending }) {
      const { status, error } = await ending(await start(expressionDefinition(what), {}));
      const isExpected = /^States\.(QueryEvaluationError|DataLimitExceeded)$/.test(error ?? '');
      return isExpected ? undefined : `ended ${status} with ${error}`;
    },
  };
}

/** Expects that a definition is refused with a message for each problem. */
function applyAttack(what: string, definition: Omit<Definition, 'name'> | string): Attack {
  return {
    name: what,
    async run({ dataDirectory, name: environment }) {
      const declared =
        typeof definition === 'string'
          ? definition
          : JSON.stringify(declarationOf({ name: what, ...definition }));
      const workspace = {
        id: ids.workspace,
        name: 'Attacked',
        description: '',
        type: environment === 'production' ? 'LIVE' : 'SANDBOX',
      };
      const organization = { id: ids.organization, name: 'Attacked' };
      const owner = {
        email: 'owner@attacked.example',
        firstName: 'owner',
        lastName: 'Attacked',
        role: 'owner',
      };
      const file = JSON.stringify({
        environments: {
          [environment]: {
            organization,
            users: [owner],
            workspaces: [{ ...workspace, workflowDefinitions: ['@'] }],
          },
        },
      });
      const output = await apply(
        dataDirectory,
        file.replace('"@"', () => declared),
      );
      if (output === undefined) return 'was accepted';
      return /^\S+:\d+:\d+ /m.test(output) ? undefined : `unexpected message: ${output.slice(0, 300)}`;
    },
  };
}
