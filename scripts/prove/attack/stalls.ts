import { type Attack, codesOf, expectRefusal, type Group } from './attack.ts';
import { expensiveBodies } from './inputs/bodies.ts';
import { expensiveForms, expensivePages, fewFields } from './inputs/link-pages.ts';
import { type Received, send } from './send.ts';
import { type Definition, ids, type Target } from './target.ts';

const formDefinition = 'few fields';
const pageDefinition = (what: string) => `page: ${what}`;
const echo = { Echo: { Type: 'Succeed' } };

export const stallDefinitions: Definition[] = [
  { name: formDefinition, inputSchema: { type: 'object', ...fewFields }, states: echo },
  ...expensivePages.map(([what, schema]) => ({
    ...{ name: pageDefinition(what), states: echo },
    inputSchema: { type: 'object', ...schema },
  })),
];

/** Requests that once occupied the event loop, or look as if they could. */
export const stalls: Group[] = [
  { tried: 'expensive bodies', attacks: () => Object.entries(expensiveBodies).map(bodyAttack) },
  { tried: 'expensive headers and URLs', attacks: headerAttacks },
  {
    tried: 'expensive forms and pages of links',
    attacks: () => [...expensiveForms.map(formAttack), ...expensivePages.map(pageAttack)],
  },
];

function bodyAttack([what, json]: [string, string]): Attack {
  return {
    name: `a body of ${what}`,
    async run({ request, definitions }) {
      const workflowDefinitionId = definitions.get(formDefinition);
      const parameters = `{"workflowDefinitionId":"${workflowDefinitionId}","parameters":${json}}`;
      const requests: [path: string, body: string, token?: string][] = [
        ['/parameters', json],
        ['/parameters', parameters],
        ['/parameters', `{"unknown":${json}}`],
        ['/workflows', parameters],
        ['/link', `{"caseId":"${ids.case}","workflowDefinitionId":${json}}`],
        // Anonymous.
        ['/auth/authorize', json, ''],
        ['/auth/authorize', `{"key":${json},"secret":"x"}`, ''],
      ];
      for (const [path, body, token] of requests) {
        const response = await request('POST', path, body, token);
        const isExpected = [200, 201].includes(response.status) || isRefusal(response);
        if (!isExpected) return `${path} returned ${response.status} ${response.text.slice(0, 200)}`;
      }
      return undefined;
    },
  };
}

const isRefusal = (response: Received) => response.status < 500 && codesOf(response).length > 0;

const zeros = '0'.repeat(12_000);

function headerAttacks({ baseUrl, tokens }: Target): Attack[] {
  const attack = (
    name: string,
    statuses: number[],
    target: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Attack => ({
    name,
    async run() {
      const response = await send(baseUrl, {
        method,
        target,
        headers: { Authorization: tokens.owner, ...headers },
      });
      if (response.status < 300 && statuses.includes(response.status)) return undefined;
      return expectRefusal(response, { statuses });
    },
  });
  const users = '/organizations/users';
  return [
    attack('a token of 12,000 digits', [401], users, { Authorization: `tot_${zeros}` }),
    attack('a token of 12,000 spaces', [401], users, { Authorization: `tot_${' '.repeat(12_000)}x` }),
    attack('a bearer token of 6,000 dots', [401], users, { Authorization: `Bearer ${'a.'.repeat(6_000)}` }),
    attack('a bearer scheme and spaces', [401], users, { Authorization: `Bearer${' '.repeat(12_000)}x` }),
    attack('an Idempotency-Key of 12,000 digits', [400], '/parameters', { 'Idempotency-Key': zeros }, 'POST'),
    attack(
      'a media type of 3,000 parameters',
      [400, 415],
      '/parameters',
      { 'Content-Type': `application/json${';a=b'.repeat(3_000)}` },
      'POST',
    ),
    attack(
      'a form of 6,000 boundaries',
      [400, 415],
      '/resources',
      { 'Content-Type': `multipart/form-data${';boundary=a'.repeat(1_000)}` },
      'POST',
    ),
    attack('3,000 ranges', [404], `/resources/${ids.record}`, { Range: `bytes=${'0-0,'.repeat(3_000)}1-1` }),
    attack('3,000 entity tags', [404], `/resources/${ids.record}`, {
      'If-None-Match': `${'"a",'.repeat(3_000)}"b"`,
    }),
    attack('3,000 accepted media types', [200], users, { Accept: `${'a/b;q=0.1,'.repeat(1_200)}*/*` }),
    attack('3,000 forwarded addresses', [200], users, {
      'X-Forwarded-For': `${'127.0.0.1,'.repeat(1_200)}::1`,
    }),
    attack('a page of 6,000 digits', [400], `${users}?page=${'9'.repeat(6_000)}`),
    attack('a page of 6,000 digits and a letter', [400], `${users}?page=${'1'.repeat(6_000)}x`),
    attack('2,000 unknown parameters', [400], `${users}?${'a&'.repeat(2_000)}`),
    attack('a parameter 1,000 times', [400], `${users}?${'page=1&'.repeat(1_000)}`),
    attack('nested parameters', [400], `${users}?page${'[a]'.repeat(2_000)}=1`),
    attack('a path of 6,000 slashes', [404], '/'.repeat(6_000)),
    attack('a path of 3,000 escapes', [400, 404], `/workflows/${'%2e'.repeat(3_000)}`),
    attack('a path that is not UTF-8', [400, 404], `/workflows/${'%f0'.repeat(3_000)}`),
    attack('an identifier of 12,000 digits', [400, 404], `/workflows/${zeros}`),
    attack('a path of dots', [404], `${'/..'.repeat(3_000)}/etc/passwd`),
  ];
}

async function linkTo(
  { request, definitions }: Target,
  definition: string,
  parameters?: unknown,
): Promise<URL> {
  const workflowDefinitionId = definitions.get(definition);
  const made = async (path: string, body: object, field: string) => {
    const { status, text } = await request('POST', path, body);
    if (status !== 201) throw new Error(`${path} returned ${status} ${text.slice(0, 200)}`);
    return (JSON.parse(text) as Record<string, string>)[field] as string;
  };
  const parametersId =
    parameters === undefined
      ? undefined
      : await made('/parameters', { workflowDefinitionId, parameters }, 'parametersId');
  const link = { caseId: ids.case, workflowDefinitionId, ...(parametersId && { parametersId }) };
  return new URL(await made('/link', link, 'link'));
}

function formAttack([what, fields, expected = 422]: [string, string, number?]): Attack {
  return {
    name: `a form with ${what}`,
    async run(target) {
      const { origin, pathname } = await linkTo(target, formDefinition);
      const { text } = await send(origin, { method: 'GET', target: pathname });
      const [, token] = /<input type="hidden" name="form" value="([^"]+)">/.exec(text) ?? [];
      const { status } = await send(origin, {
        ...{ method: 'POST', target: pathname },
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' },
        body: `form=${token}&${fields}&f.amount=x`,
      });
      return status === expected ? undefined : `expected ${expected}, got ${status}`;
    },
  };
}

function pageAttack([what, , parameters]: [string, object, unknown]): Attack {
  return {
    name: `a page with ${what}`,
    async run(target) {
      const { origin, pathname } = await linkTo(target, pageDefinition(what), parameters);
      const { status } = await send(origin, { method: 'GET', target: pathname });
      return status === 200 ? undefined : `expected 200, got ${status}`;
    },
  };
}
