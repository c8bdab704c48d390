import { suggestion } from '../../generated/nearest.js';
import { pointerTo } from './pointers.ts';

/** An error of ajv. */
export interface SchemaError {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string | undefined;
  /** The property whose name `propertyNames` checks. */
  propertyName?: string;
  /** Of a validator with the option `verbose`. */
  parentSchema?: object | undefined;
  /** `propertiesInstead` of the error, where its `parentSchema` is too large to be passed on. */
  instead?: string | undefined;
}

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};
const formats: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'date and time (RFC 3339), such as 2026-11-19T09:12:44Z',
  email: 'email address',
  uri: 'URI',
  'uri-reference': 'URI reference',
  int64: '64-bit integer',
};
const counted: Record<string, readonly [one: string, many: string]> = {
  Length: ['character', 'characters'],
  Items: ['item', 'items'],
  Properties: ['property', 'properties'],
};
/** Characters of a caller's name in a message. */
const longestName = 100;
/** Characters of a list of names in a message. */
const longestList = 300;
/** Characters of a name that is compared with those of a longer list: 20 of 50 with 250 others take 4 ms. */
const longestCompared = 50;

/** The place of an error. ajv points to the object of a missing or unexpected property. */
export function placeOf({ instancePath, params, propertyName }: SchemaError): string {
  const property =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    params['propertyName'] ??
    propertyName;
  return typeof property === 'string' ? `${instancePath}${pointerTo(property)}` : instancePath;
}

/** What the value at `placeOf` must be, in words that complete "firstName …". */
export function messageAtPlace(error: SchemaError): string {
  if (error.params['missingProperty'] !== undefined) return 'is required';
  if (unknownPropertyOf(error) !== undefined)
    return `is not a property of this object${error.instead ?? propertiesInstead(error)}`;
  return error.propertyName === undefined ? messageOf(error) : `has a name that ${messageOf(error)}`;
}

/**
 * The properties that an object takes instead of an unknown one, to append to a message; empty for other errors. The
 * list is left out where the schema takes more than it names.
 */
export function propertiesInstead(error: SchemaError): string {
  const unknown = unknownPropertyOf(error);
  if (unknown === undefined) return '';
  const schema: ObjectSchema = error.parentSchema ?? {};
  // `additionalProperties` regards the properties beside it only.
  const isOwn = error.keyword === 'additionalProperties';
  const known = isOwn ? Object.keys(schema.properties ?? {}) : [...new Set(propertyNames(schema))];
  const isComplete = isOwn && !schema.patternProperties;
  if (isComplete && known.join(', ').length <= longestList) return alternatives(unknown, known);
  const near = unknown.length > longestCompared ? '' : nearTo(unknown, known);
  return near && `.${near}`;
}

/** What may stand in place of an unknown name, to append to a message: `, which takes page and size`. */
export function alternatives(unknown: string, known: readonly string[], verb = 'takes'): string {
  if (known.length === 0) return '';
  const near = nearTo(unknown, known);
  return `, which ${verb} ${list.format(known)}${near && `.${near}`}`;
}

const nearTo = (unknown: string, known: readonly string[]) =>
  unknown.length > longestName ? '' : suggestion(unknown, known);

interface ObjectSchema {
  properties?: object;
  patternProperties?: object;
}

/** The properties that a schema names, and the parts of it that describe the same object. */
function propertyNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertyNames);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, allOf, anyOf, oneOf, then, else: otherwise } = schema as Record<string, object>;
  return [...Object.keys(properties), ...[allOf, anyOf, oneOf, then, otherwise].flatMap(propertyNames)];
}

function unknownPropertyOf({ keyword, params }: SchemaError): string | undefined {
  const name = params[unknownProperty[keyword] ?? ''];
  return typeof name === 'string' ? name : undefined;
}

const unknownProperty: Record<string, string> = {
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
};

const list = new Intl.ListFormat('en-GB');

/** The same at `instancePath`: it names a missing or unexpected property. */
export function messageOf({ keyword, params, message = 'must be as documented' }: SchemaError): string {
  const limit = Number(params['limit']);
  const [, bound, measure = ''] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  if (bound === 'min' && limit === 1 && measure !== 'Properties') return 'must not be empty';
  if (bound)
    return `must have at ${bound === 'min' ? 'least' : 'most'} ${limit} ${counted[measure]?.[limit === 1 ? 0 : 1]}`;
  const property = () => {
    const name = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
    return `the property "${String(name ?? params['propertyName']).slice(0, longestName)}"`;
  };
  switch (keyword) {
    case 'type':
    // What express-openapi-validator makes of a `type` beside a date format.
    case 'x-eov-type':
      return `must be ${[params['type']]
        .flat()
        .map((type) => types[String(type)] ?? type)
        .join(' or ')}`;
    case 'required':
    case 'dependentRequired':
      return `must have ${property()}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return `must not have ${property()}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params['multipleOf']}`;
    case 'pattern':
      return `must match the pattern ${params['pattern']}`;
    case 'format':
      return `is not a valid ${formats[String(params['format'])] ?? params['format']}`;
    case 'enum':
      return Array.isArray(params['allowedValues'])
        ? `must be one of ${params['allowedValues'].map((value) => JSON.stringify(value)).join(', ')}`
        : message;
    case 'false schema':
      return 'is not allowed';
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'uniqueItems':
      return `must not contain duplicates: items ${params['j']} and ${params['i']} are equal`;
    case 'anyOf':
      return 'must have one of the allowed forms';
    case 'oneOf':
      return 'must have exactly one of the allowed forms';
    default:
      return message.replace('NOT', 'not');
  }
}
