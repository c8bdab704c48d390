import type { Form } from '../contract/index.ts';
import { bodyProblem } from '../contract/problems.ts';
import { pointerTo } from '../domain/json-pointer.ts';
import { textProblem } from '../domain/storable-text.ts';
import type { Problem } from './operation.ts';

/**
 * The text fields that a form declares, in Unicode NFC. A list field is an array even if it occurred once. Fields that
 * are not allowed are problems instead.
 *
 * @param body by name: a string, or an array if the name occurred more than once
 */
export function readTexts(
  body: Record<string, unknown>,
  form: Form,
): { fields: Record<string, string | string[]>; problems: Problem[] } {
  const problems: Problem[] = [];
  const fields: [string, string | string[]][] = [];
  for (const [name, given] of Object.entries(body)) {
    const texts = Array.isArray(given) ? given : [given];
    const message = problemOf(name, texts, form);
    if (message) {
      problems.push(bodyProblem(pointerTo(name), message));
      continue;
    }
    const normal = texts.map((text) => String(text).normalize('NFC'));
    fields.push([name, form.lists.includes(name) ? normal : (normal[0] ?? '')]);
  }
  return { fields: Object.fromEntries(fields), problems };
}

function problemOf(name: string, texts: unknown[], form: Form): string | undefined {
  if (form.files.includes(name)) return 'This is a text, not a file: its part has no file name.';
  if (!form.texts.includes(name)) return 'There is no such field.';
  if (texts.length > 1 && !form.lists.includes(name)) return 'This field can be given once.';
  return texts.map(unstorable).find((problem) => problem !== undefined);
}

/** Bytes that are not UTF-8 were decoded to the replacement character. */
function unstorable(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.includes('\ufffd')) return 'This is not well-formed UTF-8 text.';
  const problem = textProblem(text);
  return problem && `must not contain ${problem}`;
}
