import type { HandlersOf } from '../http/operation.ts';
import { listHistory } from '../store/execution-history.ts';
import { paged } from './paged.ts';

export const handlers = (): HandlersOf<'history'> => ({
  async listHistory({ path: { workflowId }, query, database }) {
    return paged(`history of ${workflowId}`, query, (page) => listHistory(database, workflowId, page));
  },
});
