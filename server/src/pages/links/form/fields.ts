import { isObject, namesIn, timestampOf } from '../../../../json/index.ts';
import type { FieldTexts } from '../../../domain/definition-texts.ts';

/** The input of a value. */
export type Control =
  | { kind: 'text'; type: TextType; long: boolean }
  | { kind: 'number'; whole: boolean }
  /** Two radio buttons, and a third for no value if it is optional. */
  | { kind: 'yes-no'; optional: boolean }
  /** Means false if it is not checked. */
  | { kind: 'checkbox' }
  | { kind: 'choice'; options: Option[] }
  | { kind: 'json' };

export interface Option {
  /** Undefined for null without a title: the page uses its own word. */
  label: string | undefined;
  value: unknown;
}

export type TextType = 'text' | 'email' | 'url' | 'date' | 'datetime-local';

export interface Field {
  /** The property's name. */
  name: string;
  title: string;
  description: string | undefined;
  required: boolean;
  /** An empty input of a required field means null. */
  nullable: boolean;
  /** Shown with its initial value, which cannot be changed. */
  readOnly: boolean;
  control: Control;
  schema: PropertySchema;
}

/** The `shownKeywords` of a property's schema. */
export interface PropertySchema extends Record<string, unknown> {
  type?: unknown;
  title?: unknown;
  default?: unknown;
}

/** The form of an input schema: a field for each property, or one JSON input if the schema is not a list of properties. */
export type FormPlan = { kind: 'fields'; fields: Field[] } | { kind: 'json' };

/**
 * The maximum number of fields, of their options, and of characters in their texts and initial values. A larger form
 * would be unusable, and rendering it would delay other requests.
 */
const limits = { fields: 200, options: 2000, characters: 200_000 };

/** Keywords whose effect a list of inputs cannot represent. */
const complexKeywords = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'dependentSchemas'];

/** The keywords that a form shows. Others are only validated. */
const shownKeywords = [
  ...complexKeywords,
  ...['type', 'title', 'description', 'default', 'readOnly', 'const', 'enum', 'format'],
  ...['maxLength', 'minimum', 'maximum'],
];

/**
 * @param schema JSON Schema 2020-12 of a definition's parameters
 * @param texts the texts of a property in the definition, which take precedence over the schema's
 */
export function planForm(schema: unknown, texts: (property: string) => FieldTexts): FormPlan {
  if (!isObject(schema) || complexKeywords.some((keyword) => keyword in schema)) return { kind: 'json' };
  const { type = 'object', properties = {}, required = [], additionalProperties } = schema;
  if (type !== 'object' || !isObject(properties)) return { kind: 'json' };
  const entries = Object.entries(properties);
  if (entries.length === 0)
    return additionalProperties === false ? { kind: 'fields', fields: [] } : { kind: 'json' };
  if (entries.length > limits.fields) return { kind: 'json' };
  const isRequired = new Set(Array.isArray(required) ? required : []);
  const resolve = referenceReader(schema, shownKeywords);
  const remaining = { ...limits };
  const fields: Field[] = [];
  for (const [name, property] of entries) {
    const own = isObject(property) ? resolve(property) : {};
    const field = fieldOf(name, own, isRequired.has(name), texts(name));
    remaining.options -= field.control.kind === 'choice' ? field.control.options.length : 0;
    remaining.characters -= charactersOf(field, remaining.characters);
    if (remaining.options < 0 || remaining.characters < 0) return { kind: 'json' };
    fields.push(field);
  }
  return { kind: 'fields', fields };
}

/** @param limit if the texts exceed it, the initial value is not counted */
function charactersOf({ title, description = '', control, schema }: Field, limit: number): number {
  const options = control.kind === 'choice' ? control.options : [];
  const texts = [title, description, ...options.map(({ label = '' }) => label)];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > limit ? length : length + (JSON.stringify(schema.default)?.length ?? 0);
}

function fieldOf(name: string, schema: PropertySchema, required: boolean, texts: FieldTexts): Field {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const nullable = types.includes('null');
  const [type, ...others] = types.filter((name) => name !== 'null');
  const described = {
    name,
    title: texts.title ?? textOf(schema['title']) ?? readableName(name),
    description: texts.description ?? textOf(schema['description']),
    required,
    nullable,
    schema,
    readOnly: schema['readOnly'] === true,
  };
  const isSimple =
    others.length === 0 && !complexKeywords.some((keyword) => keyword !== 'oneOf' && keyword in schema);
  const control: Control = isSimple
    ? controlOf(type, schema, { required, nullable }, texts)
    : { kind: 'json' };
  // A choice lists null as an option.
  return { ...described, control, nullable: nullable && control.kind !== 'choice' };
}

function controlOf(
  type: unknown,
  schema: PropertySchema,
  { required, nullable }: Pick<Field, 'required' | 'nullable'>,
  texts: FieldTexts,
): Control {
  const options = optionsOf(schema);
  if (options) {
    const [only] = options;
    if (options.length === 1 && only?.value === true) return { kind: 'checkbox' };
    const named = options.map(({ label, value }) => ({ label: texts.option(value) ?? label, value }));
    return { kind: 'choice', options: named };
  }
  if ('oneOf' in schema) return { kind: 'json' };
  switch (type) {
    case 'boolean':
      // A checkbox always sends a value, so it needs a default.
      if (!required && !nullable && typeof schema.default === 'boolean') return { kind: 'checkbox' };
      return { kind: 'yes-no', optional: !required || nullable };
    case 'integer':
      return { kind: 'number', whole: true };
    case 'number':
      return { kind: 'number', whole: false };
    case 'string':
      return textControl(schema);
    default:
      return { kind: 'json' };
  }
}

