import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { type ContractDocument, routesOf } from '../../server/contract/index.ts';

/** The rows of the guide’s table. */
async function rows(): Promise<string[]> {
  const guide = await readFile('spec/guides/get-access.md', 'utf8');
  const [, section = ''] = guide.split('\n## What is not in the API\n');
  const [, ...found] = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) \|/gm)];
  return found.map(([, first = '']) => first);
}

/**
 * What a row says is missing, as a pattern of `namesIn`, with names that it must match: those that the contract would
 * have if it were added.
 */
const missing: Record<string, [pattern: RegExp, ...names: string[]]> = {
  'Create or invite a user': [
    /^POST \/organizations\/users |^POST .* (create|invite|add|import)Users?$/,
    'POST /organizations/users createUser',
    'POST /organizations/invitations inviteUser',
  ],
  'Search, filter or sort users': [
    /^listUsers\?(?!page$|size$)|searchUsers$/,
    'listUsers?email',
    'listUsers?sort',
    'POST /organizations/users/search searchUsers',
  ],
  'The current user (`me`, whoami): ID, role, permissions': [
    /^GET \S*\/(me|whoami|caller|current)\b|^GET .* get(Me|Caller|Current\w*|Own\w*)$/,
    'GET /me getMe',
    'GET /organizations/users/current getCurrentUser',
  ],
  'List files (resources)': [/^GET \/resources |listResources$/, 'GET /resources listResources'],
  'What a running step of an execution waits for': [
    /^WorkflowExecution\w*\.(await|wait|current|progress|step)|^GET \/workflows\S*\/(steps|waits|progress) /,
    'WorkflowExecution.waitsFor',
    'WorkflowExecutionSummary.currentState',
    'GET /workflows/{workflowId}/waits listWaits',
  ],
  'Delete an execution, a file or a user, for example for the GDPR': [
    /^DELETE \/(workflows|resources|parameters|organizations\/users)\b/,
    'DELETE /workflows/{workflowId} deleteWorkflow',
    'DELETE /organizations/users/{userId} deleteUser',
  ],
  'Single sign-on (SSO), passwords, login pages': [
    /^\w+ \S*\b(sso|saml|oidc|oauth2?|log-?in|sign-?in|passwords?|sessions?)\b/,
    'POST /auth/login login',
    'PUT /organizations/users/{userId}/password setPassword',
  ],
  'Create a workspace, table, record or case': [
    /^(POST|PUT) .* (create|add|import)(Workspace|Table|Record|Case)s?$/,
    'POST /tables/{tableId}/records createRecord',
    'PUT /cases/{caseId} createCase',
  ],
  'Read, change or delete the fields of a record': [
    /^\w+ \/tables\/\{tableId\}\/records\/\{recordId\} |^\w*Record\w*\.(fields|values|data)$/,
    'PATCH /tables/{tableId}/records/{recordId} updateRecord',
    'Record.fields',
  ],
  'Create or change a workflow definition': [
    /^(POST|PUT|PATCH|DELETE) \/workflow-definitions\b/,
    'POST /workflow-definitions createWorkflowDefinition',
  ],
  'Issue, list or revoke tokens and API keys': [
    /^\w+ \S*\/(tokens|api-keys)\b|(create|issue|list|revoke|delete)\w*(Token|ApiKey)s?$/,
    'POST /organizations/tokens issueToken',
    'GET /auth/keys listApiKeys',
  ],
  'Register a webhook endpoint': [
    /^(POST|PUT|PATCH|DELETE) \S*webhook/,
    'POST /webhooks/endpoints registerWebhook',
  ],
  'Push to a page (WebSocket, server-sent events)': [
    /text\/event-stream|websocket/i,
    'GET /events: text/event-stream',
  ],
  'Status page': [/^GET \/(status|health)\b/, 'GET /status getStatus'],
};

/** The operations, query parameters, media types of responses, and fields of a contract. */
function namesIn(document: ContractDocument): string[] {
  const operations = routesOf(document).flatMap(({ method, path, operation }) => {
    const { operationId, parameters, responses } = operation;
    const request = `${method.toUpperCase()} ${path}`;
    const types = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
    const queries = parameters.filter((parameter) => parameter.in === 'query');
    return [
      `${request} ${operationId}`,
      ...queries.map(({ name }) => `${operationId}?${name}`),
      ...types.map((type) => `${request}: ${type}`),
    ];
  });
  const schemas = Object.entries(document.components.schemas ?? {}) as [string, { properties?: object }][];
  return [
    ...operations,
    ...schemas.flatMap(([schema, { properties = {} }]) =>
      Object.keys(properties).map((field) => `${schema}.${field}`),
    ),
  ];
}

describe('the guide’s table of what is not in the API', async () => {
  const names = namesIn(contract as unknown as ContractDocument);

  test('has rows that are compared with the contract', async () => {
    const advice = 'Add a new row to `missing`, with a pattern that the contract would match.';
    expect(await rows(), advice).toEqual(Object.keys(missing));
  });

  test.each(Object.entries(missing))('“%s”: the contract has nothing of it', (row, [pattern]) => {
    const advice = `The contract has it: remove the row “${row}” from get-access.md, or correct it.`;
    expect(
      names.filter((name) => pattern.test(name)),
      advice,
    ).toEqual([]);
  });

  test.each(Object.entries(missing))(
    '“%s”: its pattern finds what would be added',
    (_, [pattern, ...added]) => {
      expect(added.filter((name) => !pattern.test(name))).toEqual([]);
    },
  );

  test('reads operations, parameters, media types and fields', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'GET /workflows/{workflowId}/history listHistory',
        'listWorkflows?recordId',
        'GET /workflows/{workflowId}/history: application/json',
        'WorkflowExecution.status',
      ]),
    );
  });
});
