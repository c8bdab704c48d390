import { type ContractDocument as Contract, errorCodesOf, routesOf } from '../../server/contract/index.ts';

type Described = { name: string; description?: string };

/**
 * Completes the guide of the tag `errors`: adds an entry with the default message for each code that it does not
 * explain, in the section of its status.
 */
export function completeErrorGuide(contract: Contract): void {
  const guide = (contract['tags'] as Described[] | undefined)?.find(({ name }) => name === 'errors');
  const codes = contract.components['schemas']?.['ErrorCode'] as
    | { enum: string[]; 'x-enumDescriptions': Record<string, string> }
    | undefined;
  if (!guide?.description || !codes) return;
  const explained = new Set([...guide.description.matchAll(/^- `(\w+)`:/gm)].map(([, code]) => code));
  const missing = codes.enum.filter((code) => !explained.has(code));
  if (missing.length === 0) return;
  const statuses = statusesOf(contract);
  for (const code of missing) {
    const entry = `- \`${code}\`: ${codes['x-enumDescriptions'][code]} Retry: no.\n`;
    guide.description = withEntry(guide.description, statuses.get(code) ?? 'Other', entry);
  }
}

/** Adds an entry to the section of its status, or in a section of its own after those of all statuses. */
function withEntry(guide: string, status: string, entry: string): string {
  const section = guide.split(/^(?=## )/m);
  const index = section.findIndex((text) => text.startsWith(`## ${status}`));
  if (index < 0) {
    const last = section.findLastIndex((text) => /^## \d/.test(text));
    section.splice(last + 1 || section.length, 0, `\n## ${status}: more errors\n\n${entry}\n`);
    return section.join('');
  }
  const [before = '', after = ''] = (section[index] ?? '').split(/(?<=^- .*\n)(?!- )/m, 2);
  const rest = (section[index] ?? '').slice(before.length + after.length);
  section[index] = `${before}${entry}${after}${rest}`;
  return section.join('');
}

/** The status of each error code, by the examples of the responses. */
function statusesOf(contract: Contract): Map<string, string> {
  const found = new Map<string, string>();
  for (const { operation } of routesOf(contract)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const code of errorCodesOf(response)) found.set(code, status);
    }
  }
  return found;
}
