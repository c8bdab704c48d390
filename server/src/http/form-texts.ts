import type { Form } from '../contract/index.ts';
import { pointerTo } from '../domain/json-pointer.ts';
import type { Problem } from './operation.ts';
import { Refused } from './refused.ts';

/**
 * The text fields that a form declares, in Unicode NFC. A list field is an array even if it occurred once.
 *
 * @param body by name: a string, or an array if the name occurred more than once
 * @throws Refused 400 `body_invalid` with every field that is not allowed
 */
export function readTexts(body: Record<string, unknown>, form: Form): Record<string, string | string[]> {
  const problems: Problem[] = [];
  const fields = Object.entries(body).map(([name, given]) => {
    const texts = Array.isArray(given) ? given : [given];
    const message = problemOf(name, texts, form);
    if (message) problems.push({ code: 'body_invalid', message, pointer: pointerTo(name) });
    const normal = texts.map((text) => String(text).normalize('NFC'));
    return [name, form.lists.includes(name) ? normal : (normal[0] ?? '')] as const;
  });
  if (problems.length > 0) throw new Refused({ status: 400, errors: problems });
  return Object.fromEntries(fields);
}

function problemOf(name: string, texts: unknown[], form: Form): string | undefined {
  if (form.files.includes(name)) return 'This is a text, not a file: its part has no file name.';
  if (!form.texts.includes(name)) return 'There is no such field.';
  if (texts.length > 1 && !form.lists.includes(name)) return 'This field can be given once.';
  return texts.every(isText) ? undefined : 'This is not well-formed UTF-8 text.';
}

/** PostgreSQL cannot store NUL; bytes that are not UTF-8 were decoded to the replacement character. */
function isText(text: unknown): boolean {
  return typeof text === 'string' && text.isWellFormed() && !/[\0\ufffd]/.test(text);
}
