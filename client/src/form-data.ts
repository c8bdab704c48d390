/**
 * Serializes a request body: a form where it holds a file, JSON otherwise. Only forms of the contract hold
 * files, and all of them hold one.
 */
export function serializeBody(body: unknown): FormData | string {
  if (body instanceof FormData) return body;
  return holdsFile(body) ? toFormData(body) : JSON.stringify(body);
}

/** Arrays become repeated fields; a `Blob` keeps its media type, and a `File` its name too. */
export function toFormData(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) append(form, name, item);
  }
  return form;
}

function append(form: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (value instanceof Blob) form.append(name, value);
  else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function holdsFile(body: unknown): body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).some((value) => [value].flat().some((item) => item instanceof Blob));
}
