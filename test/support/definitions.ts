import { join } from 'node:path';
import type { JsonObject } from '../../server/json/index.ts';
import { readPlatformFile } from '../../server/src/manifest/read.ts';

/** Returns its input, and who started it. */
export const echo: JsonObject = {
  QueryLanguage: 'JSONata',
  StartAt: 'Echo',
  States: {
    Echo: {
      Type: 'Succeed',
      Output: {
        parameters: '{% $states.input.parameters %}',
        workflowId: '{% $states.input.workflowId %}',
        createdDate: '{% $states.input.createdDate %}',
        origin: '{% $states.input.origin %}',
      },
    },
  },
};

/** A definition of these states, the first of which is the start. */
export function definitionOf(states: JsonObject, fields: JsonObject = {}): JsonObject {
  return { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0] as string, States: states, ...fields };
}

/** The demo's definitions by name. */
export async function demoDefinitions(): Promise<
  Record<string, { definition: JsonObject; inputSchema: JsonObject }>
> {
  const file = await readPlatformFile(join(import.meta.dirname, '../../server/demo/platform.yaml'));
  const definitions = file.environments.production?.workspaces[0]?.workflowDefinitions ?? [];
  return Object.fromEntries(
    definitions.map(({ name, definition, inputSchema = {} }) => [name, { definition, inputSchema }]),
  );
}
