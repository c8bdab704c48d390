import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { PostgresStartError } from './start-error.ts';

/** The user that PostgreSQL runs as; undefined: the user of this process. */
export type Account = { uid: number; gid: number } | undefined;

/** Finds an account of this machine by its name. */
export type AccountLookup = (name: string) => Account;

interface AccountChoice {
  account: Account;
  /** A line for the operator about an account that is not a good one. */
  warning?: string;
}

interface AccountOptions {
  cluster: string;
  /** RUN_AS: the name of the account; undefined: see `accountFor`. */
  runAs: string | undefined;
}

// Debian, Red Hat and Alpine; macOS.
const usualNames = ['postgres', '_postgres'];

const sharedAccountWarning =
  'PostgreSQL runs as "nobody", an account that other programs use too: create one for it and name it in RUN_AS.';

/**
 * PostgreSQL refuses to run as root. Started as root it runs as the account named by RUN_AS, else as the owner of
 * existing data, else as `postgres`, else as `nobody`. Data of root or `nobody` has no owner in this sense. No account
 * is created.
 *
 * @throws PostgresStartError `account` when RUN_AS names none that PostgreSQL can run as
 */
export function accountFor({ cluster, runAs }: AccountOptions): AccountChoice {
  const owner = statSync(cluster, { throwIfNoEntry: false });
  return chooseAccount({ runAs, owner, uid: process.getuid?.(), find: findAccount });
}

/** The decision of `accountFor`, of the user id of this process, the owner of the data and the machine's accounts. */
export function chooseAccount({
  runAs,
  owner,
  uid,
  find,
}: {
  runAs: string | undefined;
  owner: Account;
  uid: number | undefined;
  find: AccountLookup;
}): AccountChoice {
  const named = runAs === undefined ? undefined : accountNamed(runAs, find);
  if (uid !== 0) {
    if (named === undefined || named.uid === uid) return { account: undefined };
    throw new PostgresStartError(
      'account',
      `RUN_AS is "${runAs}", but only root can start it as another user.`,
    );
  }
  if (named) return { account: named };
  const nobody = find('nobody') ?? { uid: 65534, gid: 65534 };
  if (owner && owner.uid !== 0 && owner.uid !== nobody.uid)
    return { account: { uid: owner.uid, gid: owner.gid || nobody.gid } };
  for (const name of usualNames) {
    const account = find(name);
    if (account) return { account };
  }
  return { account: nobody, warning: sharedAccountWarning };
}

function accountNamed(runAs: string, find: AccountLookup): NonNullable<Account> {
  const account = find(runAs);
  if (account === undefined)
    throw new PostgresStartError(
      'account',
      `RUN_AS is "${runAs}", and there is no such account: create it first.`,
    );
  if (account.uid === 0)
    throw new PostgresStartError('account', `RUN_AS is "${runAs}", but PostgreSQL refuses to run as root.`);
  return account;
}

/** By the `id` command, which knows the accounts of directory services as well. */
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
