/** Maximum length of a media type. */
const mediaTypeLimit = 255;
/** The media type of a file without one (RFC 7578, section 4.4, leaves it to the receiver). */
export const unknownMediaType = 'application/octet-stream';

// RFC 6838, section 4.2: type names have a narrower syntax than parameters.
const name = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:[\t !#-\[\]-~]|\\[\t -~])*"`;
const form = new RegExp(`^${name}/${name}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quoted}))*$`);

/** Whether a string is a media type, `type/subtype` with optional parameters (RFC 9110, section 8.3.1). */
export function isMediaType(text: string): boolean {
  return text.length <= mediaTypeLimit && form.test(text);
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
