import type { HandlersOf } from '../http/operation.ts';
import { listStartableDefinitions } from '../store/definitions.ts';

export const handlers = (): HandlersOf<'definitions'> => ({
  async listWorkflowDefinitions({ query, caller, database }) {
    return { status: 200, body: await listStartableDefinitions(database, caller, query) };
  },
});
