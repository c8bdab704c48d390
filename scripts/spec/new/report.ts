import type { Draft } from './draft.ts';

/** What the command did, or would do, and what its author does next. */
export interface Report {
  draft: Draft;
  isDry: boolean;
  asJson: boolean;
  remaining: string[];
}

export function report({ draft, isDry, asJson, remaining }: Report): void {
  if (asJson) {
    const files = draft.changes().map(({ file }) => file);
    console.log(JSON.stringify({ written: !isDry, files, remaining }, null, 2));
    return;
  }
  for (const change of draft.changes()) console.log(isDry ? added(change) : `wrote ${change.file}`);
  console.log(isDry ? '\nNothing was written. What would remain:' : '\nWhat remains:');
  for (const [index, line] of remaining.entries()) console.log(`  ${index + 1}. ${line}`);
}

/** The lines that a file would gain. */
function added({ file, before, after }: { file: string; before: string | undefined; after: string }): string {
  const known = new Map<string, number>();
  for (const line of (before ?? '').split('\n')) known.set(line, (known.get(line) ?? 0) + 1);
  const lines = after.split('\n').filter((line) => {
    const left = known.get(line) ?? 0;
    if (left > 0) known.set(line, left - 1);
    return left === 0;
  });
  return [before === undefined ? `new ${file}` : file, ...lines.map((line) => `  + ${line}`), ''].join('\n');
}
