import { Command } from 'commander';
import { isUuid } from '../domain/identifiers.ts';
import { linkDigest, tokenIn } from '../domain/link-addresses.ts';
import { idInLinkToken } from '../domain/link-tokens.ts';
import { hasCase, listLinks, revokeLink } from '../store/link-list.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, idOf, inEnvironment, noSuch } from './environment.ts';
import { environmentOption } from './options.ts';
import { minuteOf, printJson, printTable } from './print.ts';

type Options = EnvironmentOptions & { case?: string; all: boolean };

const examples = {
  list: 'list --all',
  revoke: 'revoke 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
};

/** `wrp link`: single-use links, which the API makes and nobody can see again. */
export function linkCommand(): Command {
  const environment = () => environmentOption('where').default('production');
  const example = (text: string) => `\nExample:\n  $ wrp link ${text}`;
  const list = new Command('list')
    .description('Lists the links that can be used, without their addresses.')
    .option('--case <id>', "only this case's")
    .option('--all', 'used, withdrawn and expired ones as well', false)
    .addOption(environment())
    .addHelpText('after', example(examples.list))
    .action((_options: unknown, command: Command) => runList(command.optsWithGlobals()));
  const revoke = new Command('revoke')
    .description('Withdraws a link: nothing can be started with it any more.')
    .argument('<id|link>', 'its identifier, or its address')
    .addOption(environment())
    .addHelpText('after', example(examples.revoke))
    .action((text: string, _options: unknown, command: Command) =>
      runRevoke(text, command.optsWithGlobals()),
    );
  return new Command('link')
    .description('Single-use links: addresses from which a person starts a workflow, once.')
    .addCommand(list)
    .addCommand(revoke)
    .addHelpText('after', `\nExamples:\n  $ wrp link ${examples.list}\n  $ wrp link ${examples.revoke}`);
}

async function runList(options: Options): Promise<void> {
  const { environment, json, all } = options;
  const caseId = options.case === undefined ? undefined : idOf(options.case, 'case', options);
  const links = await inEnvironment(options, async (database) => {
    if (caseId !== undefined && !(await hasCase(database, caseId))) throw noSuch('case', caseId, environment);
    return listLinks(database, { now: new Date(), all, caseId });
  });
  if (json) return printJson(links);
  if (links.length === 0) {
    console.error(`There are no links in ${environment}${all ? '' : ' that can be used'}.`);
    return;
  }
  printTable(
    ['ID', 'STATE', 'CASE', 'WORKFLOW', 'MADE BY', 'CREATED', 'EXPIRES', 'MAILED'],
    links.map((link) => [
      ...[link.id, link.state, link.case.name, link.workflowDefinition.name, link.createdBy.email],
      ...[minuteOf(link.createdDateTime), minuteOf(link.expiresAt)],
      link.sentDateTime ? minuteOf(link.sentDateTime) : '-',
    ]),
  );
}

async function runRevoke(reference: string, options: Options): Promise<void> {
  const { environment, json } = options;
  const token = tokenIn(reference);
  const idInToken = idInLinkToken(token);
  const link = idInToken
    ? { id: idInToken, secretSha256: linkDigest(token) }
    : { id: reference.toLowerCase() };
  const outcome = isUuid(link.id)
    ? await inEnvironment(options, (database) => revokeLink(database, link, new Date()))
    : 'unknown';
  if (outcome === 'unknown') throw new CommandError(`There is no such link in ${environment}.`);
  if (outcome === 'used')
    throw new CommandError('The link was used before: what it started can be cancelled.');
  if (json) return printJson({ outcome });
  console.error(outcome === 'revoked' ? 'The link is withdrawn.' : 'The link was withdrawn before.');
}
