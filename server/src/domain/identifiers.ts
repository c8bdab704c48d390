const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
    if (lower !== value && uuid.test(value)) canonical = { ...canonical, [name]: lower };
  }
  return canonical;
}
