import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../scripts/contract/source.ts';
import { ArgumentError, editsOf } from '../../scripts/spec/refactor/edits.ts';
import { planMove } from '../../scripts/spec/refactor/move.ts';
import { type Kind, kinds, namesIn, planRename } from '../../scripts/spec/refactor/rename.ts';
import { routesOf } from '../../server/contract/index.ts';

const root = new URL('../../', import.meta.url);
const contract: Contract = JSON.parse(readFileSync(new URL('generated/openapi.json', root), 'utf8'));
const wordOf = (name = '') => name.split('.').at(-1) ?? '';
const inFile = (text: string) => text.split('\n').length;

function renamed(kind: Kind, from: string, to: string, everywhere = false) {
  const edits = editsOf(root);
  planRename(kind, { root, edits, contract, from, to, everywhere });
  return new Map(edits.changes().map(({ file, after }) => [file, { before: edits.read(file), after }]));
}

describe('spec:rename', () => {
  test.each(kinds.map((kind) => [kind, ...namesIn(kind, contract)]))(
    'refuses a %s that does not exist, with the nearest name',
    (kind = '', name = '') => {
      const wrong = `${name}s`;
      expect(() => renamed(kind as Kind, wrong, 'getOther')).toThrow(
        new ArgumentError(`there is no ${kind} ${wrong}. Did you mean \`${name}\`?`),
      );
    },
  );

  test.each(kinds)('refuses to give a %s the name of another, or a name of another form', (kind) => {
    const names = [...namesIn(kind, contract)];
    const [from = ''] = names;
    const other = names.find((name) => name !== from) ?? '';
    expect(() => renamed(kind, from, wordOf(other))).toThrow('already.');
    expect(() => renamed(kind, from, 'not-a-name')).toThrow(`is not a name of a ${kind}`);
  });

  test('renames an operation in the contract, the handler, the tests, the samples and the permission matrix', () => {
    const [{ operation } = { operation: { operationId: '', tags: [''] } }] = routesOf(contract).filter(
      ({ operation }) => operation.operationId.startsWith('reinstate'),
    );
    const from = operation.operationId;
    const changed = renamed('operation', from, 'readmitUser');
    for (const { before, after } of changed.values()) {
      expect(after).not.toMatch(new RegExp(`\\b${from}\\b`));
      expect(inFile(after)).toBe(inFile(before));
    }
    const [tag = ''] = operation.tags ?? [];
    const files = [`spec/paths/${tag}.yaml`, `server/src/handlers/${tag}.ts`, `test/samples/${tag}.sh`];
    expect([...changed.keys()]).toEqual(
      expect.arrayContaining([...files, 'test/sweeps/authorization-matrix.txt']),
    );
    const calls = changed.get('test/client/operations.test.ts');
    expect(calls?.after).toContain(`${tag}.readmit(`);
  });

  const fields = [...namesIn('field', contract)];
  const parameters = namesIn('parameter', contract);
  const isOfSeveral = (word: string) =>
    /^[a-z]+[A-Z]/.test(word) &&
    !parameters.has(word) &&
    ['User', 'Attachment'].every((schema) => fields.includes(`${schema}.${word}`));

  test('renames a field in the contract, its examples, the demo, SQL and expected values', () => {
    const word = fields.map(wordOf).find(isOfSeveral) ?? '';
    const changed = renamed('field', `User.${word}`, 'renamedField', true);
    for (const { before, after } of changed.values()) {
      expect(after).not.toMatch(new RegExp(`\\b${word}\\b`));
      expect(inFile(after)).toBe(inFile(before));
    }
    expect([...changed.keys()]).toEqual(
      expect.arrayContaining([
        ...['users', 'attachments', 'webhooks'].map((name) => `spec/schemas/${name}.yaml`),
        ...['spec/examples/users.yaml', 'server/demo/platform.yaml', 'test/endpoints/attachments.test.ts'],
      ]),
    );
    expect([...changed.values()].map(({ after }) => after).join()).toContain('as "renamedField"');
  });

  test.each([
    ['an ordinary word', (word: string) => /^[a-z]+$/.test(word), 'otherName', 'means other things'],
    ['a header', (word: string) => /^[A-Z]/.test(word), 'otherName', 'means other things'],
    [
      'a parameter',
      (word: string) => /[A-Z]/.test(word) && parameters.has(word),
      'otherName',
      'is a parameter, too',
    ],
    [
      'a security scheme',
      (word: string) => word in (contract.components.securitySchemes ?? {}),
      'otherName',
      'is a security scheme, too',
    ],
    ['a word of libraries', (word: string) => word === 'contentType', 'otherName', 'in server/blobs/'],
    ['a field of several resources', isOfSeveral, 'otherName', '--everywhere renames it in all of them'],
    [
      'beside one of the new name',
      (word: string) => word === 'lastName',
      'title',
      'there is a field Profile.title already',
    ],
    ['in code with the new name', (word: string) => word === 'expiryDuration', 'token', 'token is in use in'],
  ] as const)('refuses to rename a field: %s', (_, isIt, to, message) => {
    const from = fields.find((name) => isIt(wordOf(name)));
    expect(() => renamed('field', from ?? '', to)).toThrow(message);
  });
});

describe('spec:move', () => {
  const moved = (kind: 'schema' | 'operation', name: string, file: string) => {
    const edits = editsOf(root);
    planMove(kind, { edits, contract, name, file });
    return new Map(edits.changes().map(({ file, after }) => [file, after]));
  };

  test('moves a schema, and every reference to it follows', () => {
    const changed = moved('schema', 'JobTitle', 'spec/schemas/titles.yaml');
    expect(changed.get('spec/schemas/titles.yaml')).toMatch(/^JobTitle:\n {2}description: /);
    for (const after of changed.values()) expect(after).not.toMatch(/(users\.yaml|')#\/JobTitle/);
    expect(changed.get('spec/schemas/users.yaml')).not.toMatch(/^JobTitle:/m);
  });

  test.each(routesOf(contract).map(({ operation }) => operation.operationId))(
    'moves %s with the anchors that it uses',
    (name) => {
      const changed = moved('operation', name, 'spec/paths/apart.yaml');
      expect([...changed.keys()]).toContain('spec/openapi.yaml');
      for (const after of changed.values()) {
        const anchors = new Set([...after.matchAll(/(?<=[:-] )&(\w+)/g)].map(([, anchor]) => anchor));
        for (const [, alias] of after.matchAll(/(?<=[:-] )\*(\w+)/g)) expect(anchors).toContain(alias);
      }
    },
  );

  test.each([
    ['schema', 'JobTitel', 'spec/schemas/titles.yaml', 'Did you mean `JobTitle`?'],
    ['schema', 'JobTitle', 'spec/schemas/users.yaml', 'is in spec/schemas/users.yaml already.'],
    ['schema', 'JobTitle', '../titles.yaml', 'is not a file such as spec/schemas/invoices.yaml.'],
    ['operation', 'getUsr', 'spec/paths/titles.yaml', 'Did you mean `getUser`?'],
  ] as const)('refuses to move %s %s to %s', (kind, name, file, message) => {
    expect(() => moved(kind, name, file)).toThrow(message);
  });
});
