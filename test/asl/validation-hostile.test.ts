import { describe, expect, test } from 'vitest';
import { validateDefinition } from '../../server/asl/validate.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { having, refusals } from './refusals.ts';
import { definitionOf } from './run.ts';

describe('a hostile document is refused', () => {
  const nested = (levels: number, wrap: (value: unknown) => unknown) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = wrap(value);
    return value;
  };

  test('nested 100,000 deep', () => {
    const document = having({ Type: 'Pass', Output: nested(100_000, (value) => [value]) });
    expect(refusals(document)).toEqual([
      ['/States/S/Output', 'A definition must not be nested deeper than 100 levels'],
    ]);
  });

  test('nested one level deeper than the limit', () => {
    const ofLevels = (levels: number) =>
      // The definition, its States, and the state are levels, too.
      having({ Type: 'Pass', Output: nested(levels - 3, (value) => [value]) });
    expect(refusals(ofLevels(100))).toEqual([]);
    expect(refusals(ofLevels(101))).toEqual([
      ['/States/S/Output', 'A definition must not be nested deeper than 100 levels'],
    ]);
  });

  test.each<[what: string, document: (value: unknown) => object, path: string]>([
    ['a field of the definition', (value) => ({ ...having({ Type: 'Pass' }), Comment: value }), '/Comment'],
    ['all states', (value) => ({ States: [value] }), '/States'],
    ['a state', (value) => ({ States: { A: { Type: 'Pass' }, 'B/C': [value] } }), '/States/B~1C'],
    ['a field', (value) => ({ States: { A: { Assign: { a: { b: value } } } } }), '/States/A/Assign'],
  ])('nested too deep in %s', (_what, document, path) => {
    const found = refusals(document(nested(100, (value) => [value])));
    expect(found).toEqual([[path, 'A definition must not be nested deeper than 100 levels']]);
  });

  test('larger than 1 MiB as JSON in UTF-8, with nothing else reported', () => {
    const ofBytes = (bytes: number, more = {}) => {
      const document = having({ Type: 'Pass', Comment: '', ...more });
      const rest = bytes - Buffer.byteLength(JSON.stringify(document));
      return having({
        Type: 'Pass',
        Comment: 'é'.repeat(Math.floor(rest / 2)) + 'a'.repeat(rest % 2),
        ...more,
      });
    };
    expect(refusals(ofBytes(1_048_576))).toEqual([]);
    expect(refusals(ofBytes(1_048_577, { Seconds: 'x', Output: '{% a %}' }))).toEqual([
      ['', 'A definition must not be larger than 1048576 bytes (1 MiB) as JSON; this one has 1048577'],
    ]);
  });

  test.each<[what: string, expression: string]>([
    ['parentheses', `{% ${'('.repeat(50_000)}1${')'.repeat(50_000)} %}`],
    ['arrays', `{% ${'['.repeat(50_000)}${']'.repeat(50_000)} %}`],
    ['signs', `{% ${'-'.repeat(100_000)}1 %}`],
  ])('an expression of nested %s', (_, Output) => {
    expect(refusals(having({ Type: 'Pass', Output }))).toEqual([
      ['/States/S/Output', expect.stringContaining('does not compile')],
    ]);
  });

  test.each([null, undefined, 1, 'x', true, [], [[]]])('%j', (document) => {
    expect(refusals(document)).toHaveLength(1);
  });

  test('with the wrong types everywhere: reported, never thrown', () => {
    const values = [null, 1, 'x', [], {}, [1], { a: 1 }, ['x'], [{}], true];
    const fields =
      'Type Next End Output Assign Arguments Retry Catch Choices Default Branches ItemProcessor Items'.split(
        ' ',
      );
    for (const Type of ['Task', 'Pass', 'Choice', 'Wait', 'Succeed', 'Fail', 'Parallel', 'Map']) {
      for (const field of fields) {
        for (const value of values) {
          expect(() =>
            validateDefinition(definitionOf({ S: { Type, [field]: value } }), supportedResources),
          ).not.toThrow();
        }
      }
    }
    for (const value of values) {
      for (const field of ['StartAt', 'States', 'Comment', 'TimeoutSeconds', 'Version', 'QueryLanguage']) {
        expect(() =>
          validateDefinition({ ...having({ Type: 'Pass' }), [field]: value }, supportedResources),
        ).not.toThrow();
      }
    }
  });
});
