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
const parameterized = new RegExp(`^[^\\s;,"]+(?:[ \\t]*;(?:[ \\t]*${parameter})?)*[ \\t]*$`, 'i');
const each = new RegExp(`;[ \\t]*(${token})=(${quoted}|[^;]*)`, 'gi');

/**
 * Parses exactly the parameters of RFC 9110, section 5.6.6: in any case, quoted or not, with empty ones. Parsers of
 * packages accept more, such as an unclosed quotation, and busboy refuses empty parameters.
 *
 * @returns undefined if the text does not match the grammar, or repeats a parameter (RFC 6838, section 4.3; RFC 6266,
 *   section 4.1)
 */
export function parseParameters(text: string): Parameterized | undefined {
  if (!parameterized.test(text)) return undefined;
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

/** Maximum length of a media type. */
const mediaTypeLimit = 255;
/** The media type of a file without one (RFC 7578, section 4.4, leaves it to the receiver). */
export const unknownMediaType = 'application/octet-stream';

// RFC 6838, section 4.2: type names have a narrower syntax than parameters.
const name = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const form = new RegExp(`^${name}/${name}$`);

/**
 * Parses a media type: `type/subtype` with optional parameters (RFC 9110, section 8.3.1).
 *
 * @returns undefined if the text is not a media type
 */
export function parseMediaType(text: string): Parameterized | undefined {
  const parsed = parseParameters(text.trim());
  return parsed && form.test(parsed.value) ? parsed : undefined;
}

/** Whether a string is a media type that can be stored. */
export function isMediaType(text: string): boolean {
  return text.length <= mediaTypeLimit && parseMediaType(text) !== undefined;
}

/**
 * The media type of an uploaded file: as its part declares, never guessed from its bytes.
 *
 * @returns undefined if the declared value is not a media type
 */
export function mediaTypeOf(declared: string | undefined): string | undefined {
  if (declared === undefined) return unknownMediaType;
  const text = declared.trim();
  return isMediaType(text) ? text : undefined;
}

const json: Parameterized = { value: 'application/json', parameters: new Map() };
const plainJson = /^application\/json(?:; ?charset=utf-8)?$/i;

/** The media type of a request. Almost all bodies are plain JSON, which needs no parser; UTF-8 is its only charset. */
export function requestMediaType(header = ''): Parameterized | undefined {
  return plainJson.test(header) ? json : parseMediaType(header);
}
