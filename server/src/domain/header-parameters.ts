/** A header value with parameters: `text/csv; charset=utf-8`, `form-data; name="file"`. */
export interface Parameterized {
  /** What comes before the parameters, in lower case. */
  value: string;
  /** By name in lower case, without quotes. */
  parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** From U+0080 on, the bytes of any charset (`obs-text`). */
const quoted = String.raw`"(?:[\t !#-\[\]-~\x80-\uffff]|\\[\t -~\x80-\uffff])*"`;
/** RFC 6266, section 4.3: a `filename*` that cannot be decoded is ignored, so it may hold anything. */
const parameter = `(?:filename\\*=[^;"]*(?=;|$)|(?!filename\\*=)${token}=(?:${token}|${quoted}))`;
// Each text matches in one way only, so that a mismatch is found in linear time.
const form = new RegExp(`^[^\\s;,"]+(?:[ \\t]*;(?:[ \\t]*${parameter})?)*[ \\t]*$`, 'i');
const each = new RegExp(`;[ \\t]*(${token})=(${quoted}|[^;]*)`, 'gi');

/**
 * Parses exactly the parameters of RFC 9110, section 5.6.6: in any case, quoted or not, with empty ones. Parsers of
 * packages accept more, such as an unclosed quotation, and busboy refuses empty parameters.
 *
 * @returns undefined if the text does not match the grammar, or repeats a parameter (RFC 6838, section 4.3; RFC 6266,
 *   section 4.1)
 */
export function parseParameters(text: string): Parameterized | undefined {
  if (!form.test(text)) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = '', written = ''] of text.matchAll(each)) {
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, written.startsWith('"') ? unquoted(written) : written.trimEnd());
  }
  const value = text.slice(0, text.search(/[ \t;]|$/));
  return { value: value.toLowerCase(), parameters };
}

/** Browsers do not escape a backslash in a file name, so one that escapes nothing stays. */
function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
}
