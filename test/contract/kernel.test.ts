import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contract, openContract } from '../../server/src/http/contract/index.ts';
import { bundle, describedOperations, examplesOf, resolve } from './kernel/bundle.ts';
import { type RequestCase, requestCases, targetOf } from './kernel/cases.ts';
import { stricterAnswers, stricterRequests } from './kernel/exceptions.ts';
import { mutationsOf } from './kernel/mutations.ts';
import { startStock, type Verdict } from './kernel/stock.ts';

let contract: Contract;
let stock: Awaited<ReturnType<typeof startStock>>;

beforeAll(async () => {
  contract = await openContract(bundle);
  stock = await startStock(bundle);
}, 60_000);
afterAll(() => stock.close());

describe('the contract kernel judges like express-openapi-validator as it comes', () => {
  for (const described of describedOperations()) {
    test(`requests of ${described.id}`, { timeout: 60_000 }, async () => {
      const differences: string[] = [];
      for (const each of requestCases(described)) {
        const ours = await kernelVerdict(each);
        const theirs = await stockVerdict(each);
        const exception = stricterRequests.find(({ of }) => of.test(each.name));
        if (JSON.stringify(ours) === JSON.stringify(theirs)) continue;
        if (exception && ours.status === exception.ours && theirs.status === exception.stock) continue;
        differences.push(`${each.name}: ours ${JSON.stringify(ours)}, stock ${JSON.stringify(theirs)}`);
      }
      expect(differences).toEqual([]);
    });

    test(`answers of ${described.id}`, { timeout: 60_000 }, async () => {
      const differences: string[] = [];
      const operation = contract.operations.get(described.id as never);
      for (const [status, declared] of Object.entries(described.operation.responses)) {
        for (const [type, content] of Object.entries(resolve(declared).content ?? {})) {
          if (!type.endsWith('json')) continue;
          const [example] = examplesOf(content);
          const variants = [
            { name: 'valid', value: example },
            ...mutationsOf(example, content.schema ?? {}),
            { name: 'nothing', value: undefined },
          ];
          for (const { name, value } of Number(status) < 500 ? variants : variants.slice(0, 30)) {
            const body = frozen(structuredClone(value));
            const ours = operation?.checkReply(Number(status), type, body);
            const answer = { status: Number(status), type, body };
            const theirs = await stock.answer(described.method, targetOf(described), answer);
            if (!ours === !theirs || (ours && stricterAnswers(Number(status), name))) continue;
            differences.push(`${status} ${type} ${name}: ours ${ours}, stock ${theirs}`);
          }
        }
      }
      expect(differences).toEqual([]);
    });
  }
});

test('every exception from the stock verdict is still one', async () => {
  const cases = describedOperations().flatMap(requestCases);
  for (const { of, reason } of stricterRequests) {
    const verdicts = cases.filter(({ name }) => of.test(name)).map(async (each) => {
      return (await kernelVerdict(each)).status !== (await stockVerdict(each)).status;
    });
    expect((await Promise.all(verdicts)).includes(true), `drop it: ${of} (${reason})`).toBe(true);
  }
}, 60_000);

/** What the server would answer on the word of the kernel. */
async function kernelVerdict({ described, target, headers, body }: RequestCase): Promise<Verdict> {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const match = contract.match(described.method, path);
  if (!match?.operation) return { status: match ? 405 : 404 };
  const form = Array.isArray(body) ? fieldsOf(body) : undefined;
  const given = form ? 'multipart/form-data' : headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const { operation } = match;
  if (body !== undefined && operation.bodyTypes.length > 0 && !operation.bodyTypes.includes(given ?? ''))
    return { status: 415 };
  const bodyType = operation.bodyTypes.length > 0 && body !== undefined ? given : undefined;
  const checked = operation.checkRequest({
    path: match.path,
    search,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: form ?? (body === undefined ? undefined : JSON.parse(body as string)),
    bodyType,
  });
  const [problem] = operation.checkPath(match.path) ?? ('problems' in checked ? checked.problems : []);
  return problem ? { status: 400, place: problem.parameter ?? `body${problem.pointer}` } : { status: 200 };
}

async function stockVerdict({ described, target, headers, body }: RequestCase): Promise<Verdict> {
  const form = new FormData();
  if (Array.isArray(body)) for (const [name, value] of body) form.append(name, value);
  // As bytes, because a text would be given a Content-Type.
  const bytes = Array.isArray(body) ? form : body === undefined ? null : new TextEncoder().encode(body);
  const latin = Object.entries(headers).map(([name, value]): [string, string] => [name, value]);
  const verdict = await stock.request(described.method, target, { headers: latin, body: bytes });
  const [, part, ...rest] = verdict.place?.split('/') ?? [];
  const place = part === 'body' ? `body${rest.map((name) => `/${name}`).join('')}` : rest.join('/');
  return verdict.status === 400 ? { status: 400, place } : { status: verdict.status };
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
