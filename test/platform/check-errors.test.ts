import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkErrorNames } from '../../server/src/manifest/check-errors.ts';
import { errorNamesOf, platformErrors } from '../../server/src/workflows/tasks/error-names.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { definitionOf } from '../support/definitions.ts';

const catching = (state: object, ...names: string[]) => ({
  ...state,
  Catch: [{ ErrorEquals: names, Next: 'E' }],
  Next: 'E',
});
const warningsOf = (state: object) =>
  checkErrorNames(definitionOf({ S: state, E: { Type: 'Succeed' } } as never), ['definition']).map(
    ({ path, message, warning }) => {
      expect(warning).toBe(true);
      return [path.join('/'), message];
    },
  );

const inner = (states: object) => ({ StartAt: 'A', States: states });
const task = (resource: string) => ({ Type: 'Task', Resource: `wrp:${resource}` });
const call = task('http:call');
const ask = task('callback:wait');
const parallel = (...states: object[]) => ({
  Type: 'Parallel',
  Branches: states.map((state, index) => inner({ [`A${index}`]: state })),
});
const map = (state: object) => ({ Type: 'Map', ItemProcessor: inner({ A: state }) });
const fail = (error?: string) => ({ Type: 'Fail', ...(error && { Error: error }) });

describe('the names in Retry and Catch', () => {
  test.each<[what: string, state: object, name: string, isKnown: boolean]>([
    ['an HTTP call', call, 'Http.Status.404', true],
    ['an HTTP call', call, 'Http.Status.999', true],
    ['an HTTP call', call, 'Http.Status.200', false],
    ['an HTTP call', call, 'Http.Status.9999', false],
    ['an HTTP call', call, 'Http.Statu.404', false],
    ['an HTTP call', call, 'http.status.404', false],
    ['an HTTP call', call, 'Organizations.Dup', false],
    ['an HTTP call', call, 'Wrp.InvalidArguments', true],
    ['an HTTP call', call, 'Wrp.RecordNotFound', false],
    ['an HTTP call', call, 'States.Timeout', true],
    ['a callback', ask, 'Organizations.Dup', true],
    ['a callback', ask, 'Http.Failed', true],
    ['a callback', ask, 'Http.Faled', false],
    ['a callback', ask, 'Wrp.TooManyAttachments', false],
    ['a mail', task('mail:send'), 'Http.Failed', false],
    ['a resource', task('resource:create'), 'Wrp.StorageQuotaExceeded', true],
    ['a resource', task('resource:create'), 'Wrp.ResourceNotFound', false],
    ['an attachment', task('attachment:create'), 'Wrp.ResourceNotFound', true],
    ['a task that does not exist', task('none'), 'Any.Name', true],
    ['a Parallel with a call', parallel({ Type: 'Pass' }, call), 'Http.Status.404', true],
    ['a Parallel with a call', parallel({ Type: 'Pass' }, call), 'Order.Rejected', false],
    ['a Parallel with a callback', parallel(call, ask), 'Order.Rejected', true],
    ['a Parallel that fails by a name', parallel(fail('Order.Rejected')), 'Order.Rejected', true],
    ['a Parallel that fails by a name', parallel(fail('Order.Rejected')), 'Order.Rejectd', false],
    ['a Parallel that fails by a name', parallel(fail('Http.Own')), 'Http.Own', true],
    ['a Parallel that fails by an expression', parallel(fail('{% $states.input.e %}')), 'Any.Name', true],
    ['a Parallel that fails without a name', parallel(fail()), 'Any.Name', false],
    ['a Map in a Parallel', parallel(map(fail('Order.Rejected'))), 'Order.Rejected', true],
    ['a Map of a mail', map(task('mail:send')), 'Http.Failed', false],
    ['a Map of an unknown state', map({ Type: 'Pas' }), 'Any.Name', true],
  ])('of %s are known or not: %j %s', (_what, state, name, isKnown) => {
    const found = warningsOf(catching(state, 'States.Timeout', name));
    expect(found.map(([path]) => path)).toEqual(isKnown ? [] : ['definition/States/S/Catch/0/ErrorEquals/1']);
    const retrying = { ...state, Retry: [{ ErrorEquals: ['States.Timeout'] }, { ErrorEquals: [name] }] };
    const inMap = warningsOf(map(retrying));
    expect(inMap.map(([path]) => path)).toEqual(
      isKnown ? [] : ['definition/States/S/ItemProcessor/States/A/Retry/1/ErrorEquals/0'],
    );
  });

  test.each<[state: object, name: string, message: string]>([
    [
      call,
      'Http.Statu.404',
      'The state never fails with Http.Statu.404; its errors besides those of States. are Http.Status.<code>, Http.Refused, Http.Failed, Http.TooLarge, Wrp.InvalidArguments. Did you mean `Http.Status.404`?',
    ],
    [
      task('mail:send'),
      'Mail.Bounced',
      'The state never fails with Mail.Bounced; its errors besides those of States. are Wrp.InvalidArguments',
    ],
    [parallel({ Type: 'Pass' }), 'X', 'The state never fails with X'],
  ])('are named in the warning: %j %s', (state, name, message) => {
    expect(warningsOf(catching(state, name)).map(([, text]) => text)).toEqual([message]);
  });

  test.each<[document: unknown]>([
    [null],
    [{}],
    [{ States: [] }],
    [{ States: { A: null } }],
    [{ States: { A: { ...call, Retry: 1, Catch: [1, { ErrorEquals: [1] }, { ErrorEquals: 'A' }] } } }],
    [{ States: { A: { Type: 'Parallel', Branches: [1, { States: 1 }] } } }],
  ])('are not checked where they are not names: %j', (document) => {
    expect(checkErrorNames(document)).toEqual([]);
  });
});

describe('the error names of tasks', () => {
  test('are in the guide', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../spec/guides/definitions.md'), 'utf8');
    expect(platformErrors.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  test('have those with which the tasks fail', async () => {
    const directory = join(import.meta.dirname, '../../server/src/workflows/tasks');
    const others = (await readdir(directory)).filter((file) => file !== 'error-names.ts');
    const texts = await Promise.all(others.map((file) => readFile(join(directory, file), 'utf8')));
    const failures = [...texts.join().matchAll(/'((?:Http|Wrp)\.\w+)'/g)].map(([, name]) => name);
    expect(failures.length).toBeGreaterThan(5);
    expect([...new Set(failures)].filter((name) => !platformErrors.includes(String(name)))).toEqual([]);
  });

  test.each([...supportedResources])('include Wrp.InvalidArguments: %s', (resource) => {
    expect(errorNamesOf(resource)).toContain('Wrp.InvalidArguments');
  });
});
