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
    expect(refusals(document)).toEqual([['', 'A definition must not be nested deeper than 100 levels']]);
  });

  test('nested one level deeper than the limit', () => {
    const ofLevels = (levels: number) =>
      // The definition, its States, and the state are levels, too.
      having({ Type: 'Pass', Output: nested(levels - 3, (value) => [value]) });
    expect(refusals(ofLevels(100))).toEqual([]);
    expect(refusals(ofLevels(101))).toEqual([['', 'A definition must not be nested deeper than 100 levels']]);
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
