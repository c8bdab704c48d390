import { bodyProblem, type Form, type Problem } from '../../contract/index.ts';
import { pointerTo, textProblem } from '../../json/index.ts';
import type { SentText } from './form-parser.ts';

/**
 * The text fields that a form declares, in Unicode NFC. A list field is an array even if it occurred once. Fields that
 * are not allowed are problems instead.
 *
 * @param sent by name
 */
export function readTexts(
  sent: ReadonlyMap<string, readonly SentText[]>,
  form: Form,
): { fields: Record<string, string | string[]>; problems: Problem[] } {
  const problems: Problem[] = [];
  const fields: [string, string | string[]][] = [];
  for (const [name, given] of sent) {
    const texts = given.map(decoded);
    const message = problemOf(name, texts, form);
    if (message) {
      problems.push(bodyProblem(pointerTo(name), message));
      continue;
    }
    const normal = texts.map((one) => ('text' in one ? one.text.normalize('NFC') : ''));
    fields.push([name, form.lists.includes(name) ? normal : (normal[0] ?? '')]);
  }
  return { fields: Object.fromEntries(fields), problems };
}

type Decoded = { text: string } | { problem: string };

/** Decodes a text by the tables of the WHATWG Encoding Standard, in which `latin1` is windows-1252. */
function decoded({ bytes, charset }: SentText): Decoded {
  try {
    return { text: new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // The constructor does not know the label.
    if (error instanceof RangeError) return { problem: `There is no charset ${charset.slice(0, 40)}.` };
    return { problem: `This is not well-formed ${charset.toUpperCase()} text.` };
  }
}

function problemOf(name: string, texts: Decoded[], form: Form): string | undefined {
  if (form.files.includes(name)) return 'This is a text, not a file: its part has no file name.';
  if (!form.texts.includes(name)) return 'There is no such field.';
  if (texts.length > 1 && !form.lists.includes(name)) return 'This field can be given once.';
  return texts.map(unstorable).find((problem) => problem !== undefined);
}

function unstorable(decoded: Decoded): string | undefined {
  if ('problem' in decoded) return decoded.problem;
  const problem = textProblem(decoded.text);
  return problem && `must not contain ${problem}`;
}
