import { coloured } from '../command-line/terminal.ts';
import { controlPath } from './controls.ts';
import type { Description } from './stateful/mock.ts';

/** URLs and tokens of a mock that is ready, for a terminal. */
export function readyText(
  description: { mode: 'examples'; baseUrl: string; frontend?: string } | Description,
): string {
  const { mode, baseUrl, frontend } = description;
  const isStateful = mode === 'stateful';
  const rows = isStateful
    ? statefulRows(description)
    : [
        ['API', baseUrl],
        ['Page', `${baseUrl}${controlPath}  (faults)`],
        ...(frontend ? [['Frontend', frontend]] : []),
        ['Token', 'any'],
      ];
  const title = isStateful
    ? 'The mock keeps what is written until it ends.'
    : 'The mock responds with the examples of the contract.';
  const curl = `curl -H 'Authorization: any' '${baseUrl}/organizations/users?size=2'`;
  return [
    '',
    `  ${coloured('bold', title)}`,
    '',
    ...rows.map(([name = '', value]) => `  ${name.padEnd(10)}${value}`),
    '',
    `  ${curl}`,
    '',
  ].join('\n');
}

function statefulRows({ baseUrl, portal, frontend, controls, tokens, apiKey }: Description): string[][] {
  return [
    ['API', baseUrl],
    ...(portal ? [['Portal', portal]] : []),
    ...(frontend ? [['Frontend', frontend]] : []),
    ['Controls', `${controls}  (reset, clock, webhooks, mail, faults)`],
    ['Owner', `${tokens.owner}  (and every unknown token)`],
    ['Admin', tokens.admin],
    ['Editor', tokens.editor],
    ['Viewer', tokens.viewer],
    ['API key', `${apiKey.key} / ${apiKey.secret}`],
  ];
}

/** The result of a save: one line, and the findings if there are any. */
export function savedText(findings: string[], milliseconds: number): string {
  if (findings.length === 0)
    return `${coloured('green', '●', process.stderr)} The contract has changed: serving the new one (${milliseconds} ms).`;
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  return [
    `${coloured('red', '●', process.stderr)} Keeping the last contract: ${count} (${milliseconds} ms).`,
    ...findings.map((finding) => `  ${finding}`),
  ].join('\n');
}
