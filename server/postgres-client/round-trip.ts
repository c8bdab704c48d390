import pg from 'pg';
import { encode, type Message } from './messages.ts';

export interface Statement {
  text: string;
  values: unknown[];
  /** The name of the prepared statement; undefined: the statement is not kept. */
  name: string | undefined;
}

/** The columns of a statement's rows. */
interface Columns {
  names: string[];
  parsers: ((text: string) => unknown)[];
  /** A row without values: copies of it share one hidden class. */
  empty: Record<string, unknown>;
}

/**
 * The columns of a connection's prepared statements, by name, so that the server describes them only once. They cannot
 * change: after a migration, the server refuses the statement.
 */
export type PreparedColumns = Map<string, Columns>;

/** The result of the last statement. */
export interface Result {
  command: string;
  rowCount: number;
  rows: Record<string, unknown>[];
}

/**
 * Executes statements in one round trip. They share one `Sync`: if one fails, the server skips those after it. All
 * messages are written at once.
 *
 * @param client parses the values of the rows
 */
export function roundTrip(
  client: pg.Client,
  statements: Statement[],
  prepared: PreparedColumns,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(new RoundTrip(statements, { client, prepared, resolve, reject }));
  });
}

interface RoundTripOptions {
  client: pg.Client;
  prepared: PreparedColumns;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** What the driver knows of a connection. */
interface DriverConnection {
  stream: { write(messages: Buffer): void };
  /** The text of each prepared statement, by name. The driver adds those that the server confirms. */
  parsedStatements: Record<string, string | undefined>;
}

const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): Message['values'][number] } }
).utils;
/** Times in UTC: the driver writes them in the time zone of this process, which takes longer. */
function parameterOf(value: unknown) {
  if (!(value instanceof Date)) return prepareValue(value);
  const text = value.toISOString();
  // PostgreSQL does not read a year with a sign.
  return text.length === 24 ? text : prepareValue(value);
}

const noColumns: Columns = { names: [], parsers: [], empty: {} };

/** A query for the driver, which calls it with each message of the server. They come in the order of the statements. */
class RoundTrip implements pg.Submittable {
  readonly #statements: Statement[];
  readonly #options: RoundTripOptions;
  readonly #rows: Record<string, unknown>[] = [];
  #current = 0;
  #columns: Columns | undefined;
  #tag = '';
  #unreadable: Error | undefined;

  constructor(statements: Statement[], options: RoundTripOptions) {
    this.#statements = statements;
    this.#options = options;
    this.#start(0);
  }

  #start(index: number): void {
    const { name = '' } = this.#statements[index] as Statement;
    this.#current = index;
    this.#columns = this.#options.prepared.get(name);
  }

  get #isLast(): boolean {
    return this.#current === this.#statements.length - 1;
  }

  /** The driver notes that the current statement has been prepared. */
  get name() {
    return this.#statements[this.#current]?.name;
  }
  get text() {
    return this.#statements[this.#current]?.text;
  }

  /** @returns the error of a value that cannot be sent; then nothing is sent */
  submit(connection: pg.Connection): Error | undefined {
    const { stream, parsedStatements } = connection as unknown as DriverConnection;
    try {
      stream.write(
        encode(this.#statements.map((each, index) => this.#message(each, index, parsedStatements))),
      );
    } catch (error) {
      return error as Error;
    }
    return undefined;
  }

  #message(
    { text, values, name = '' }: Statement,
    index: number,
    parsed: DriverConnection['parsedStatements'],
  ): Message {
    const isFirst = index === 0 || !this.#statements.slice(0, index).some((earlier) => earlier.name === name);
    return {
      name,
      text: name === '' || (isFirst && parsed[name] === undefined) ? text : undefined,
      isDescribed: this.#options.prepared.has(name),
      values: values.map(parameterOf),
    };
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const names = fields.map(({ name }) => name);
    this.#columns = {
      names,
      parsers: fields.map(({ dataTypeID }) => this.#options.client.getTypeParser(dataTypeID, 'text')),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.#isLast) return;
    const { names, parsers, empty } = this.#columns ?? noColumns;
    const row = { ...empty };
    try {
      for (let at = 0; at < fields.length; at++) {
        const field = fields[at];
        if (typeof field === 'string') row[names[at] as string] = parsers[at]?.(field);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#unreadable = error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.name) this.#options.prepared.set(this.name, this.#columns ?? noColumns);
    if (this.#isLast) this.#tag = text;
    else this.#start(this.#current + 1);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    const { resolve, reject } = this.#options;
    // `INSERT 0 1`, `SELECT 20`, `COMMIT`
    const [command = '', ...counts] = this.#tag.split(' ');
    if (this.#unreadable) reject(this.#unreadable);
    else resolve({ command, rowCount: Number(counts.at(-1) ?? 0), rows: this.#rows });
  }

  handleError(error: Error): void {
    this.#options.reject(error);
  }
}
