/**
 * Scaffolds in the house style: a resource with everything that belongs to it, one operation, or one field.
 *
 *   npm run spec:new -- resource invoices --in workspace
 *   npm run spec:new -- operation invoices/archiveInvoice post /invoices/{invoiceId}/archive
 *   npm run spec:new -- field users/nickname
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommandError, command, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../../contract/source.ts';
import { type Draft, draftOf } from './draft.ts';
import { draftField } from './field/field.ts';
import { draftOperation } from './operation/operation.ts';
import { planOf } from './operation/plan.ts';
import { report } from './report.ts';
import { draftResource, operationNames } from './resource/resource.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:new')
  .description('Scaffolds a resource, an operation or a field in the house style.')
  .addHelpText(
    'after',
    `
Examples:
  npm run spec:new -- resource invoices --in workspace
  npm run spec:new -- operation invoices/archiveInvoice post /invoices/{invoiceId}/archive
  npm run spec:new -- field users/nickname

"operation" may be left out.`,
  );

const dryRun = ['--dry-run', 'write nothing; print what would be added'] as const;
const json = ['--json', 'print {"written", "files", "remaining"} as JSON'] as const;
cli
  .command('resource')
  .description(
    'Adds list, get, create, update and delete of an addressable object: contract, error code, events, migration, store, handlers, samples and tests, in ten new files and some lines of existing ones. It passes the checks and its tests as it is; then replace the sample field `name` by your own.',
  )
  .argument('<resource>', 'in the plural and in kebab-case: invoices, payment-reminders')
  .option('--in <object>', 'the object that contains it', 'workspace')
  .option(
    '--operations <list>',
    `some of ${operationNames.join(',')}; create and get are always needed`,
    operationNames.join(','),
  )
  .option('--field <word>', 'its text, such as title; limits and description are yours to write', 'name')
  .option('--patch', 'update with PATCH, which takes only the fields that change; default: PUT')
  .option(
    '--permission <name>',
    'the permission that a caller needs; a new one is added, too',
    'can_view_workspace',
  )
  .option(
    '--change-permission <name>',
    'the permission to create, change and delete; default: that of --permission',
  )
  .option(...dryRun)
  .option(...json)
  .action((resource, { in: container, patch = false, dryRun, json, ...asked }) =>
    scaffold({ dryRun, json }, (draft, contract) =>
      draftResource(draft, root, { resource, container, patch, ...asked }, contract),
    ),
  );

cli
  .command('operation')
  .description(
    'Adds an operation: path, schemas, examples, handler, store function, line of the permission matrix, test and samples. The store function throws until you write its statement; until then its test and its samples fail.',
  )
  .argument('<resource/operationId>', 'such as invoices/listInvoices')
  .argument('[method]', 'get, post, put, patch or delete; default: by the verb of the operationId')
  .argument('[path]', 'default: /<resource>')
  .option('--method <method>', 'the same as the argument')
  .option('--path <path>', 'the same as the argument')
  .option(
    '--permission <name>',
    'the permission that a caller needs; default: that of the other reads, or changes, of the resource',
  )
  .option(...dryRun)
  .option(...json)
  .action((name, method, path, { permission, ...options }) =>
    scaffold(options, async (draft, contract) => {
      const { operations, permissions } = await import('../../../generated/operations.ts');
      const asked = { name, method: options.method ?? method, path: options.path ?? path, permission };
      const plan = planOf(root, asked, contract, permissions);
      if (plan.operationId in operations) {
        throw new CommandError('generated/ is stale; run `npm run generate` first.');
      }
      return draftOperation(draft, plan, contract);
    }),
  );

cli
  .command('field')
  .description(
    'Adds a field to what a resource returns: schema, column, mapping, example and test. Without --required, responses leave it out where it has no value.',
  )
  .argument('<resource/field>', 'such as users/nickname')
  .option('--type <type>', 'string, integer, number, boolean, uuid or date-time', 'string')
  .option('--format <format>', 'of a string, such as email or uri')
  .option('--pattern <expression>', 'that a string must match')
  .option('--enum <values>', 'the values of a string, separated by commas')
  .option('--required', 'every object has it: those that exist get the example')
  .option('--example <value>', 'in the examples, in the demo and in the test')
  .option(...dryRun)
  .option(...json)
  .action((name, { enum: values, required: isRequired = false, dryRun, json, ...asked }) =>
    scaffold({ dryRun, json }, (draft, contract) =>
      draftField(draft, root, { name, enum: values, isRequired, ...asked }, contract),
    ),
  );

interface Options {
  dryRun?: true | undefined;
  json?: true | undefined;
}

/** Drafts and writes files. @param work drafts, and returns what its author does next */
async function scaffold(
  options: Options,
  work: (draft: Draft, contract: Contract) => string[] | Promise<string[]>,
): Promise<void> {
  const draft = draftOf(root);
  const remaining = await work(draft, await soundContract());
  // npm takes the option for its own if it stands before the `--`.
  const isDry = options.dryRun === true || process.env['npm_config_dry_run'] === 'true';
  if (!isDry) await write(draft);
  report({ draft, isDry, asJson: options.json === true, remaining });
}

/** The contract. @throws {CommandError} if it has findings: what is added could not be checked */
async function soundContract(): Promise<Contract> {
  using redocly = openRedocly(root);
  const [finding] = await lintContract(root, redocly);
  if (finding) throw new CommandError(`fix spec/ first: ${formatFinding(finding)}`);
  return await bundleContract(redocly);
}

async function write(draft: Draft): Promise<void> {
  await draft.write();
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root));
  const files = draft.changes().flatMap(({ file }) => (file.endsWith('.ts') ? file : []));
  await promisify(execFile)(process.execPath, [biome, 'check', '--write', ...files], {
    cwd: fileURLToPath(root),
  });
}

const [first, ...rest] = process.argv.slice(2);
// The short form: an operation is what has a slash in its name.
await run(cli, first?.includes('/') ? ['operation', first, ...rest] : first ? [first, ...rest] : []);
