/** Serializes a body with a file as a form, and any other body as JSON. In the contract, every form has a file. */
export function serializeBody(body: unknown): FormData | string {
  if (body instanceof FormData) return body;
  return containsFile(body) ? toFormData(body) : JSON.stringify(body);
}

/** Repeats the field for each array item. A `Blob` keeps its media type, a `File` also its name. */
export function toFormData(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const item of [value].flat())
      if (item != null)
        form.append(
          name,
          typeof item === 'object' && !(item instanceof Blob) ? JSON.stringify(item) : (item as string),
        );
  return form;
}

function containsFile(body: unknown): body is Record<string, unknown> {
  return Object.values(body ?? {})
    .flat()
    .some((item) => item instanceof Blob);
}
