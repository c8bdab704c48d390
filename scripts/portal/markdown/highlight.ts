import { type Html, html } from '../../../server/src/domain/html.ts';

interface Token {
  kind: string;
  pattern: RegExp;
}

const string: Token = { kind: 'string', pattern: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y };
const number: Token = { kind: 'number', pattern: /\b\d[\d_]*(?:\.\d+)?\b/y };
const lineComment: Token = { kind: 'comment', pattern: /(?<![^\s])#.*/y };
const words = (kind: string, list: string): Token => ({
  kind,
  pattern: new RegExp(`\\b(?:${list.replaceAll(' ', '|')})\\b`, 'y'),
});

const typescript: Token[] = [
  { kind: 'comment', pattern: /\/\/.*|\/\*[\s\S]*?\*\//y },
  { kind: 'string', pattern: /`(?:[^`\\]|\\.)*`/y },
  string,
  words(
    'keyword',
    'as async await break case catch class const continue default else export extends finally for from ' +
      'function if import in instanceof interface let new of return switch throw try type typeof while yield',
  ),
  words('constant', 'true false null undefined this'),
  number,
];
const json: Token[] = [
  { kind: 'key', pattern: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/y },
  string,
  words('constant', 'true false null'),
  number,
];
const python: Token[] = [
  lineComment,
  { kind: 'string', pattern: /\bf?"(?:[^"\\\n]|\\.)*"|\bf?'(?:[^'\\\n]|\\.)*'/y },
  string,
  words(
    'keyword',
    'and as assert class def elif else except finally for from if import in is lambda not or pass raise return try while ' +
      'with yield',
  ),
  words('constant', 'True False None'),
  number,
];
const go: Token[] = [
  { kind: 'comment', pattern: /\/\/.*|\/\*[\s\S]*?\*\//y },
  { kind: 'string', pattern: /`[^`]*`/y },
  string,
  words(
    'keyword',
    'break case const continue defer else for func go if import interface map package range return select struct switch ' +
      'type var',
  ),
  words('constant', 'true false nil'),
  number,
];
const shell: Token[] = [
  lineComment,
  { kind: 'variable', pattern: /\$\{[^}]*\}|\$\w+/y },
  { kind: 'string', pattern: /'[^']*'|"(?:[^"\\]|\\.)*"/y },
  { kind: 'option', pattern: /(?<=\s)--?[A-Za-z][\w-]*/y },
  words('keyword', 'curl export npm npx node do done echo for if then else fi in while sleep set'),
];
const http: Token[] = [
  { kind: 'keyword', pattern: /\b(?:GET|PUT|POST|DELETE)\b(?= \/)|HTTP\/[\d.]+/y },
  { kind: 'key', pattern: /(?<=^|\n)[\w-]+(?=:)/y },
];
const yaml: Token[] = [
  lineComment,
  { kind: 'key', pattern: /(?<=^|\n|- )[ ]*[\w.-]+(?=:)/y },
  string,
  words('constant', 'true false null'),
  number,
];

const languages: Record<string, Token[]> = {
  ts: typescript,
  typescript,
  js: typescript,
  javascript: typescript,
  python,
  go,
  json,
  sh: shell,
  shell,
  bash: shell,
  http,
  yaml,
};

/** Code with its tokens marked up. An unknown language stays plain. */
export function highlight(code: string, language: string): Html {
  const tokens = languages[language] ?? [];
  const parts: Html[] = [];
  let plain = '';
  let at = 0;
  while (at < code.length) {
    const found = tokenAt(code, at, tokens);
    if (!found) {
      plain += code[at];
      at += 1;
      continue;
    }
    parts.push(html`${plain}<span class="tok-${found.kind}">${found.text}</span>`);
    plain = '';
    at += found.text.length;
  }
  return html`${parts}${plain}`;
}

function tokenAt(code: string, at: number, tokens: Token[]): { kind: string; text: string } | undefined {
  for (const { kind, pattern } of tokens) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(code) ?? [];
    if (text) return { kind, text };
  }
  return undefined;
}
