import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../contract/source.ts';

const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';
const exported = ts.factory.createModifier(ts.SyntaxKind.ExportKeyword);
const blob = ts.factory.createTypeReferenceNode('Blob');

/**
 * The contract's types, for the server's handlers and the client alike. A binary value is a `Blob`. Each schema is an
 * exported type, so that editors and messages of the compiler show its name: `User` instead of its structure.
 */
export async function typesModule(contract: Contract): Promise<string> {
  const nodes = await openapiTypescript(
    withDescriptions(withInlineHeaders(contract)) as unknown as OpenAPI3,
    {
      defaultNonNullable: false,
      alphabetize: true,
      silent: true,
      transform: (schema) => ('format' in schema && schema.format === 'binary' ? blob : undefined),
    },
  );
  return banner + astToString(withNames(nodes));
}

/**
 * Moves each schema and operation out of its interface into a type alias of its name. An alias, because an interface
 * cannot be assigned to a `Record<string, unknown>`. Those of operations are not exported, and only shorten messages.
 */
function withNames(nodes: readonly ts.Node[]): ts.Node[] {
  const { factory } = ts;
  const aliases: ts.Node[] = [];
  const nameMembers = (parent: ts.Node, modifiers: readonly ts.Modifier[]): ts.Node => {
    const nameMember = (member: ts.Node): ts.Node => {
      if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name) || !member.type) return member;
      const { name, type } = member;
      const alias = factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
      aliases.push(ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(member)));
      return factory.createPropertySignature(
        undefined,
        name,
        undefined,
        factory.createTypeReferenceNode(name),
      );
    };
    return ts.visitEachChild(parent, nameMember, undefined);
  };
  const nameSchemas = (section: ts.Node): ts.Node => {
    if (!ts.isPropertySignature(section) || !ts.isIdentifier(section.name)) return section;
    if (section.name.text !== 'schemas') return section;
    return ts.visitEachChild(section, (type) => nameMembers(type, [exported]), undefined);
  };
  const named = nodes.flatMap((node) => {
    if (ts.isTypeAliasDeclaration(node)) return node.name.text === '$defs' ? [] : [node];
    if (!ts.isInterfaceDeclaration(node)) return [node];
    if (node.name.text === 'operations') return [nameMembers(node, [])];
    return [node.name.text === 'components' ? ts.visitEachChild(node, nameSchemas, undefined) : node];
  });
  return [...named, ...aliases];
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
