import { readFile } from 'node:fs/promises';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { reasonOf } from '../../durable-files/index.ts';
import { checkContent, checkFurther } from './check.ts';
import { definitionsIn, withDefinitionFiles } from './definition-files.ts';
import { type PlatformFile, PlatformFileError, type Problem, pathOf } from './platform-file.ts';
import { parseSource, type Source } from './source.ts';

/** A valid platform file with its source, which locates later problems in it. */
export interface ParsedPlatformFile extends PlatformFile {
  source: Source;
  /** What `wrp definition check` warns of. The file is valid nevertheless. */
  warnings: Problem[];
}

/**
 * Reads and checks a platform file.
 *
 * @param name the name of the file in error messages
 * @throws PlatformFileError with every problem and its location
 */
export async function readPlatformFile(file: string, name = file): Promise<ParsedPlatformFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new PlatformFileError([`${name}: cannot be read: ${reasonOf(error)}.`]);
  }
  const source = await withDefinitionFiles(parseSource(text, name), file);
  const found = await Promise.all(
    definitionsIn(source.value).map(({ owner, path }) => checkFurther(owner['definition'], path)),
  );
  return {
    ...checked(
      source,
      found.flatMap(({ errors }) => errors),
      source.failures,
    ),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** Like `readPlatformFile`, for a text, which names no files. The arguments of tasks are not checked: no warnings. */
export function parsePlatformFile(text: string, name: string): ParsedPlatformFile {
  return checked(parseSource(text, name));
}

/**
 * @param found the problems that are known already
 * @param failures those that the source adds to its errors
 */
function checked(source: Source, found: Problem[] = [], failures: string[] = []): ParsedPlatformFile {
  const shapeProblems = checkShape(source.value);
  if (shapeProblems.length > 0) throw source.error([...shapeProblems, ...found]);
  const file = source.value as PlatformFile;
  const contentProblems = [...checkContent(file), ...found];
  if (contentProblems.length + failures.length > 0) throw source.error(contentProblems);
  return { ...file, source, warnings: [] };
}

import eventTypes from '../../../generated/event-types.json' with { type: 'json' };
import rolePermissions from '../../../generated/role-permissions.json' with { type: 'json' };
import { timestampOf } from '../../json/index.ts';
import { isUuid } from '../domain/identifiers.ts';
import { problemOfWebhookUrl } from '../domain/webhooks.ts';
import schema from './platform-schema.json' with { type: 'json' };

/** Of the validation of a file that people write. */
export const options: Options = {
  allErrors: true,
  allowUnionTypes: true,
  useDefaults: true,
  verbose: true,
  formats: {
    uuid: (text: string) => isUuid(text) && text === text.toLowerCase(),
    'webhook-url': (text: string) => problemOfWebhookUrl(text) === undefined,
    // Accepts only what the contract's `email` format accepts in responses.
    email:
      /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i,
    // PostgreSQL has no year 0, and the API returns years of four digits.
    'date-time': (text: string) => /^(?!0000)\d{4}-/.test(timestampOf(text)?.toISOString() ?? ''),
  },
};

const yamlTypes: Record<string, string> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a string',
  'object,string': 'a mapping, or the path of a file',
  'object,null': 'a mapping or empty',
  'integer,null': 'a whole number or empty',
  integer: 'a whole number',
  'string,null': 'a string or empty',
  'object,array': 'a mapping or a list',
  'string,object': 'a name, or a mapping',
};

let validate: ValidateFunction<PlatformFile> | undefined;

/** Validates against the JSON Schema and fills in defaults. Without problems, `value` is a PlatformFile. */
export function checkShape(value: unknown): Problem[] {
  // Compiled on first use: most starts read no platform file.
  validate ??= new Ajv2020({ ...options, validateSchema: false })
    .addSchema(eventTypes, schema.$defs.eventType.$ref)
    .addSchema(rolePermissions, schema.$defs.relation.$ref)
    .compile<PlatformFile>(schema);
  return validate(value) ? [] : toProblems(validate.errors, value);
}

/** The errors of a validation as problems of a file. */
export function toProblems(errors: ErrorObject[] | null | undefined, value: unknown): Problem[] {
  // These errors only repeat those of a subschema.
  const redundant = ['propertyNames', 'if'];
  return (errors ?? [])
    .filter(({ keyword }) => !redundant.includes(keyword))
    .map((error) => toProblem(error, value));
}

const formats: Record<string, string> = {
  uuid: 'must be a UUID in lower case, for example 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01',
  email: 'must be an email address',
  'webhook-url': 'must be an http or https URL without user name, password or fragment',
  'date-time': 'must be a date and time with a time zone (RFC 3339), for example 2026-01-12T09:00:00Z',
};

function toProblem(error: ErrorObject, value: unknown): Problem {
  const path = pathOf(error.instancePath, value);
  const { keyword, params, parentSchema } = error;
  switch (keyword) {
    case 'additionalProperties': {
      const key = params['additionalProperty'] as string;
      const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
      const message = `is not a known property${known.length > 0 ? `: use ${known.join(', ')}` : ''}`;
      return { path: [...path, key], message, atKey: true };
    }
    case 'required':
      return { path: [...path, params['missingProperty'] as string], message: 'is missing' };
    case 'enum': {
      const message = `must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
      return error.propertyName === undefined
        ? { path, message }
        : { path: [...path, error.propertyName], message, atKey: true };
    }
    case 'type': {
      const type = params['type'] as string;
      const unquoted = String(type).startsWith('string') && ['number', 'boolean'].includes(typeof error.data);
      return {
        path,
        message: `must be ${yamlTypes[String(type)] ?? `a ${type}`}${unquoted ? ': put it in quotes' : ''}`,
      };
    }
    case 'format':
      return { path, message: formats[params['format'] as string] as string };
    case 'maxLength':
      return { path, message: `must have at most ${params['limit']} characters` };
    case 'pattern':
      return {
        path,
        message: params['pattern'] === '\\S' ? 'must not be blank' : 'is not a valid locale',
      };
    case 'const':
      return { path, message: `must be ${params['allowedValue']} or a list` };
    case 'uniqueItems':
      return { path, message: 'contains a duplicate' };
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return { path, message: 'must not be empty' };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}
