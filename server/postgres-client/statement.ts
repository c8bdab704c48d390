import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { withNext } from './named-client.ts';

type Tag = <Row = never>(parts: TemplateStringsArray, ...values: unknown[]) => CompiledQuery<Row>;

/**
 * A statement of a hot path: like Kysely's `sql`, but every value is a parameter, so that the text is constant and
 * composed only once.
 */
export const statement: Tag = statementsWith('');

/** The same, for a statement that is sent with the next one; see `withNext`. */
export const statementWithNext: Tag = statementsWith(` ${withNext}`);

function statementsWith(suffix: string): Tag {
  // Each place in the code has its own array.
  const texts = new WeakMap<TemplateStringsArray, string>();
  return (parts, ...values) => {
    let text = texts.get(parts);
    if (text === undefined) {
      text = parts.reduce((before, part, index) => `${before}$${index}${part}`) + suffix;
      texts.set(parts, text);
    }
    return CompiledQuery.raw(text, values) as CompiledQuery<never>;
  };
}

/** A timestamptz column in the format of `Date.toISOString`. */
export function isoTime(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
