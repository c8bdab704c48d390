import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { routesOf } from '../../server/contract/index.ts';
import { bundle } from '../support/contract.ts';

const file = `${import.meta.dirname}/application.ts`;
const head = `import { createClient, unwrap } from '@wrp/client';
import { operations } from '@wrp/client/operations';
const client = createClient();
const ops = operations(client);
const path = { userId: '' };
`;
let text = head;
let version = 0;
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
};
/** The same as an editor's. */
const service = ts.createLanguageService({
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  realpath: (path) => ts.sys.realpath?.(path) ?? path,
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : '0'),
  getScriptSnapshot: (name) =>
    ts.ScriptSnapshot.fromString(name === file ? text : readFileSync(name, 'utf8')),
  getCurrentDirectory: () => import.meta.dirname,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});

/** The contract's names for what `getUser` and `listUsers` return and `updateUserProfile` takes, and a field of the last. */
const [user, page, profile] = ['getUser', 'listUsers', 'updateUserProfile'].map((id) => {
  const { requestBody, responses } =
    routesOf(bundle).find(({ operation }) => operation.operationId === id)?.operation ?? {};
  const { schema } = (requestBody ?? responses?.['200'])?.content?.['application/json'] ?? {};
  return String(schema?.$ref?.replace(/^.*\//, ''));
});
const { schemas } = bundle.components as Record<string, Record<string, { properties?: object }>>;
const [field = ''] = Object.keys(schemas?.[String(profile)]?.properties ?? {});
const typo = field.slice(0, -1);

/** @returns the position of the mark `|` */
function edit(code: string): number {
  text = head + code.replace('|', '');
  version++;
  return head.length + code.indexOf('|');
}

function messageFor(code: string): string {
  edit(code);
  const [first, ...others] = service.getSemanticDiagnostics(file);
  expect(others).toEqual([]);
  return ts.flattenDiagnosticMessageText(first?.messageText, '\n');
}

function hoverOf(code: string): string {
  const { displayParts } = service.getQuickInfoAtPosition(file, edit(code)) ?? {};
  return ts.displayPartsToString(displayParts);
}

function completionsOf(code: string): string[] {
  const { entries = [] } = service.getCompletionsAtPosition(file, edit(code), {}) ?? {};
  return entries.map(({ name }) => name);
}

describe('the compiler', () => {
  test.for([
    ["client.GET('/organizations/user')", '/organizations/users'],
    ["client.GET('/organisations/uesrs')", '/organizations/users'],
    ["client.GET('/organizations/users/{id}', { params: { path } })", '/organizations/users/{userId}'],
    ["client.POST('/workflow', { body: { workflowDefinitionId: '' } })", '/workflows'],
    [
      "client.DELETE('/tables/{table}/record/{recordId}/attachments/{attachmentId}', { params: {} as never })",
      '/tables/{tableId}/records/{recordId}/attachments/{attachmentId}',
    ],
  ])('suggests a path for the one in %s', ([code = '', near = '']) => {
    const [, method = '', given] = /\.(\w+)\(('[^']+')/.exec(code) ?? [];
    const known = `PathsWith<"${method.toLowerCase()}"> | DidYouMean<"${near}">`;
    expect(messageFor(code)).toBe(
      `Argument of type '${given?.replaceAll("'", '"')}' is not assignable to parameter of type '${known}'.`,
    );
  });

  test('suggests nothing for a path that resembles none', () => {
    expect(messageFor("client.GET('/invoices')")).toBe(
      `Argument of type '"/invoices"' is not assignable to parameter of type 'PathsWith<"get">'.`,
    );
  });

  test.for([
    ["client.GET('/organizations/users', { params: { query: { pages: 2 } } })", 'page'],
    ["client.POST('/workflows', { body: { workflowDefinitionID: '' } })", 'workflowDefinitionId'],
    [
      `client.PUT('/organizations/users/{userId}/profile', { params: { path }, body: { ${typo}: '' } })`,
      field,
    ],
    [`ops.users.updateProfile('', { ${typo}: '' })`, field],
    ["client.GET('/organizations/users', { retires: 1 })", 'retries'],
    ["ops.users.updateProfil('', {})", 'updateProfile'],
    [`(await ops.users.get('')).profile.${typo}`, field],
  ])('suggests a name for the one in %s', ([code = '', name = '']) => {
    expect(messageFor(code)).toMatch(new RegExp(`Did you mean (to write )?'${name}'\\?$`));
  });

  test.for([
    [
      "export const wrong: number = await ops.users.get('')",
      `Type '${user}' is not assignable to type 'number'.`,
    ],
    [
      "export const wrong: string = await unwrap(client.GET('/organizations/users'))",
      `Type '${page}' is not assignable to type 'string'.`,
    ],
    ["(await ops.users.get('')).profile.salary", "Property 'salary' does not exist on type 'Profile'."],
    [
      "ops.workflows.start({ definition: '' })",
      "Object literal may only specify known properties, and 'definition' does not exist in type 'DeepReadonly<WorkflowStart>'.",
    ],
  ])('names the schema in the message for %s', ([code = '', message]) => {
    expect(messageFor(code)).toBe(message);
  });
});

describe('an editor', () => {
  test('names schemas and operations', () => {
    expect(hoverOf("const us|er = await ops.users.get('')")).toBe(`const user: ${user}`);
    expect(hoverOf("const { da|ta } = await client.GET('/organizations/users')")).toBe(
      `const data: ${page} | undefined`,
    );
    expect(hoverOf("const resu|lt = await client.GET('/organizations/users')")).toBe(
      'const result: CallResult<listUsers, "json">',
    );
    expect(hoverOf("client.P|OST('/workflows', { body: { workflowDefinitionId: '' } })")).toContain(
      '(path: "/workflows", request: Request<startWorkflow, "json">) => Promise<CallResult<startWorkflow, "json">>',
    );
  });

  test('completes paths, parameters and fields', () => {
    const put = routesOf(bundle).filter(({ method }) => method === 'put');
    const paths = put.map(({ path }) => path).sort();
    expect(completionsOf("client.PUT('/organizations/users/{userId}/|')").sort()).toEqual(paths);
    const query = completionsOf("client.GET('/organizations/users', { params: { query: { | } } })");
    const listUsers = routesOf(bundle).find(({ operation }) => operation.operationId === 'listUsers');
    const names = listUsers?.operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    expect(query.sort()).toEqual(names?.sort());
    expect(completionsOf('ops.workflows.start({ | })')).toContain('workflowDefinitionId');
  });
});

test('every schema of the contract is exported as a type', () => {
  edit("import * as wrp from '@wrp/client';");
  const program = service.getProgram() as ts.Program;
  const checker = program.getTypeChecker();
  const index = program.getSourceFile(`${process.cwd()}/client/src/index.ts`);
  const exported = checker.getExportsOfModule(
    checker.getSymbolAtLocation(index as ts.SourceFile) as ts.Symbol,
  );
  const generated = exported.filter(({ declarations: [declaration] = [] }) =>
    declaration?.getSourceFile().fileName.endsWith('/generated/types.ts'),
  );
  // A name of the client's own would hide a schema's.
  expect(generated.map(({ name }) => name).sort()).toEqual(
    [
      'components',
      'operations',
      'paths',
      'webhooks',
      ...Object.keys(bundle.components['schemas'] ?? {}),
    ].sort(),
  );
});
