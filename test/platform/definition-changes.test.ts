import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { compareRevisions } from '../../server/src/manifest/definition-changes.ts';
import { definitionOf } from '../support/definitions.ts';

const wait = (fields: JsonObject = {}): JsonObject => ({ Type: 'Wait', Seconds: 1, End: true, ...fields });
const scopeOf = (...names: string[]): JsonObject => ({
  StartAt: names[0] as string,
  States: Object.fromEntries(names.map((name) => [name, wait()])),
});
const parallel = (...branches: JsonObject[]): JsonObject => ({
  Type: 'Parallel',
  Branches: branches,
  End: true,
});
const map = (scope: JsonObject): JsonObject => ({ Type: 'Map', ItemProcessor: scope, End: true });
const revision = (states: JsonObject, more: JsonObject = {}) => ({
  definition: definitionOf(states, { StartAt: 'A' }),
  inputSchema: {},
  uiOptions: {},
  ...more,
});
const changed = (name: string, type: string, ...differences: object[]) => ({
  name,
  type,
  change: 'changed',
  differences,
});
const other = (change: 'added' | 'removed', name: string, type = 'Wait') => ({
  name,
  type,
  change,
  differences: [],
});

describe('compareRevisions', () => {
  test.each<[what: string, from: JsonObject, to: JsonObject, states: object[]]>([
    ['equal states', { A: wait() }, { A: wait() }, []],
    ['states in another order', { A: wait(), B: wait() }, { B: wait(), A: wait() }, []],
    ['an added state', { A: wait() }, { A: wait(), B: wait() }, [other('added', 'B')]],
    ['a removed state', { A: wait(), B: wait() }, { A: wait() }, [other('removed', 'B')]],
    [
      'a changed field',
      { A: wait() },
      { A: wait({ Seconds: 2 }) },
      [changed('A', 'Wait', { pointer: '/Seconds', from: 1, to: 2 })],
    ],
    [
      'an added and a removed field',
      { A: wait({ Comment: 'x' }) },
      { A: wait({ Output: null }) },
      [
        changed(
          'A',
          'Wait',
          { pointer: '/Comment', from: 'x', to: undefined },
          { pointer: '/Output', from: undefined, to: null },
        ),
      ],
    ],
    [
      'a value inside lists and objects, by its pointer',
      { A: wait({ Output: { 'a/b': [1, { c: 1 }] } }) },
      { A: wait({ Output: { 'a/b': [1, { c: 2 }] } }) },
      [changed('A', 'Wait', { pointer: '/Output/a~1b/1/c', from: 1, to: 2 })],
    ],
    [
      'a longer list, as a whole',
      { A: wait({ Output: [1] }) },
      { A: wait({ Output: [1, 2] }) },
      [changed('A', 'Wait', { pointer: '/Output', from: [1], to: [1, 2] })],
    ],
    [
      'a state in a branch',
      { A: parallel(scopeOf('B')) },
      { A: parallel({ ...scopeOf('B'), States: { B: wait({ Seconds: 3 }) } }) },
      [changed('B', 'Wait', { pointer: '/Seconds', from: 1, to: 3 })],
    ],
    [
      'states of a branch in another order',
      { A: parallel(scopeOf('B', 'C')) },
      { A: parallel({ StartAt: 'B', States: { C: wait(), B: wait() } }) },
      [],
    ],
    [
      'a state that moves to another branch',
      { A: parallel(scopeOf('B', 'C'), scopeOf('D')) },
      { A: parallel(scopeOf('B'), scopeOf('D', 'C')) },
      [
        changed(
          'A',
          'Parallel',
          { pointer: '/Branches/0/States', from: ['B', 'C'], to: ['B'] },
          { pointer: '/Branches/1/States', from: ['D'], to: ['C', 'D'] },
        ),
      ],
    ],
    [
      'a state in the ItemProcessor of a Map in a branch',
      { A: parallel({ StartAt: 'M', States: { M: map(scopeOf('B')) } }) },
      { A: parallel({ StartAt: 'M', States: { M: map(scopeOf('B', 'C')) } }) },
      [
        changed('M', 'Map', { pointer: '/ItemProcessor/States', from: ['B'], to: ['B', 'C'] }),
        other('added', 'C'),
      ],
    ],
  ])('reports %s', (_what, from, to, states) => {
    expect(compareRevisions(revision(from), revision(to))).toEqual({ states, differences: [] });
  });

  test('reports what differs outside the states', () => {
    const from = { ...revision({ A: wait() }, { inputSchema: { type: 'object' } }), defaultLocale: 'en' };
    const to = { ...revision({ A: wait() }, { uiOptions: { title: 'T' } }), defaultLocale: 'fr' };
    to.definition['StartAt'] = 'B';
    expect(compareRevisions(from, to)).toEqual({
      states: [],
      differences: [
        { pointer: '/definition/StartAt', from: 'A', to: 'B' },
        { pointer: '/inputSchema/type', from: 'object', to: undefined },
        { pointer: '/uiOptions/title', from: undefined, to: 'T' },
        { pointer: '/defaultLocale', from: 'en', to: 'fr' },
      ],
    });
  });

  test('reports every state of a definition that is new as added', () => {
    const { states, differences } = compareRevisions(
      undefined,
      revision({ A: wait(), B: map(scopeOf('C')) }),
    );
    expect(states).toEqual([other('added', 'A'), other('added', 'B', 'Map'), other('added', 'C')]);
    expect(differences).toEqual([]);
  });
});
