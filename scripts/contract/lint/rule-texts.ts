import { readFileSync } from 'node:fs';
import { fixHints } from './finding.ts';

const rules = new URL('../../../spec/rules/', import.meta.url);
const own = 'contract/';

/** What a rule asks for and why, as Markdown. */
export function ruleText(rule: string): string {
  if (rule.startsWith(own)) return ownRuleText(rule.slice(own.length));
  return fixHints[rule] ?? otherTexts[rule] ?? 'Compare with a similar entry of the contract.';
}

/** The rules of Redocly that redocly.yaml enables, itself or by what it extends. */
export function rulesOfRedocly(): string[] {
  return Object.keys(fixHints).sort();
}

/** Rules that neither Redocly nor spec/rules/ has. */
const otherTexts: Readonly<Record<string, string>> = {
  yaml: 'Every file of the contract is YAML that parses.',
  lint: 'The linter itself must work: redocly.yaml and the rules in spec/rules/.',
  unused: 'Everything in spec/ is referred to. Refer to it from the contract, or remove it.',
};

/** The comment above the function of a rule of our own: the only place where the rule is explained. */
function ownRuleText(name: string): string {
  const source = readFileSync(new URL(`${name}.js`, rules), 'utf8');
  const [, comment] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export function [A-Z]/.exec(source) ?? [];
  if (comment === undefined) throw new Error(`Explain the rule in a comment above its function: ${name}.js`);
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim()
    .replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
}
