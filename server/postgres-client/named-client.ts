import type { Socket } from 'node:net';
import pg from 'pg';
import { isOutdatedStatement, isUnavailable } from './failures.ts';
import { type PreparedColumns, roundTrip, type Statement } from './round-trip.ts';

/** Called for each round trip with its statements, including `begin` and `commit`, separated by `; `. */
export type OnStatement = (text: string) => void;

/**
 * Ends a statement whose result is not needed in its transaction: it is sent with the next statement or the `commit`, in
 * the same round trip. If it fails, so does that one, and the transaction is rolled back.
 */
export const withNext = '/* with next */';

// Every connection keeps a plan of every named statement, so their number is limited.
const maxNames = 500;

// Statements that have a plan, and those of every transaction. Text with several statements cannot be prepared.
const preparable =
  /^\s*(?:select|insert|update|delete|merge|with|values)\b[^;]*$|^(?:begin|commit|rollback)$/i;

/** Milliseconds for which a connection may be silent after its statement has timed out. */
const silenceAfterTimeout = 3_000;

interface Transaction {
  /** Statements that are sent with the next one; the first is `begin` if the server has not received it. */
  waiting: Statement[];
  hasBegun: boolean;
}

/**
 * A driver's client that prepares statements, so that each is parsed and planned once for each connection (1.7 times as
 * fast). Statements after the first 500, and those that cannot be prepared, are sent unprepared. The names belong to
 * one pool.
 *
 * The `begin` of a transaction is sent with its first statement, in one round trip.
 *
 * A connection whose server is silent for longer than the timeout of statements is closed: its host may have vanished
 * without a word.
 */
export function namedClient(onStatement?: OnStatement): typeof pg.Client {
  const names = new Map<string, string>();
  let count = 0;

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames || !preparable.test(text)) return known;
    count += 1;
    const name = `s${count}`;
    names.set(text, name);
    return name;
  };

  class NamedClient extends pg.Client {
    #transaction: Transaction | undefined;
    readonly #prepared: PreparedColumns = new Map();

    constructor(config: pg.ClientConfig) {
      super(config);
      const { statement_timeout: timeout } = config;
      if (timeout) this.once('connect', () => this.#closeIfSilent(timeout + silenceAfterTimeout));
    }

    #closeIfSilent(milliseconds: number): void {
      const driver = this as unknown as { connection: { stream: Socket }; readyForQuery: boolean };
      const { stream } = driver.connection;
      stream.setTimeout(milliseconds, () => {
        // Otherwise it is idle.
        if (!driver.readyForQuery) stream.destroy();
      });
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, of which one is narrowed here
    override query(...args: any[]): any {
      const [text, values, ...callback] = args;
      if (typeof text === 'string' && Array.isArray(values) && callback.length === 0)
        return this.#query(text, values);
      if (typeof text?.submit !== 'function') onStatement?.(text?.text ?? text);
      return super.query(...(args as [string]));
    }

    #query(text: string, values: unknown[]): Promise<unknown> {
      const transaction = this.#transaction;
      if (text === 'begin') {
        this.#transaction = { waiting: [statementOf(text)], hasBegun: false };
        return unsent('BEGIN');
      }
      if (transaction && (text === 'commit' || text === 'rollback')) {
        this.#transaction = undefined;
        const waiting = text === 'commit' ? transaction.waiting : [];
        // The server knows nothing of it, and there is nothing but the `begin`.
        if (!transaction.hasBegun && waiting.length <= 1) return unsent(text.toUpperCase());
        return this.#send([...waiting, statementOf(text)]);
      }
      const statement = statementOf(text, values);
      if (!transaction) return this.#send([statement]);
      if (text.endsWith(withNext)) {
        transaction.waiting.push(statement);
        return unsent('INSERT');
      }
      const waiting = transaction.waiting.splice(0);
      transaction.hasBegun = true;
      if (waiting.length === 0 || !text.includes(';')) return this.#send([...waiting, statement]);
      // Several statements in one text cannot share a round trip.
      return this.#send(waiting).then(() => this.#send([statement]));
    }

    #send(statements: [...Statement[], Statement] | Statement[]): Promise<unknown> {
      onStatement?.(statements.map(({ text }) => text).join('; '));
      const [{ name, text, values }] = statements as [Statement];
      // A text with several statements is sent as it is.
      const sent: Promise<unknown> =
        statements.length > 1 || name
          ? roundTrip(this, statements, this.#prepared)
          : super.query(text, values);
      return sent.catch((error: unknown) => {
        // The server reports its shutdown before it closes the connection, which must not be reused in between.
        if (isUnavailable(error)) this.end().catch(() => {});
        if (!isOutdatedStatement(error)) throw error;
        for (const { text } of statements) names.delete(text);
        // The error aborted the transaction, which its caller repeats; outside of one the statement is.
        if (this.#transaction || statements.length > 1) throw error;
        return this.#send([statementOf(text, values)]);
      });
    }
  }

  const statementOf = (text: string, values: unknown[] = []): Statement => ({
    text,
    values,
    name: nameOf(text),
  });
  return NamedClient;
}

/** The result of a statement that is sent later, or not at all. */
function unsent(command: string): Promise<unknown> {
  return Promise.resolve({ command, rowCount: 0, rows: [] });
}
