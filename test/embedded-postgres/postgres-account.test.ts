import { describe, expect, test } from 'vitest';
import { chooseAccount } from '../../server/embedded-postgres/account.ts';
import { PostgresStartError } from '../../server/embedded-postgres/start-error.ts';
import { readConfig } from '../../server/src/config.ts';

// Data that changes its account: postgres-account.slow.test.ts.
describe('the account of the embedded PostgreSQL', () => {
  const accounts: Record<string, { uid: number; gid: number }> = {
    root: { uid: 0, gid: 0 },
    postgres: { uid: 101, gid: 104 },
    nobody: { uid: 65534, gid: 65533 },
    claims: { uid: 700, gid: 701 },
  };
  const alice = { uid: 1000, gid: 1000 };
  /** The account for root on a machine with these accounts. */
  const chosen = (names: string[], given: { runAs?: string; owner?: { uid: number; gid: number } } = {}) => {
    const find = (name: string) => (names.includes(name) ? accounts[name] : undefined);
    return chooseAccount({ runAs: given.runAs, owner: given.owner, uid: 0, find });
  };
  const all = Object.keys(accounts);

  test('is postgres', () => {
    expect(chosen(all)).toEqual({ account: accounts['postgres'] });
  });

  test('is RUN_AS, whoever owns the data', () => {
    expect(chosen(all, { runAs: 'claims' })).toEqual({ account: accounts['claims'] });
    expect(chosen(all, { runAs: 'claims', owner: alice })).toEqual({ account: accounts['claims'] });
  });

  test('is the owner of existing data, unless that is root or nobody', () => {
    expect(chosen(all, { owner: alice })).toEqual({ account: alice });
    for (const name of ['root', 'nobody'])
      expect(chosen(all, { owner: accounts[name] ?? alice })).toEqual({ account: accounts['postgres'] });
  });

  test('is nobody otherwise, with a warning', () => {
    const warning =
      'PostgreSQL runs as "nobody", which other programs also use: create a dedicated account and set RUN_AS to it.';
    expect(chosen(['root', 'nobody'])).toEqual({ account: accounts['nobody'], warning });
    expect(chosen([])).toEqual({ account: { uid: 65534, gid: 65534 }, warning });
    expect(chosen(['nobody'], { owner: accounts['nobody'] ?? alice }).warning).toBe(warning);
  });

  test.each([
    ['cliams', 'RUN_AS is "cliams", which does not exist: create it first.'],
    ['root', 'RUN_AS is "root", but PostgreSQL refuses to run as root.'],
  ])('is not %s', (runAs, message) => {
    expect(() => chosen(all, { runAs })).toThrow(new PostgresStartError('account', message));
  });

  test('is the user of the process if that is not root', () => {
    const find = (name: string) => accounts[name];
    const asClaims = { owner: undefined, uid: 700, find };
    expect(chooseAccount({ ...asClaims, runAs: undefined })).toEqual({ account: undefined });
    expect(chooseAccount({ ...asClaims, runAs: 'claims' })).toEqual({ account: undefined });
    expect(() => chooseAccount({ ...asClaims, runAs: 'postgres' })).toThrow(
      'RUN_AS is "postgres", but only root can start PostgreSQL as another user.',
    );
  });

  test('comes from the environment', () => {
    expect(readConfig({}).runAs).toBeUndefined();
    expect(readConfig({ RUN_AS: 'claims' }).runAs).toBe('claims');
  });
});
