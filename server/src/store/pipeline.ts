import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
  /** Of the prepared statement; undefined: not kept. */
  name: string | undefined;
}

/**
 * Sends several statements in one round trip and returns the result of the last. They share one `Sync`: if one fails,
 * the server skips those after it.
 *
 * @param client parses the values of the rows
 */
export function sendTogether(client: pg.Client, statements: Statement[]): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result);
    const queries = statements.map(
      ({ text, values, name }) =>
        new pg.Query(
          { text, values, name, types: client, queryMode: 'extended' } as pg.QueryConfig,
          settle as never,
        ),
    );
    client.query(new Pipeline(queries as unknown as DriverQuery[]));
  });
}

/** What the driver calls of a query: with each message of the server that belongs to it. */
interface DriverQuery extends pg.Submittable {
  name: string | undefined;
  text: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
  handleEmptyQuery(connection: DriverConnection): void;
  handleReadyForQuery(connection: DriverConnection): void;
  handleError(error: Error, connection: DriverConnection): void;
}

interface DriverConnection extends pg.Connection {
  /** Those sent and not yet confirmed, by name. */
  submittedNamedStatements: Record<string, string>;
}

/** A query for the driver that passes each message on to the statement to which it belongs: they come in order. */
class Pipeline implements DriverQuery {
  readonly #queries: DriverQuery[];
  #current = 0;

  constructor(queries: DriverQuery[]) {
    this.#queries = queries;
  }

  get #query(): DriverQuery {
    return this.#queries[this.#current] as DriverQuery;
  }

  /** The driver notes that the current statement has been prepared. */
  get name() {
    return this.#query.name;
  }
  get text() {
    return this.#query.text;
  }

  submit(connection: pg.Connection): void {
    const withoutSync = Object.create(connection, { sync: { value: () => {} } }) as pg.Connection;
    connection.stream.cork();
    try {
      for (const query of this.#queries)
        query.submit(query === this.#queries.at(-1) ? connection : withoutSync);
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription(message: unknown): void {
    this.#query.handleRowDescription(message);
  }
  handleDataRow(message: unknown): void {
    this.#query.handleDataRow(message);
  }
  handleCommandComplete(message: unknown, connection: DriverConnection): void {
    this.#query.handleCommandComplete(message, connection);
    if (this.#current < this.#queries.length - 1) this.#current += 1;
  }
  handleEmptyQuery(connection: DriverConnection): void {
    this.#query.handleEmptyQuery(connection);
  }
  handleReadyForQuery(connection: DriverConnection): void {
    this.#query.handleReadyForQuery(connection);
  }
  handleError(error: Error, connection: DriverConnection): void {
    // The server has skipped these: they are not prepared.
    for (const { name } of this.#queries.slice(this.#current))
      if (name) delete connection.submittedNamedStatements[name];
    this.#query.handleError(error, connection);
  }
}
