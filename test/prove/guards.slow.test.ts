import { expect, test } from 'vitest';
import { findGuards, type Guard } from '../../scripts/prove/guards/find.ts';
import { proveGuards } from '../../scripts/prove/guards/prove.ts';
import { hangBound } from '../support/hang-bound.ts';

const found = findGuards();
const guard = (file: string, kind: string, text: string, replacement?: string): Guard => {
  const [first] = found.filter(
    (one) =>
      one.file === file &&
      one.kind === kind &&
      `${one.within} ${one.text}`.includes(text) &&
      (replacement ?? one.replacement) === one.replacement,
  );
  if (!first) throw new Error(`There is no ${kind} guard ${text} in ${file}.`);
  return first;
};

test('a test notices when a guard of each kind is missing, and none when nothing is changed', {
  timeout: hangBound(240_000),
}, async () => {
  const listed = guard('server/src/store/users.ts', 'tenancy', 'organization_id', 'true');
  const { verdicts, unusable } = await proveGuards({
    guards: [
      guard('generated/operations.ts', 'permission', 'operations.getUser', 'null'),
      guard('server/src/domain/grants.ts', 'grant', 'rank[role]'),
      listed,
      guard('server/src/http/signed-urls.ts', 'signature', 'timingSafeEqual'),
      guard('server/src/http/signed-urls.ts', 'expiry', 'now.getTime()', 'true'),
      // Evaluated while modules load.
      guard('server/src/store/access.ts', 'permission', '!row.permitted'),
      guard('server/src/store/access.ts', 'grant', 'organization_role'),
      { ...listed, replacement: listed.text },
    ],
    tests: ['test/domain/grants.test.ts', 'test/endpoints/users.test.ts', 'test/files/signed-urls.test.ts'],
    // Every test that evaluates one of them: which come first depends on how long they take.
    tries: 1_000,
    workers: 2,
  });
  expect(unusable).toEqual([]);
  expect(verdicts.map(({ killedBy }) => killedBy?.file)).toEqual([
    'test/endpoints/users.test.ts',
    'test/domain/grants.test.ts',
    'test/endpoints/users.test.ts',
    'test/files/signed-urls.test.ts',
    'test/files/signed-urls.test.ts',
    'test/endpoints/users.test.ts',
    'test/endpoints/users.test.ts',
    undefined,
  ]);
});
