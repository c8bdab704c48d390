import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../contract/source.ts';

const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';
const blob = ts.factory.createTypeReferenceNode('Blob');

/** The contract's types, for the server's handlers and the client alike. A binary value is a `Blob`. */
export async function typesModule(contract: Contract): Promise<string> {
  const nodes = await openapiTypescript(
    withDescriptions(withInlineHeaders(contract)) as unknown as OpenAPI3,
    {
      defaultNonNullable: false,
      alphabetize: true,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      silent: true,
      transform: (schema) => ('format' in schema && schema.format === 'binary' ? blob : undefined),
    },
  );
  return banner + astToString(nodes);
}

/** Inlines required headers: the generator ignores `required` behind a `$ref`. */
function withInlineHeaders(contract: Contract): Contract {
  const headers = contract.components['headers'] as Record<string, { required?: boolean }> | undefined;
  const inline = (_key: string, value: unknown) => {
    const reference = (value as { $ref?: string } | null)?.$ref;
    const [, name = ''] = reference?.split('#/components/headers/') ?? [];
    return headers?.[name]?.required ? headers[name] : value;
  };
  return JSON.parse(JSON.stringify(contract), inline);
}

/** Copies the description of a `$ref`'s target to the property, because editors show only that. */
function withDescriptions(contract: Contract): Contract {
  const schemas = contract.components['schemas'] as Record<string, { description?: string }>;
  const describe = (property: { $ref?: string; description?: string } | null) => {
    const description = schemas[property?.$ref?.slice('#/components/schemas/'.length) ?? '']?.description;
    return description ? { description, ...property } : property;
  };
  const inline = (key: string, value: unknown) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, describe(property)]));
  };
  return JSON.parse(JSON.stringify(contract), inline);
}
