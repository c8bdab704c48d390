/** Characters of a media type at most. */
const mediaTypeLimit = 255;
/** What a file is when nobody says what it is (RFC 7578, section 4.4, leaves it to the receiver). */
export const unknownMediaType = 'application/octet-stream';

// RFC 6838, section 4.2: names of types are narrower than the tokens that parameters may be.
const name = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:[\t !#-\[\]-~]|\\[\t -~])*"`;
const form = new RegExp(`^${name}/${name}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quoted}))*$`);

/** Whether a text has the form of a media type, `type/subtype` with optional parameters (RFC 9110, 8.3.1). */
export function isMediaType(text: string): boolean {
  return text.length <= mediaTypeLimit && form.test(text);
}

/**
 * The media type of an uploaded file: as its part declares it, never guessed from the bytes.
 *
 * @returns undefined where what is declared is no media type
 */
export function mediaTypeOf(declared: string | undefined): string | undefined {
  if (declared === undefined) return unknownMediaType;
  const text = declared.trim();
  return isMediaType(text) ? text : undefined;
}
