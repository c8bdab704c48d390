/** What the client's types cost the compiler of an application. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute } from './compatibility/execute.ts';

/** Maximum type instantiations of ten calls. Unlike the time, their number is the same on every machine. */
export const instantiationLimit = 10_000;

export interface TypeCost {
  name: keyof typeof applications;
  instantiations: number;
}

const compiler = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
const client = `import { createClient, unwrap } from '@wrp/client';
const client = createClient({ baseUrl: 'https://api.example.com', token: 'tot_1' });
const id: string = crypto.randomUUID();
`;

const applications = {
  'no calls': client,
  '10 calls by path': `${client}
const user = { params: { path: { userId: id } } };
const workspace = { params: { path: { workspaceId: id } } };
const workflow = { params: { path: { workflowId: id } } };
export const results = [
  await unwrap(client.GET('/organizations/users', { params: { query: { size: 5 } } })),
  await unwrap(client.GET('/organizations/users/{userId}', user)),
  await unwrap(client.POST('/organizations/users/{userId}/reinstate', { ...user, body: { roleId: id } })),
  await unwrap(client.GET('/organizations/roles')),
  await unwrap(client.GET('/organizations/workspaces')),
  await unwrap(client.GET('/organizations/workspaces/{workspaceId}/roles', workspace)),
  await unwrap(client.GET('/organizations/workspaces/{workspaceId}/memberships', workspace)),
  await unwrap(client.POST('/workflows', { body: { workflowDefinitionId: id, parameters: {} } })),
  await unwrap(client.GET('/workflows/{workflowId}', workflow)),
  await unwrap(client.GET('/workflows/{workflowId}/result', workflow)),
] as const;
`,
  '10 named methods': `${client}
import { operations } from '@wrp/client/operations';
const { users, organization, memberships, workflows } = operations(client);
export const results = [
  await users.list({ query: { size: 5 } }),
  await users.get(id),
  await users.reinstate(id, { roleId: id }),
  await organization.listRoles(),
  await organization.listWorkspaces(),
  await organization.listWorkspaceRoles(id),
  await memberships.list(id),
  await workflows.start({ workflowDefinitionId: id, parameters: {} }),
  await workflows.get(id),
  await workflows.getResult(id),
] as const;
`,
} as const;

/**
 * Compiles each application.
 *
 * @param directory has the packed client installed; the sources are written to it
 * @throws if one does not compile
 */
export async function typeCosts(directory: string): Promise<TypeCost[]> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
  };
  const costs: TypeCost[] = [];
  for (const [name, source] of Object.entries(applications)) {
    await writeFile(join(directory, 'calls.ts'), source);
    const project = join(directory, 'tsconfig.calls.json');
    await writeFile(project, JSON.stringify({ compilerOptions, files: ['calls.ts'] }));
    const options = [compiler, '-p', project, '--extendedDiagnostics', '--singleThreaded'];
    const { stdout } = await execute(process.execPath, options).catch((error) => {
      throw new Error(`${name}: ${(error as { stdout?: string }).stdout || error}`, { cause: error });
    });
    const [, instantiations] = /^Instantiations: +(\d+)/m.exec(stdout) ?? [];
    costs.push({ name: name as TypeCost['name'], instantiations: Number(instantiations) });
  }
  return costs;
}
