import type { Draft } from '../draft.ts';
import { withImport } from './code-files.ts';
import type { Plan } from './plan.ts';
import { sampleFile, shellSample, typeScriptSample } from './sample-text.ts';

/** Drafts both samples of the operation, which the portal shows and `npm test` runs: cURL and TypeScript. */
export function draftSamples(draft: Draft, plan: Plan): void {
  const shell = `test/samples/${plan.resource}.sh`;
  const before = draft.read(shell);
  draft.set(shell, before === undefined ? shellSample(plan) : `${before.trimEnd()}\n\n${shellSample(plan)}`);

  const file = `test/samples/${plan.resource}.ts`;
  const text = draft.read(file);
  if (text === undefined) {
    draft.set(file, sampleFile(plan));
    return;
  }
  const imported = withImport(
    withImport(text, 'vitest', ['describe', 'expect', 'test'], false),
    '@wrp/client',
    ['unwrap'],
    false,
  );
  draft.set(file, imported.replace(/\n\}\n*$/, `\n\n${typeScriptSample(plan)}}\n`));
}