const textTypes: Record<string, TextType> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
};
/** Texts with a larger `maxLength` get a multi-line input. */
const singleLineLength = 200;

function textControl({ format, maxLength }: PropertySchema): Control {
  const type = textTypes[String(format)] ?? 'text';
  const long = format === undefined && typeof maxLength === 'number' && maxLength > singleLineLength;
  return { kind: 'text', type, long };
}

/** The values of `enum`, `const`, or `oneOf` with constants; undefined unless all are simple values. */
function optionsOf(schema: PropertySchema): Option[] | undefined {
  const { enum: listed, const: only, oneOf } = schema;
  if ('const' in schema) return isSimpleValue(only) ? [{ label: labelOf(only), value: only }] : undefined;
  if (Array.isArray(listed)) {
    return listed.every(isSimpleValue)
      ? listed.map((value) => ({ label: labelOf(value), value }))
      : undefined;
  }
  if (!Array.isArray(oneOf)) return undefined;
  const constants = (oneOf as unknown[]).filter(isObject).filter((item) => isSimpleValue(item['const']));
  if (constants.length < oneOf.length) return undefined;
  return constants.map(({ title, const: value }) => ({ label: textOf(title) ?? labelOf(value), value }));
}

function isSimpleValue(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

const labelOf = (value: unknown) => (value === null ? undefined : String(value));

/** Longer names are not converted. */
const maxNameLength = 200;

/** Converts `firstName` and `first_name` to `First name`. Names in other scripts are kept. */
export function readableName(name: string): string {
  if (name.length > maxNameLength) return name;
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, (_, before, after) => `${before} ${after.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : name;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
}

/** The maximum length of a chain of references. Schemas written by hand have shorter ones. */
const maxSteps = 10;

type Schema = Record<string, unknown>;

/**
 * Returns a function that resolves the `$ref` of a property's schema in the same document (`#/$defs/…`). Keywords next
 * to the reference take precedence. A reference that is external, circular or cannot be resolved is kept.
 *
 * @param keywords the keywords to copy; others are dropped, because many properties may refer to one large schema
 */
export function referenceReader(document: Schema, keywords: readonly string[]): (property: Schema) => Schema {
  const targets = new Map<string, Schema | undefined>();
  const resolve = (reference: unknown): Schema | undefined => {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    if (!targets.has(reference)) targets.set(reference, targetOf(reference, document));
    return targets.get(reference);
  };
  return (property) => {
    let schema = pick(property, keywords);
    for (let steps = 0; '$ref' in schema; steps++) {
      const { $ref: reference, ...own } = schema;
      const target = steps < maxSteps ? resolve(reference) : undefined;
      if (!target) return pick(property, keywords);
      schema = { ...pick(target, keywords), ...own };
    }
    return schema;
  };
}

function pick(schema: Schema, keywords: readonly string[]): Schema {
  const present = ['$ref', ...keywords].filter((keyword) => Object.hasOwn(schema, keyword));
  return Object.fromEntries(present.map((keyword) => [keyword, schema[keyword]]));
}

function targetOf(reference: string, document: Schema): Schema | undefined {
  let target: unknown = document;
  for (const name of namesIn(decodeFragment(reference.slice(1)))) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) return undefined;
    target = (target as Schema)[name];
  }
  return isObject(target) ? target : undefined;
}

/** Decodes percent-encoded characters of a URI fragment. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The texts in the inputs of a form, by input name. */
export type Drafts = ReadonlyMap<string, string>;

/** The name of the input for all parameters as JSON. */
export const jsonInputName = 'json';
/** The prefix distinguishes properties from other inputs of the form. */
export const inputName = (field: Field) => `f.${field.name}`;

/** The initial value of a field: the prefilled parameter, else the default of the schema. */
export function initialValue({ name, schema }: Field, prefill: unknown): unknown {
  if (isObject(prefill) && Object.hasOwn(prefill, name)) return prefill[name];
  return schema.default;
}

/** The texts of an unchanged form. */
export function initialDrafts(plan: FormPlan, prefill: unknown): Drafts {
  if (plan.kind === 'json') return new Map([[jsonInputName, JSON.stringify(prefill ?? {}, null, 2)]]);
  return new Map(
    plan.fields.map((field) => [inputName(field), draftOf(field.control, initialValue(field, prefill))]),
  );
}

/** The text that a control shows for a value; '' for none. */
export function draftOf(control: Control, value: unknown): string {
  if (value === undefined) return '';
  if (value === null && !isOption(control, value)) return '';
  switch (control.kind) {
    case 'text':
      if (typeof value !== 'string') return JSON.stringify(value);
      return control.type === 'datetime-local' ? inUtc(value) : value;
    case 'number':
      return String(value);
    case 'choice':
      return JSON.stringify(value);
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'yes-no':
    case 'checkbox':
      return value === true ? 'true' : 'false';
  }
}

function isOption(control: Control, value: unknown): boolean {
  return control.kind === 'choice' && control.options.some((option) => option.value === value);
}

/** The format of `datetime-local` inputs: `2026-11-30T14:30`, with seconds unless they are 0. */
function inUtc(timestamp: string): string {
  return (
    timestampOf(timestamp)
      ?.toISOString()
      .replace(/(:00)?\.\d+Z$/, '') ?? ''
  );
}
