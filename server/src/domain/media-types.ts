import { type Parameterized, parseParameters } from './header-parameters.ts';

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
