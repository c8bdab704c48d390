const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is written as a UUID (RFC 9562, section 4), in small or capital letters. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** The UUID that 16 bytes are, in the one spelling that we use. */
export function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Gives the identifiers among named values (`userId`, `roleId`, …) their one spelling. A UUID may come in
 * upper case (RFC 9562, section 4); it is compared, told and kept in lower case. Nothing else is touched, and
 * nothing inside a value is.
 */
export function canonicalIdentifiers<Values>(values: Values): Values {
  if (typeof values !== 'object' || values === null) return values;
  let canonical = values;
  for (const name in values) {
    const value: unknown = values[name];
    if (typeof value !== 'string' || !name.endsWith('Id')) continue;
    const lower = value.toLowerCase();
    if (lower !== value && isUuid(value)) canonical = { ...canonical, [name]: lower };
  }
  return canonical;
}
