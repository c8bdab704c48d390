import { environmentNames } from '../config.ts';
import { isUuid } from '../domain/identifiers.ts';
import { isStoredIn, type NamedTable } from '../store/environments.ts';
import { type NotFoundError, objectNouns } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { printableLines } from './print.ts';

/** The message of the error, with the environment that does have the object, if one has. */
export async function describeNotFound({ message, object }: NotFoundError): Promise<string> {
  const { noun, reference, options } = object;
  const table: NamedTable = objectNouns[noun];
  if (table.name === undefined && !isUuid(reference)) return printableLines(message);
  const find = () =>
    withPlatform(options, { readOnly: true, reads: true }, async (open) => {
      const database = await open(options.environment);
      for (const other of environmentNames.filter((name) => name !== options.environment))
        if (await isStoredIn(database, other, table, reference)) return other;
      return undefined;
    });
  // The hint is not worth another error.
  const other = await find().catch(() => undefined);
  return printableLines(other ? `${message} It is in ${other}: add -e ${other}.` : message);
}
