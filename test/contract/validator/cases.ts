import { propertiesOf, type Route } from '../../../server/contract/routes.ts';
import { bundle, exampleValues } from '../../support/contract.ts';
import { type Mutation, mutationsOf } from './mutations.ts';

/** A request as it is sent. Equal names are equal cases. */
export interface RequestCase {
  name: string;
  route: Route;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  /** Absent: none. A form is given by its fields, where a Blob is a file. */
  body?: string | [string, string | Blob][];
}

export function targetOf({ path, operation }: Route, values: Record<string, string> = {}): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const example = operation.parameters.find((parameter) => parameter.name === name)?.example;
    return values[name] ?? String(example);
  });
}

/** The valid request of the operation and its systematic variants. */
export function requestCases(route: Route): RequestCase[] {
  const content = Object.entries(route.operation.requestBody?.content ?? {});
  const [type, media] = content[0] ?? [];
  const base = { route, target: targetOf(route), headers: {} };
  if (!type || !media) return [{ ...base, name: 'valid' }, ...aroundBody(base), ...ignoredBodies(base)];
  if (type === 'multipart/form-data') return formCases(base);
  const headers = { 'content-type': type };
  const [example] = exampleValues(media);
  const valid = { ...base, headers, body: JSON.stringify(example) };
  const variants = mutationsOf(example, media.schema ?? {}).map(({ name, value }: Mutation) => ({
    ...valid,
    name: `body with ${name}`,
    body: JSON.stringify(value),
  }));
  return [
    { ...valid, name: 'valid' },
    ...variants,
    ...mediaTypes.map((given) => ({
      ...valid,
      name: `body as ${given}`,
      headers: { 'content-type': given },
    })),
    { ...valid, name: 'body of no type', headers: {} },
    { ...base, name: 'no body' },
    ...aroundBody(valid),
  ];
}

const mediaTypes = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json; a=1',
  'text/plain',
  'application/xml',
  'application/vnd.api+json',
  'multipart/form-data; boundary=x',
];

type Base = Omit<RequestCase, 'name'>;

/** Variants of path, query and headers. */
function aroundBody(base: Base): RequestCase[] {
  const { route, target } = base;
  const cases: RequestCase[] = [];
  for (const { name, in: place, example } of route.operation.parameters) {
    if (place === 'path') {
      for (const value of pathValues(String(example)))
        cases.push({
          ...base,
          name: `path value ${shape(value)}`,
          target: targetOf(route, { [name]: value }),
        });
    } else if (place === 'query') {
      for (const value of queryValues)
        cases.push({ ...base, name: `query value ${value}`, target: `${target}?${name}=${value}` });
      const twice = `${target}?${name}=${example}&${name}=${example}`;
      cases.push({ ...base, name: 'query twice', target: twice });
      cases.push({ ...base, name: 'query without value', target: `${target}?${name}` });
    } else if (place === 'header') {
      for (const value of headerValues)
        cases.push({ ...base, name: `header ${shape(value)}`, headers: { ...base.headers, [name]: value } });
    }
  }
  for (const query of ['surplus=1', 'page[a]=1', '__proto__=1', 'a.b=1', '_openapi[schema][path]=1'])
    cases.push({ ...base, name: `query ${query}`, target: `${target}?${query}` });
  for (const query of ['', '&', '&&'])
    cases.push({ ...base, name: `query '${query}'`, target: `${target}?${query}` });
  return cases;
}

function pathValues(valid: string): string[] {
  return [
    'x',
    valid.toUpperCase(),
    `urn:uuid:${valid}`,
    valid.slice(1),
    `${valid}0`,
    'a%2Fb',
    '%00',
    '%20',
    '%zz',
  ];
}
const queryValues =
  '0 1 2 20 100 101 -1 1000000 1000001 0x10 1e3 +1 %201 1.0 1.5 01 -0 %31 true false TRUE yes null a:b a,b %zz %F0%9F 99999999999999999999'.split(
    ' ',
  );
const headerValues = ['a', 'a b', 'ä', 'x'.repeat(255), 'x'.repeat(256)];

function shape(value: string): string {
  return value.length > 60 ? `of ${value.length} characters` : value.replace(/[0-9a-f]{8,}/gi, '…');
}

/** A body where the operation declares none. */
function ignoredBodies(base: Base): RequestCase[] {
  if (base.route.method === 'get') return [];
  return [
    { ...base, name: 'ignored body', headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
    { ...base, name: 'ignored text', headers: { 'content-type': 'text/plain' }, body: 'hello' },
  ];
}

function formCases(base: Base): RequestCase[] {
  const media = base.route.operation.requestBody?.content['multipart/form-data'];
  const fields = propertiesOf(bundle, media?.schema);
  const file: [string, Blob] = ['file', new Blob(['hello'])];
  const form = (name: string, body: [string, string | Blob][]) => ({
    ...base,
    name: `form with ${name}`,
    body,
  });
  const tags = (...values: string[]) => values.map((value): [string, string] => ['tags', value]);
  const cases = [
    form('its file', [file]),
    form('nothing', []),
    form('a text as its file', [['file', 'hello']]),
    form('an empty text as its file', [['file', '']]),
    form('a surplus field', [file, ['surplus', '1']]),
    ...aroundBody({ ...base, body: [file] }),
  ];
  if (!fields['tags']) return cases;
  return [
    ...cases,
    form('two tags', [file, ...tags('a', 'b')]),
    form('one tag', [file, ...tags('a')]),
    form('one numeric tag', [file, ...tags('5')]),
    form('an empty tag', [file, ...tags('', 'b')]),
    form('a tag too long', [file, ...tags('x'.repeat(65), 'b')]),
    form('21 tags', [file, ...tags(...new Array<string>(21).fill('a'))]),
  ];
}
