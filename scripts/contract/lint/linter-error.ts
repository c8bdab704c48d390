import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type Finding, yamlRule } from './finding.ts';

const contract = 'spec/openapi.yaml';
const rules = 'spec/rules/';

/**
 * Turns Redocly's error output into a finding, for when it prints no report: the contract's root file, redocly.yaml or
 * one of our own rules is broken. Names the file, and the line if it is known.
 */
export async function linterError(root: URL, stderr: string): Promise<Finding> {
  const directory = fileURLToPath(root);
  const text = stripVTControlCharacters(stderr)
    .replaceAll(`file://${directory}`, '')
    .replaceAll(directory, '');
  const cause = causeIn(text);
  const at = (
    file: string,
    line: string | number,
    column: string | number,
    rule: string,
    message: string,
  ): Finding => ({ file, line: Number(line), column: Number(column), rule, message, severity: 'error' });
  const [, unparsed, file, line = 1, column = 1] = /- (.*) in "([^"]+)" \((\d+):(\d+)\)/.exec(text) ?? [];
  if (file) return at(file, line, column, yamlRule, `Failed to parse: ${unparsed}`);
  const [place, rule, ruleLine = 1, ruleColumn = 1] =
    /(spec\/rules\/[\w-]+\.js):(\d+):(\d+) ?/.exec(text) ?? [];
  const failure = cause.replace(/^Failed to load plugin "[^"]*": /, '');
  if (rule) return at(rule, ruleLine, ruleColumn, 'lint', failure.replace(place ?? '', ''));
  if (failure !== cause) return (await syntaxError(root)) ?? at(`${rules}plugin.js`, 1, 1, 'lint', failure);
  if (/^Document must be JSON object, got (?:undefined|null)$/.test(cause))
    return at(contract, 1, 1, yamlRule, `${contract} is empty.`);
  if (text.includes(`${contract} does not exist`))
    return at(contract, 1, 1, 'lint', `There is no ${contract}.`);
  const named = /(?:when processing|description at) (\S+?):?$/m.exec(text)?.[1];
  return at(named ?? 'redocly.yaml', 1, 1, 'lint', cause || 'redocly lint printed no report.');
}

/** The error message of a command in one line, without its progress output and without a stack. */
export function causeIn(stderr: string): string {
  const text = stripVTControlCharacters(stderr);
  const point = /^ +- (.*)$/m.exec(text)?.[1];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return point ?? lines.filter((line) => !/^(?:bundling|validating) |: validated in /.test(line)).join(' ');
}

/** Asks Node where a rule has a syntax error: Redocly's message has no position. */
async function syntaxError(root: URL): Promise<Finding | undefined> {
  const names = (await readdir(new URL(rules, root))).filter((name) => name.endsWith('.js'));
  const found = await Promise.all(
    names.map(async (name): Promise<Finding | undefined> => {
      const file = rules + name;
      const text = await syntaxCheck(fileURLToPath(new URL(file, root)));
      const message = /^SyntaxError: (.*)$/m.exec(text)?.[1];
      if (!message) return undefined;
      const line = Number(/:(\d+)$/m.exec(text)?.[1] ?? 1);
      const column = (/^( *)\^/m.exec(text)?.[1]?.length ?? 0) + 1;
      return { file, line, column, rule: 'lint', message, severity: 'error' };
    }),
  );
  return found.find((finding) => finding !== undefined);
}

function syntaxCheck(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], (_error, _stdout, stderr) => resolve(stderr));
  });
}
