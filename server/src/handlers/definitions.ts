import type { HandlersOf } from '../http/operation.ts';
import { listStartableDefinitions } from '../store/definitions.ts';
import { paged } from './paged.ts';

export const handlers = (): HandlersOf<'definitions'> => ({
  async listWorkflowDefinitions({ query, caller, database }) {
    return paged('definitions', query, (page) => listStartableDefinitions(database, caller, page));
  },
});
