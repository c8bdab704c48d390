/**
 * Appends deprecation dates to descriptions, for the reference, the types and all tools that do not know `x-sunset`.
 */
export function DeprecationNotes() {
  return { Operation: note, Parameter: note, Schema: note };
}

function note(node) {
  const { 'x-deprecated-since': since, 'x-sunset': sunset, description } = node;
  if (!since || !sunset) return;
  const text = `Deprecated since ${shown(since)}; stops working on ${shown(sunset)}.`;
  if (description?.includes(text)) return;
  node.description = description ? `${description.trimEnd()}\n\n${text}` : text;
}

function shown(date) {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
