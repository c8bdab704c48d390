import type { HandlersOf } from '../http/operation.ts';
import * as tables from '../store/tables.ts';
import { paged } from './paged.ts';

export const handlers = (): HandlersOf<'tables'> => ({
  async listTables({ query, caller, database }) {
    return paged('tables', query, (page) => tables.listTables(database, caller, page));
  },

  async listRecords({ path, query, database }) {
    const { tableId } = path;
    return paged(`records ${tableId}`, query, (page) => tables.listRecords(database, tableId, page));
  },
});
