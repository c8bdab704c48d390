/**
 * The schemas whose enumeration may grow within a major version, as the versioning guide tells clients. Every other
 * enumeration is complete: clients leave out the default of a `switch`, and wait for one of the final statuses, so a
 * further value breaks them. A kind of event is not in a list: a new one is a webhook of its own.
 */
export const openEnums: readonly string[] = ['ErrorCode'];
