const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a string is a UUID (RFC 9562, section 4), in upper or lower case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Formats 16 bytes as a UUID in lower case. */
export function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Converts the UUIDs among named values (`userId`, `roleId`, …) to lower case. A UUID may be sent in upper case
 * (RFC 9562, section 4); it is compared, returned and stored in lower case. Other values are unchanged.
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
