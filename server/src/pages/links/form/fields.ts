import { isObject } from '../../../../json/index.ts';
import type { FieldTexts } from '../../../domain/definition-texts.ts';
import { referenceReader } from './references.ts';

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
