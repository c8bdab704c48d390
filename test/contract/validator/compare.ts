import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClosedObjects } from '../../../server/contract/closed-objects.ts';
import type { Contract } from '../../../server/contract/contract.ts';
import type { ContractDocument } from '../../../server/contract/document.ts';
import type { OperationObject } from '../../../server/contract/routes.ts';
import { bundle, exampleValues, routes, theContract } from '../../support/contract.ts';
import { type RequestCase, requestCases, targetOf } from './cases.ts';
import { mutationsOf } from './mutations.ts';
import { startStock, type Verdict } from './stock.ts';

/** Differences from the stock validator that are on purpose. The list may only shrink. */
const exceptions: { cases: RegExp; statuses: [ours: number, stock: number]; reason: string }[] = [
  {
    cases: /^query value (0x10|1e3|%201|1\.0|01|-0)$/,
    statuses: [400, 200],
    reason:
      'a number in a query is written in decimal, in one way only; the coercion takes any JavaScript number',
  },
  {
    cases: /^form with (a text|an empty text) as its file$/,
    statuses: [400, 200],
    reason: 'the stock validator sees both a file and a text as a string',
  },
  {
    cases: /^form with one (numeric )?tag$/,
    statuses: [200, 400],
    reason:
      'a form cannot say that a field is a list of one; the stock validator parses a lone value as JSON',
  },
  {
    cases: /^no body$/,
    statuses: [400, 415],
    reason: 'without a body there is no media type to refuse: the body is missing',
  },
  {
    cases: /^path value %zz$/,
    statuses: [400, 400],
    reason: 'the problem names the parameter; the stock one names the whole path, and comes before identity',
  },
  {
    cases: /^query (page\[a\]|_openapi\[schema\]\[path\])=1$/,
    statuses: [400, 400],
    reason: 'the problem names the parameter as it was sent; brackets have no meaning',
  },
  {
    cases: /moment 2026-11-21 10:05:00Z in/,
    statuses: [400, 200],
    reason: 'RFC 3339 (decision 43): T, where ajv-formats also takes a space',
  },
];

let contract: Contract;
let stock: Awaited<ReturnType<typeof startStock>>;

/** One operation without a body, one with a JSON body and one with a form. */
const sample = ['getUser', 'updateUserProfile', 'uploadResource'];

/**
 * Compares the verdicts of the contract's validator with those of express-openapi-validator as it comes.
 *
 * @param which the operations: those of the sample, or all others
 */
export function compareWithStock(which: 'sample' | 'others'): void {
  const compared = routes.filter(
    ({ operation }) => sample.includes(operation.operationId) === (which === 'sample'),
  );
  beforeAll(async () => {
    ({ contract } = await theContract());
    const paths = Object.fromEntries(compared.map(({ path }) => [path, bundle.paths[path]]));
    stock = await startStock(withClosedObjects({ ...bundle, paths } as ContractDocument));
  });
  afterAll(() => stock.close());
  const excepted = new Set<RegExp>();

  describe.each(compared.map((route) => ({ route, id: route.operation.operationId })))(
    '$id',
    ({ route, id }) => {
      test('gives requests the same status, and reports the same part as invalid', async () => {
        const differences: string[] = [];
        for (const each of requestCases(route)) {
          const ours = verdict(each);
          const theirs = await stockVerdict(each);
          if (ours.status === theirs.status && ours.place === theirs.place) continue;
          const exception = exceptions.find(
            ({ cases, statuses }) =>
              cases.test(each.name) && `${statuses}` === `${ours.status},${theirs.status}`,
          );
          if (exception) excepted.add(exception.cases);
          else
            differences.push(`${each.name}: ours ${JSON.stringify(ours)}, stock ${JSON.stringify(theirs)}`);
        }
        expect(differences.join('\n')).toBe('');
      });

      test('accepts and refuses the same responses', async () => {
        const differences: string[] = [];
        for (const { status, type, name, body } of responseCases(route.operation)) {
          const ours = contract.operations.get(id as never)?.checkReply(status, type, body);
          const theirs = await stock.response(route.method.toUpperCase(), targetOf(route), {
            status,
            type,
            body,
          });
          // The stock validator checks no response of an internal error.
          if (!ours === !theirs || (ours && status >= 500)) continue;
          const exception = ours && exceptions.find(({ cases }) => cases.test(name));
          if (exception) {
            excepted.add(exception.cases);
            continue;
          }
          differences.push(`${status} ${type} ${name}: ours ${ours}, stock ${theirs}`);
        }
        expect(differences.join('\n')).toBe('');
      });
    },
  );

  if (which === 'sample') return;
  test('every listed exception still differs from express-openapi-validator', () => {
    expect(exceptions.filter(({ cases }) => !excepted.has(cases))).toEqual([]);
  });
}

