/** A Postman collection, as far as it is touched here: https://schema.postman.com/ */
export interface Collection {
  info: { name: string; description?: unknown; schema: string };
  item: CollectionItem[];
  auth?: unknown;
  variable?: { key: string; value: string; type?: string; description?: string }[];
  [key: string]: unknown;
}

export interface CollectionItem {
  name: string;
  description?: unknown;
  item?: CollectionItem[];
  request?: CollectionRequest;
  response?: unknown[];
}

export interface CollectionRequest {
  method: string;
  auth?: unknown;
  header?: Header[];
  url?: { variable?: { key: string; value: string; [key: string]: unknown }[]; [key: string]: unknown };
  body?: { mode?: string; formdata?: FormField[]; [key: string]: unknown };
  [key: string]: unknown;
}

interface Header {
  key: string;
  value: string;
  disabled?: boolean;
  description?: { content?: string };
  [key: string]: unknown;
}

export interface FormField {
  key: string;
  value?: string;
  type?: string;
  [key: string]: unknown;
}

/** A request that can be sent as it is. @param texts what the fields of its form are filled in with */
export function settledRequest(
  { auth, header = [], url, body, ...rest }: CollectionRequest,
  texts: FormField[],
): CollectionRequest {
  const isForm = body?.mode === 'formdata';
  const isPublic = auth === null || auth === undefined || (auth as { type?: string }).type === 'noauth';
  return {
    ...rest,
    header: header.filter(({ key }) => !(isForm && key === 'Content-Type')).map(settledHeader),
    ...(url && { url: { ...url, variable: url.variable?.map(asVariable) ?? [] } }),
    ...(body && { body: isForm ? { ...body, formdata: filledIn(body.formdata ?? [], texts) } : body }),
    // Whoever needs a caller takes the collection's token; the others say that they need none.
    ...(isPublic && { auth: { type: 'noauth' } }),
  };
}

function settledHeader(header: Header): Header {
  // Each request is a new intention: the example's key would give the first answer for a day.
  if (header.key === 'Idempotency-Key') return { ...header, value: '{{$guid}}' };
  const isDocumented = header.description?.content !== undefined;
  // Sent along, a range gives some bytes only, and a known version none at all.
  const isOptional = isDocumented && !header.description?.content?.startsWith('(Required)');
  return isOptional ? { ...header, disabled: true } : header;
}

function asVariable<T extends { key: string }>(variable: T): T {
  return { ...variable, value: `{{${variable.key}}}` };
}

function filledIn(fields: FormField[], texts: FormField[]): FormField[] {
  return fields.flatMap((field) => {
    // Any media type is none that could be sent.
    if (field.type === 'file') return [{ ...field, contentType: undefined }];
    const given = texts.filter(({ key }) => key === field.key);
    return given.length > 0 ? given.map(({ value }) => ({ ...field, value: value ?? '' })) : [field];
  });
}
