import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Option } from 'commander';
import { stringify } from 'yaml';
import { type ConversionFinding, convertDefinition } from '../../asl/index.ts';
import { reasonOf } from '../../durable-files/index.ts';
import { pathOf } from '../manifest/platform-file.ts';
import { parseSource } from '../manifest/source.ts';
import { CommandError, UsageError } from './command-error.ts';
import { readInput } from './input-file.ts';
import { type AddCommand, action, fromWorkingDirectory, type GlobalOptions } from './options.ts';
import { printable, printJson } from './print.ts';

const notes = `
The definition is printed, the report goes to standard error. Each line of the report is one of the following, of which
unsupported and todo need your attention:
  unsupported   not converted: the expression in its place fails with the reason
  todo          converted, but you must complete it, such as the URL of a task
  note          converted; runs differently in the case that it names
Exit status: 0 nothing is unsupported or to do, 1 something is, or a file cannot be read, 2 usage error.`;

interface ConvertOptions extends GlobalOptions {
  output?: string;
  write?: true;
}

/** `wrp definition convert`. */
export function addConvertCommand(add: AddCommand): void {
  add(
    'convert claims.asl.json --output claims.asl.json',
    'Converts a definition of AWS Step Functions (JSONPath or JSONata) to one for this platform; - is standard input.',
    null,
  )
    .argument('<file>')
    .addOption(new Option('-o, --output <file>', 'write the definition to this file').conflicts('write'))
    .option('--write', 'replace the file')
    .addHelpText('after', notes)
    .action(action(runConvert));
}

async function runConvert(file: string, { json, output, write }: ConvertOptions): Promise<void> {
  if (write && file === '-')
    throw new UsageError('--write replaces a file: use --output with standard input.');
  const { value, located } = parseSource(await readInput(file), file);
  const { definition, findings } = convertDefinition(value);
  const report: Located[] = located(
    findings.map((finding) => ({ ...finding, path: pathOf(finding.pointer, value) })),
  ).map(({ path: _, ...finding }) => ({ file, ...(finding as Omit<Located, 'file'>) }));
  const target = write ? file : output;
  if (target !== undefined) await save(target, definition);
  else if (!json) process.stdout.write(rendered(definition, file));
  if (json) printJson({ findings: report, ...(target === undefined && { definition }) });
  else for (const finding of report) console.error(printable(line(finding)));
  const left = report.filter(({ kind }) => kind !== 'note').length;
  if (left > 0) throw new CommandError(`${left} ${left === 1 ? 'part needs' : 'parts need'} your attention.`);
  if (target !== undefined && !json) console.error(`${target} is written. Nothing is left to do.`);
}

/** A finding with its place. Line and column count from 1. */
interface Located extends ConversionFinding {
  file: string;
  line: number;
  column: number;
}

async function save(file: string, definition: unknown): Promise<void> {
  await writeFile(fromWorkingDirectory(file), rendered(definition, file)).catch((error) => {
    throw new CommandError(`${file}: cannot be written: ${reasonOf(error)}.`);
  });
}

/** As YAML, without folded lines, if the name of the file says so; otherwise as JSON. */
function rendered(definition: unknown, file: string): string {
  if (['.yaml', '.yml'].includes(extname(file))) return stringify(definition, { lineWidth: 0 });
  return `${JSON.stringify(definition, null, 2)}\n`;
}

function line({ file, line, column, kind, pointer, message }: Located): string {
  return [`${file}:${line}:${column}`, `${kind}:`, pointer, message].filter(Boolean).join(' ');
}
