import { type Command, InvalidArgumentError } from 'commander';
import { formatDetails, formatSecond } from '../console/formats.ts';
import { type TimeOption, timeOfOption } from '../domain/time-options.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPosition,
  actorNamed,
  auditPosition,
  listAuditEntries,
} from '../store/audit-list.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { parseTimeOption, timeOptionNote } from './execution-filter.ts';
import { action, commandGroup, type EnvironmentOptions, exclusiveOption, parseLimit } from './options.ts';
import { jsonOf, printList } from './print.ts';

type ListOptions = EnvironmentOptions & {
  actor?: string;
  action?: string;
  object?: string;
  since?: TimeOption;
  until?: TimeOption;
  after?: AuditPosition;
  oldestFirst: boolean;
  limit: number;
  all: boolean;
};

/** Entries read by one statement. */
const readSize = 500;

const notes = `
An action is an operation of the API, such as changeUserRole, or a command, such as "token create". With --json, each entry is
a line of JSON. For an export, continue with the cursor of the last entry of the previous one:
  $ wrp audit list --json --oldest-first --all --after "$cursor" >> audit.jsonl`;

/** `wrp audit`. */
export function addAuditCommands(program: Command): void {
  const description = 'The audit log: who changed what, when and from where. Kept for AUDIT_RETENTION_DAYS.';
  const add = commandGroup(program, 'audit', description);
  add('list --actor ada@example.com --since 7d', 'Lists changes by operators and callers, newest first.')
    .option('--actor <email|id|name>', 'only by this user, or this system user')
    .option('--action <name>', 'only this operation or command')
    .option('--object <id>', 'only of this object')
    .option('--since <time>', `only those made then or later: ${timeOptionNote}`, parseTimeOption)
    .option('--until <time>', 'only those made before', parseTimeOption)
    .option('--oldest-first', 'the oldest first', false)
    .option('--after <cursor>', 'continue after this entry', parseCursor)
    .option('--limit <n>', 'the maximum number of entries', parseLimit, 50)
    .addOption(exclusiveOption('--all', 'all entries', 'limit').default(false))
    .addHelpText('after', notes)
    .action(action(runList));
}

async function runList(options: ListOptions): Promise<void> {
  const { environment, json, all, limit } = options;
  await inEnvironment(options, async (database) => {
    const filter = await filterOf(database, options);
    const entries: AuditEntry[] = [];
    let last: AuditEntry | undefined;
    for (let left = all ? Number.POSITIVE_INFINITY : limit; left > 0; ) {
      const size = Math.min(readSize, left);
      const after = last ? auditPosition(last.cursor) : options.after;
      const page = await listAuditEntries(database, filter, {
        after,
        oldestFirst: options.oldestFirst,
        size,
      });
      if (json) for (const entry of page) console.log(jsonOf(entry));
      else entries.push(...page);
      last = page.at(-1);
      left -= page.length;
      if (page.length < size) return json || print(entries, environment);
    }
    if (!json) print(entries, environment);
    console.error(`There may be more: add --after ${last?.cursor}, or --all.`);
  });
}

async function filterOf(database: Database, options: ListOptions): Promise<AuditFilter> {
  const { actor, action, object: objectId, since, until } = options;
  const found = actor === undefined ? undefined : await actorNamed(database, actor);
  if (actor !== undefined && found === undefined)
    throw new CommandError(`Several organizations have a user ${actor}: use the user's id.`);
  const now = await databaseTime(database);
  const times = { since: timeOfOption(since, now), until: timeOfOption(until, now) };
  return { actor: found, action, objectId, ...times };
}

function print(entries: AuditEntry[], environment: string): void {
  printList(entries, {
    json: undefined,
    empty: `There are no matching entries in ${environment}.`,
    columns: {
      AT: ({ at }) => formatSecond(at),
      ACTOR: ({ actor }) => actor.name ?? actor.id,
      ACTION: (entry) => entry.action,
      OBJECT: ({ object: { kind, id, name } }) => [kind, id, name].filter(Boolean).join(' '),
      SOURCE: ({ source }) => source,
      DETAILS: ({ details, names }) => formatDetails(details, names),
    },
  });
}

function parseCursor(text: string): AuditPosition {
  const position = auditPosition(text);
  if (position) return position;
  throw new InvalidArgumentError('It must be the cursor of an entry.');
}
