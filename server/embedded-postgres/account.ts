import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { PostgresStartError } from './start-error.ts';

/** The user that PostgreSQL runs as. Undefined: the user of this process. */
export type Account = { uid: number; gid: number } | undefined;

interface AccountChoice {
  account: Account;
  /** Tells the operator why the account should be changed. */
  warning?: string;
}

// The package managers of Debian, Red Hat and Alpine create the first, macOS has the second.
const packagedNames = ['postgres', '_postgres'];

const sharedAccountWarning =
  'PostgreSQL runs as "nobody", which other programs also use: create a dedicated account and set RUN_AS to it.';

/**
 * Chooses the account for PostgreSQL, which refuses to run as root. If this process is root, the account is the one
 * that RUN_AS names, else the owner of existing data unless that is root or `nobody`, else `postgres`, else `nobody`.
 * No account is created.
 *
 * @throws PostgresStartError `account` if PostgreSQL cannot run as the account in RUN_AS
 */
export function accountFor(cluster: string, runAs: string | undefined): AccountChoice {
  const owner = statSync(cluster, { throwIfNoEntry: false });
  return chooseAccount({ runAs, owner, uid: process.getuid?.(), find: findAccount });
}

interface AccountInputs {
  runAs: string | undefined;
  /** The owner of the data, if there is any. */
  owner: Account;
  /** The user of this process. */
  uid: number | undefined;
  /** Finds an account of this machine by name. */
  find(name: string): Account;
}

/** The decision of `accountFor` without the system calls. */
export function chooseAccount({ runAs, owner, uid, find }: AccountInputs): AccountChoice {
  const named = runAs === undefined ? undefined : usableAccount(runAs, find(runAs));
  if (uid !== 0) {
    if (named === undefined || named.uid === uid) return { account: undefined };
    throw new PostgresStartError(
      'account',
      `RUN_AS is "${runAs}", but only root can start PostgreSQL as another user.`,
    );
  }
  if (named) return { account: named };
  const nobody = find('nobody') ?? { uid: 65534, gid: 65534 };
  if (owner && owner.uid !== 0 && owner.uid !== nobody.uid)
    return { account: { uid: owner.uid, gid: owner.gid || nobody.gid } };
  for (const name of packagedNames) {
    const account = find(name);
    if (account) return { account };
  }
  return { account: nobody, warning: sharedAccountWarning };
}

function usableAccount(runAs: string, account: Account): NonNullable<Account> {
  if (account === undefined)
    throw new PostgresStartError('account', `RUN_AS is "${runAs}", which does not exist: create it first.`);
  if (account.uid === 0)
    throw new PostgresStartError('account', `RUN_AS is "${runAs}", but PostgreSQL refuses to run as root.`);
  return account;
}

/** Uses the `id` command because it also knows the accounts of directory services. */
function findAccount(name: string): Account {
  try {
    const [uid, gid] = ['-u', '-g'].map((option) =>
      Number(
        execFileSync('id', [option, '--', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      ),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}
