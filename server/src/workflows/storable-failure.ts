import { longestCause, longestErrorName, type MachineError } from '../domain/failures.ts';

/** A failure as it is kept: a definition writes it, of any length, and PostgreSQL keeps no zero character. */
export function storable({ error, cause }: MachineError): MachineError {
  const clean = (text: string, most: number) => text.slice(0, most).replaceAll('\0', '\uFFFD').toWellFormed();
  return { error: clean(error, longestErrorName), cause: clean(cause, longestCause) };
}
