/**
 * Scaffolds an operation in the house style: path, schemas, examples, handler, store function, line of the permission
 * matrix, test, code samples.
 *
 *   npm run spec:new <resource>/<operationId> [method] [path]
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { CommandError, runCommand } from '../../command-line/run-command.ts';
import { bundleContract, formatFinding, lintContract } from '../../contract/source.ts';
import { withRedocly } from '../../redocly/redocly.ts';
import { draftCode } from './code-files.ts';
import { draftContract } from './contract-files.ts';
import { type Draft, draftOf } from './draft.ts';
import { draftMatrixLine } from './matrix.ts';
import { type Plan, planOf } from './plan.ts';
import { added, remaining } from './report.ts';
import { draftSamples } from './sample-files.ts';

const root = new URL('../../../', import.meta.url);
const usage = `Usage: npm run spec:new <resource>/<operationId> [method] [path] [-- options]

  npm run spec:new invoices/listInvoices get /invoices
  npm run spec:new workspaces/renameWorkspace put /workspaces/{workspaceId}/name

Adds an operation: path, schemas, examples, handler, store function, line of the permission matrix, test, and samples in
cURL and TypeScript. Afterwards spec/ has no findings and everything compiles; the store function refuses to answer until
you write its statement, and until then its test and its samples fail.

  --method      get, post, put, patch or delete; default by the verb of the operationId
  --path        default /<resource>
  --permission  default can_view_workspace
  --dry-run     write nothing; print what would be added
  --json        print {"files", "remaining"} as JSON
`;

await runCommand('spec:new', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      method: { type: 'string' },
      path: { type: 'string' },
      permission: { type: 'string', default: 'can_view_workspace' },
      'dry-run': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const [name, method, path, surplus] = positionals;
  if (name === undefined)
    throw new CommandError('say <resource>/<operationId>, such as invoices/listInvoices.');
  if (surplus !== undefined) throw new CommandError(`"${surplus}" is one too many; see --help.`);
  const asked = {
    name,
    method: values.method ?? method,
    path: values.path ?? path,
    permission: values.permission,
  };
  const { operations, permissions } = await import('../../../generated/operations.ts');
  const plan = planOf(root, asked, await soundContract(), permissions);
  if (plan.operationId in operations)
    throw new CommandError('generated/ is stale; run `npm run generate` first.');
  const draft = draftOf(root);
  draftContract(draft, plan);
  draftCode(draft, plan);
  draftSamples(draft, plan);
  const isListed = draftMatrixLine(draft, plan);
  // npm takes the option for its own where it stands before the `--`.
  const isDry = values['dry-run'] || process.env['npm_config_dry_run'] === 'true';
  if (!isDry) await write(draft);
  tell(draft, plan, { isListed, isDry, asJson: values.json });
  return 0;
});

/** The contract as it stands. @throws {CommandError} where it has findings: what is added could not be checked */
async function soundContract() {
  return withRedocly(root, async (redocly) => {
    const [finding] = await lintContract(root, redocly);
    if (finding) throw new CommandError(`mend spec/ first: ${formatFinding(finding)}`);
    return bundleContract(root, redocly);
  });
}

async function write(draft: Draft): Promise<void> {
  await draft.write();
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root));
  const code = draft.changes().filter(({ file }) => file.endsWith('.ts'));
  const files = code.map(({ file }) => file);
  await promisify(execFile)(process.execPath, [biome, 'check', '--write', ...files], {
    cwd: fileURLToPath(root),
  });
}

function tell(
  draft: Draft,
  plan: Plan,
  { isListed, isDry, asJson }: { isListed: boolean; isDry: boolean; asJson: boolean },
): void {
  const left = remaining(plan, isListed);
  if (asJson) {
    const files = draft.changes().map(({ file }) => file);
    console.log(JSON.stringify({ written: !isDry, files, remaining: left }, null, 2));
    return;
  }
  if (isDry) for (const change of draft.changes()) console.log(added(change));
  else for (const { file } of draft.changes()) console.log(`wrote ${file}`);
  console.log(`\n${isDry ? 'Nothing was written. What would remain' : 'What remains'} to be decided:`);
  for (const [index, line] of left.entries()) console.log(`  ${index + 1}. ${line}`);
}
