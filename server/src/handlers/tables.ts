import type { HandlersOf } from '../http/operation.ts';
import * as tables from '../store/tables.ts';

export const handlers = (): HandlersOf<'tables'> => ({
  async listTables({ query, caller, database }) {
    return { status: 200, body: await tables.listTables(database, caller, query) };
  },

  async listRecords({ path, query, database }) {
    return { status: 200, body: await tables.listRecords(database, path.tableId, query) };
  },
});
