import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contract, openContract } from '../../server/src/contract/index.ts';
import type { OperationObject } from '../../server/src/contract/routes.ts';
import { bundle, exampleValues, routes } from '../support/contract.ts';
import { type RequestCase, requestCases, targetOf } from './kernel/cases.ts';
import { isUncheckedByStock, requestExceptions } from './kernel/exceptions.ts';
import { mutationsOf } from './kernel/mutations.ts';
import { startStock, type Verdict } from './kernel/stock.ts';

let contract: Contract;
let stock: Awaited<ReturnType<typeof startStock>>;

beforeAll(async () => {
  contract = await openContract(bundle);
  stock = await startStock(bundle);
});
afterAll(() => stock.close());

describe('the kernel judges like express-openapi-validator as it comes', () => {
  const excepted = new Set<string>();

  for (const route of routes) {
    const { operationId: id } = route.operation;
    const method = route.method.toUpperCase();
    test(`requests of ${id}`, async () => {
      const differences: string[] = [];
      for (const each of requestCases(route)) {
        const ours = kernelVerdict(each);
        const theirs = await stockVerdict(each);
        if (ours.status === theirs.status && ours.place === theirs.place) continue;
        const exception = requestExceptions.find(({ of, statuses }) => {
          return of.test(each.name) && `${statuses}` === `${ours.status},${theirs.status}`;
        });
        if (exception) excepted.add(exception.reason);
        else differences.push(`${each.name}: ours ${JSON.stringify(ours)}, stock ${JSON.stringify(theirs)}`);
      }
      expect(differences.join('\n')).toBe('');
    });

    test(`responses of ${id}`, async () => {
      const differences: string[] = [];
      for (const { status, type, name, body } of answerCases(route.operation)) {
        const ours = contract.operations.get(id as never)?.checkReply(status, type, body);
        const theirs = await stock.answer(method, targetOf(route), { status, type, body });
        if (!ours === !theirs || (ours && isUncheckedByStock(status))) continue;
        differences.push(`${status} ${type} ${name}: ours ${ours}, stock ${theirs}`);
      }
      expect(differences.join('\n')).toBe('');
    });
  }

  test('except where the list of exceptions says so, and that list has no entry too many', () => {
    expect(requestExceptions.map(({ reason }) => reason).filter((reason) => !excepted.has(reason))).toEqual(
      [],
    );
  });
});

function answerCases({ responses }: OperationObject) {
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

/** What the server answers on the word of the kernel. */
function kernelVerdict({ route, target, headers, body }: RequestCase): Verdict {
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
  return { status: 400, place: first.code === 'body_invalid' ? `body${first.pointer}` : first.parameter };
}

async function stockVerdict({ route, target, headers, body }: RequestCase): Promise<Verdict> {
  const form = new FormData();
  if (Array.isArray(body)) for (const [name, value] of body) form.append(name, value);
  // As bytes: fetch would give a text a Content-Type.
  const sent = Array.isArray(body) ? form : body === undefined ? null : new TextEncoder().encode(body);
  const verdict = await stock.request(route.method.toUpperCase(), target, { headers, body: sent });
  if (verdict.status !== 400) return { status: verdict.status };
  const [, part = '', ...names] = verdict.place?.split('/') ?? [];
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
