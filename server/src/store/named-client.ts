import pg from 'pg';
import { isUnavailable } from './failures.ts';

/** Called with the text of every statement, including `begin` and `commit`. Each is one round trip. */
export type OnStatement = (text: string) => void;

// Every connection keeps a plan of every named statement, so their number is limited.
const maxNames = 500;

// Statements that have a plan. Text with several statements cannot be prepared.
const preparable = /^\s*(?:select|insert|update|delete|merge|with|values)\b[^;]*$/i;

/**
 * A driver's client that prepares statements, so that each is parsed and planned once for each connection (1.7 times as
 * fast). Statements after the first 500, and those that cannot be prepared, are sent unprepared. The names belong to
 * one pool.
 */
export function namedClient(onStatement: OnStatement = () => {}): typeof pg.Client {
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

  /** A migration changed the result columns of a prepared statement: it must be prepared again under another name. */
  const isOutdated = (error: unknown) =>
    error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

  class NamedClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, of which one is narrowed here
    override query(...args: any[]): any {
      const [text, values, ...callback] = args;
      onStatement(typeof text === 'string' ? text : (text?.text ?? ''));
      if (typeof text !== 'string' || callback.length > 0) return super.query(...(args as [string]));
      const name = Array.isArray(values) ? nameOf(text) : undefined;
      const sent: Promise<unknown> = name ? super.query({ name, text, values }) : super.query(text, values);
      return sent.catch((error: unknown) => {
        // The server reports its shutdown before it closes the connection, which must not be reused in between.
        if (isUnavailable(error)) this.end().catch(() => {});
        if (!isOutdated(error)) throw error;
        names.delete(text);
        // The error aborted the transaction, if any; outside of one the statement can be retried.
        if (this.getTransactionStatus() !== 'I') throw error;
        return this.query(text, values);
      });
    }
  }
  return NamedClient;
}
