import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../server/json/index.ts';
import { problemsOfLimits } from '../../server/json-schema/index.ts';
import { PlatformFileError } from '../../server/src/manifest/platform-file.ts';
import { parsePlatformFile } from '../../server/src/manifest/read.ts';
import { definitionOf } from '../support/definitions.ts';
import { hostileSchemas, refusedDefinitions } from '../support/hostile/schemas.ts';

const tooLarge = hostileSchemas.filter(([, schema]) => problemsOfLimits(schema as Json).length > 0);
const declared = (states: JsonObject, inputSchema = {}) =>
  JSON.stringify({ name: 'hostile', revision: '1', inputSchema, definition: definitionOf(states) });
const cases = [
  ...refusedDefinitions.map(([what, definition]): [string, string] => [
    what,
    typeof definition === 'string'
      ? definition
      : declared(definition.states as JsonObject, definition.inputSchema),
  ]),
  ...tooLarge.map(([what, schema]): [string, string] => [
    what,
    declared({ Done: { Type: 'Succeed' } }, schema as object),
  ]),
];

/** A platform file around a definition, as JSON, which is YAML. */
function platformOf(definition: string): string {
  const users = [{ email: 'ada@lake.example', firstName: 'Ada', lastName: 'Lake', role: 'owner' }];
  const workspaces = [{ name: 'Boats', type: 'LIVE', workflowDefinitions: ['@'] }];
  const production = { organization: { name: 'Lake' }, users, workspaces };
  return JSON.stringify({ environments: { production } }).replace('"@"', () => definition);
}

test.each(cases)(
  'a platform file whose definition has %s is refused, with its position',
  (_what, definition) => {
    let refusal: unknown;
    try {
      parsePlatformFile(platformOf(definition), 'p.yaml');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(PlatformFileError);
    const { lines } = refusal as PlatformFileError;
    expect(lines).toContainEqual(expect.stringMatching(/^p\.yaml:\d+:\d+ /));
  },
);