function responseCases({ responses }: OperationObject) {
  return Object.entries(responses).flatMap(([status, declared]) =>
    Object.entries(declared.content ?? {}).flatMap(([type, content]) => {
      if (!type.endsWith('json')) return [];
      const [example] = exampleValues(content);
      const variants = [
        { name: 'valid', value: example },
        { name: 'nothing', value: undefined },
        ...mutationsOf(example, content.schema ?? {}),
      ];
      // The error object is the same everywhere: its variants are tried on one status of each operation.
      const few = Number(status) > 400 ? variants.slice(0, 4) : variants;
      return few.map(({ name, value }) => ({
        status: Number(status),
        type,
        name,
        body: frozen(structuredClone(value)),
      }));
    }),
  );
}

/** What the server responds with, by its validator. */
function verdict({ route, target, headers, body }: RequestCase): Verdict {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const match = contract.match(route.method.toUpperCase(), path);
  if (!match?.operation) return { status: match ? 405 : 404 };
  const { operation } = match;
  const form = Array.isArray(body) ? fieldsOf(body) : undefined;
  const type = form ? 'multipart/form-data' : headers['content-type']?.split(';')[0]?.toLowerCase();
  const takesBody = body !== undefined && operation.bodyTypes.length > 0;
  if (takesBody && !operation.bodyTypes.includes(type ?? '')) return { status: 415 };
  const checked = operation.checkRequest({
    path: match.path,
    search,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: form ?? (takesBody ? JSON.parse(String(body)) : undefined),
    bodyType: takesBody ? type : undefined,
  });
  const problems = operation.checkPath(match.path) ?? ('problems' in checked ? checked.problems : []);
  const [first] = problems;
  if (!first) return { status: 200 };
  const { code, pointer, parameter = '' } = first;
  // Theirs has the names of headers as Node has them.
  const header = operation.headerParameters.find((name) => name === parameter.toLowerCase());
  return { status: 400, place: code === 'body_invalid' ? `body${pointer}` : (header ?? parameter) };
}

async function stockVerdict({ route, target, headers, body }: RequestCase): Promise<Verdict> {
  const form = new FormData();
  if (Array.isArray(body)) for (const [name, value] of body) form.append(name, value);
  // As bytes: fetch would give a text a Content-Type.
  const sent = Array.isArray(body) ? form : body === undefined ? null : new TextEncoder().encode(body);
  const given = await stock.request(route.method.toUpperCase(), target, { headers, body: sent });
  if (given.status !== 400) return { status: given.status };
  const [, part = '', ...names] = given.place?.split('/') ?? [];
  return { status: 400, place: part === 'body' ? ['body', ...names].join('/') : names.join('/') };
}

/** As an upload is received: files as objects, a repeated field as a list. */
function fieldsOf(entries: [string, string | Blob][]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const given = typeof value === 'string' ? value : { size: value.size };
    fields[name] = name in fields ? [fields[name], given].flat() : given;
  }
  return fields;
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
