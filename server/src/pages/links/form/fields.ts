import { isObject } from '../../../domain/objects.ts';
import type { FieldTexts } from '../../../workflows/titles.ts';
import { referenceReader } from './references.ts';

/** How a person enters a value. */
export type Control =
  | { kind: 'text'; type: TextType; long: boolean }
  | { kind: 'number'; whole: boolean }
  /** A question; `open`: it may be left without an answer. */
  | { kind: 'yes-no'; open: boolean }
  /** Without a tick it says no. */
  | { kind: 'checkbox' }
  | { kind: 'choice'; options: Option[] }
  | { kind: 'json' };

export interface Option {
  /** Undefined for null that has no name: the page has a word of its own for it. */
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
  /** It may be null, which is what an empty control stands for where something is required. */
  nullable: boolean;
  /** Shown, and taken from what is there already. */
  readOnly: boolean;
  control: Control;
  schema: PropertySchema;
}

/** What is looked at in a property's schema: `shownKeywords`. */
export interface PropertySchema extends Record<string, unknown> {
  type?: unknown;
  title?: unknown;
  default?: unknown;
}

/**
 * The form of an input schema: a field for each of its properties, or the whole as JSON where the schema says
 * more than that its properties are such and such.
 */
export type FormPlan = { kind: 'fields'; fields: Field[] } | { kind: 'json' };

/**
 * Fields of a form at most, options of all of them, and characters of their texts and first values. It would be of no
 * use to a person beyond, and each page of it would hold up everybody else's.
 */
const most = { fields: 200, options: 2000, characters: 200_000 };

/** With any of these, which properties there are depends on more than a list of them. */
const unusual = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'dependentSchemas'];

/** What a form is made of; everything else in a property's schema is only validated. */
const shownKeywords = [
  ...unusual,
  ...['type', 'title', 'description', 'default', 'readOnly', 'const', 'enum', 'format'],
  ...['maxLength', 'minimum', 'maximum'],
];

/**
 * @param schema JSON Schema 2020-12 of a definition's parameters
 * @param texts what is said of a property elsewhere, which comes before what the schema says
 */
export function planForm(schema: unknown, texts: (property: string) => FieldTexts): FormPlan {
  if (!isObject(schema) || unusual.some((keyword) => keyword in schema)) return { kind: 'json' };
  const { type = 'object', properties = {}, required = [], additionalProperties } = schema;
  if (type !== 'object' || !isObject(properties)) return { kind: 'json' };
  const named = Object.entries(properties);
  if (named.length === 0)
    return additionalProperties === false ? { kind: 'fields', fields: [] } : { kind: 'json' };
  if (named.length > most.fields) return { kind: 'json' };
  const isRequired = new Set(Array.isArray(required) ? required : []);
  const resolved = referenceReader(schema, shownKeywords);
  const left = { ...most };
  const fields: Field[] = [];
  for (const [name, property] of named) {
    const own = isObject(property) ? resolved(property) : {};
    const field = fieldOf(name, own, isRequired.has(name), texts(name));
    left.options -= field.control.kind === 'choice' ? field.control.options.length : 0;
    left.characters -= charactersOf(field, left.characters);
    if (left.options < 0 || left.characters < 0) return { kind: 'json' };
    fields.push(field);
  }
  return { kind: 'fields', fields };
}

function charactersOf({ title, description = '', control, schema }: Field, enough: number): number {
  const options = control.kind === 'choice' ? control.options : [];
  const texts = [title, description, ...options.map(({ label = '' }) => label)];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > enough ? length : length + (JSON.stringify(schema.default)?.length ?? 0);
}

function fieldOf(name: string, schema: PropertySchema, required: boolean, texts: FieldTexts): Field {
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const nullable = types.includes('null');
  const [type, ...others] = types.filter((one) => one !== 'null');
  const described = {
    name,
    title: texts.title ?? textOf(schema['title']) ?? readableName(name),
    description: texts.description ?? textOf(schema['description']),
    ...{ required, nullable, schema },
    readOnly: schema['readOnly'] === true,
  };
  const plain = others.length === 0 && !unusual.some((keyword) => keyword !== 'oneOf' && keyword in schema);
  const control: Control = plain ? controlOf(type, schema, { required, nullable }, texts) : { kind: 'json' };
  // A choice lists null where null is allowed.
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
      // A box cannot be left alone: it stands for an answer only where there is one without it.
      if (!required && !nullable && typeof schema.default === 'boolean') return { kind: 'checkbox' };
      return { kind: 'yes-no', open: !required || nullable };
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
/** Characters from which on a text wants more than a line. */
const longText = 200;

function textControl({ format, maxLength }: PropertySchema): Control {
  const type = textTypes[String(format)] ?? 'text';
  const long = format === undefined && typeof maxLength === 'number' && maxLength > longText;
  return { kind: 'text', type, long };
}

/** `enum`, `const`, or `oneOf` of constants with titles; undefined where there is no such list of plain values. */
function optionsOf(schema: PropertySchema): Option[] | undefined {
  const { enum: listed, const: only, oneOf } = schema;
  if ('const' in schema) return isPlain(only) ? [{ label: labelOf(only), value: only }] : undefined;
  if (Array.isArray(listed)) {
    return listed.every(isPlain) ? listed.map((value) => ({ label: labelOf(value), value })) : undefined;
  }
  if (!Array.isArray(oneOf)) return undefined;
  const titled = oneOf.map((one) => (isObject(one) && 'const' in one ? one : undefined));
  if (!titled.every((one) => one && isPlain(one['const']))) return undefined;
  return titled.map((one) => ({
    label: textOf(one?.['title']) ?? labelOf(one?.['const']),
    value: one?.['const'],
  }));
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

const labelOf = (value: unknown) => (value === null ? undefined : String(value));

/** Characters of a name that a person wrote. */
const longestName = 200;

/** `firstName` and `first_name` as people write it: First name. Other scripts stay as they are. */
export function readableName(name: string): string {
  if (name.length > longestName) return name;
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, (_, before, after) => `${before} ${after.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim();
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : name;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
}
