import { deprecation, events, links, security } from './contract.ts';
import { exampleRows } from './examples.ts';
import { references } from './references.ts';
import { schemaRules } from './schemas.ts';
import { structure } from './structure.ts';
import { yaml } from './yaml.ts';

/** Typical mistakes of people who edit the contract, and what must be said of each: rule, line, and a part of the fix. */
export interface Mistake {
  name: string;
  file: string;
  /** What stands there, and what is typed instead: the first place that matches. */
  edit: [from: string | RegExp, to: string];
  rule: string;
  /** A part of the message or of its fix. */
  says: RegExp;
  /** Where, if it is not the first line that was edited: a text of the line, after the edit. */
  at?: { file?: string; text: string };
}

export const mistakes: Mistake[] = [
  ...[structure, yaml, references, schemaRules, exampleRows, security, events, deprecation, links].flat(),
].map(([name, file, from, to, rule, says, at]) => ({
  name,
  file,
  edit: [from, to],
  rule,
  says,
  ...(at && { at }),
}));
