import type { Command } from 'commander';
import { isUuid } from '../domain/identifiers.ts';
import { idInLinkToken, linkDigest, tokenIn } from '../domain/link-tokens.ts';
import { databaseTime } from '../store/clock.ts';
import { hasCase, listLinks, revokeLink } from '../store/link-list.ts';
import { CommandError, noSuch, notFound, parseId } from './command-error.ts';
import { changeEnvironment, inEnvironment } from './connect.ts';
import { action, commandGroup, type EnvironmentOptions, parseLimit } from './options.ts';
import { formatMinute, printJson, printList } from './print.ts';

type ListOptions = EnvironmentOptions & { case?: string; all: boolean; limit: number };

/** `wrp link`. The API creates single-use links but does not list them. */
export function addLinkCommands(program: Command): void {
  const description = 'Single-use links: URLs with which a person starts a workflow, once.';
  const add = commandGroup(program, 'link', description);
  add('list --all', 'Lists the links that can be used, newest first, without their addresses.')
    .option('--case <id>', "only this case's")
    .option('--all', 'include used, revoked and expired ones', false)
    .option('--limit <n>', 'the maximum number of links', parseLimit, 50)
    .action(action(runList));
  add('revoke 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02', 'Revokes a link: it can no longer start a workflow.')
    .argument('<id|link>', 'its id or address')
    .action(action(runRevoke));
}

async function runList(options: ListOptions): Promise<void> {
  const { environment, json, all, limit } = options;
  const caseId = options.case === undefined ? undefined : parseId('case', options.case, options);
  const { content: links } = await inEnvironment(options, async (database) => {
    if (caseId && !(await hasCase(database, caseId))) throw notFound('case', caseId, options);
    return listLinks(database, { all, caseId }, { size: limit }, await databaseTime(database));
  });
  printList(links, {
    json,
    empty: `There are no ${all ? '' : 'usable '}links in ${environment}.`,
    columns: {
      ID: (link) => link.id,
      STATE: (link) => link.state,
      CASE: (link) => link.case.name,
      WORKFLOW: (link) => link.workflowDefinition.name,
      'CREATED BY': (link) => link.createdBy.email,
      CREATED: (link) => formatMinute(link.createdDateTime),
      EXPIRES: (link) => formatMinute(link.expiresAt),
      MAILED: (link) => (link.sentDateTime ? formatMinute(link.sentDateTime) : '-'),
    },
  });
}

async function runRevoke(reference: string, options: EnvironmentOptions): Promise<void> {
  const { json } = options;
  const token = tokenIn(reference);
  const idInToken = idInLinkToken(token);
  const link = idInToken
    ? { id: idInToken, secretSha256: linkDigest(token) }
    : { id: reference.toLowerCase() };
  const outcome = isUuid(link.id)
    ? await changeEnvironment(options, (database, now) => revokeLink(database, link, now))
    : 'unknown';
  if (outcome === 'unknown') throw noSuch('link', link.id, options);
  if (outcome === 'used')
    throw new CommandError('The link was already used: cancel the execution that it started instead.');
  if (json) return printJson({ outcome });
  console.error(outcome === 'revoked' ? 'The link is revoked.' : 'The link was already revoked.');
}
