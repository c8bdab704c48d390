import type { ErrorCode } from '../../../server/contract/index.ts';
import { operations } from '../../sweeps/support/contract.ts';
import { notOnTheDemo, takesSeveralRequests } from '../../sweeps/support/demo-requests.ts';
import type { Case } from './cases.ts';

/** How the mock without state differs from the platform on purpose: a row of the table in spec/guides/mock.md. */
export interface Difference {
  /** The first column. */
  subject: string;
  /** The second column: what the mock without state does. */
  stateless: string;
  /** The errors of the platform that it does not return by itself. */
  codes?: ErrorCode[];
  /** The cases of the sweep that show it otherwise. */
  cases?: RegExp;
  /** What they show. Default: another status. */
  shows?: RegExp;
}

/** Conflicts with the state of the data, to which one request leads; whether an execution runs, the mock knows. */
const conflicts = operations
  .flatMap(({ responses }) => responses.get(409)?.codes ?? [])
  .filter((code) => code !== 'execution_already_ended' && !(code in notOnTheDemo))
  .filter((code) => !takesSeveralRequests(`409 ${code}`)) as ErrorCode[];

export const differences: Difference[] = [
  {
    subject: 'Callers',
    stateless: 'any token, except an organization token with `Bearer` and a JWT without it; any API key',
    codes: ['credentials_invalid'],
    cases: /^Authorization: /,
    shows: / instead of 401$/,
  },
  {
    subject: 'Origins',
    stateless: 'those of your machine and of `--allow-origin`',
    cases: /^a preflight from https:/,
  },
  {
    subject: 'Permissions',
    stateless: 'not checked; use `Prefer: code=403`',
    codes: ['permission_denied', 'beyond_own_permissions', 'sandbox_only'],
  },
  { subject: 'Rate limits', stateless: 'none; use `Prefer: code=429`' },
  {
    subject: '`Idempotency-Key`',
    stateless: 'validated, without effect; use `Prefer: code=422`',
    cases: /Idempotency-Key (twice|of another request)$/,
    shows: /^no idempotency-replayed$| instead of 422$/,
  },
  {
    subject: '`If-Match`',
    stateless: 'validated, without effect; use `Prefer: code=412`',
    codes: ['precondition_failed'],
    cases: /^If-Match: "/,
    shows: / instead of 412$/,
  },
  {
    subject: 'Identifiers',
    stateless: 'those of the examples; in bodies, any',
    codes: [
      ...(['workflow_definition_not_found', 'parameters_not_found', 'case_not_found'] as const),
      ...(['role_unknown', 'record_mismatch', 'link_objects_mismatch'] as const),
    ],
  },
  {
    subject: 'States and rules of the data',
    stateless:
      'not checked, except that only a running execution can be cancelled and only a completed one has a result',
    codes: ['parameters_mismatch', 'case_has_no_contact', ...new Set(conflicts)],
  },
  { subject: 'Time', stateless: 'that of the examples', codes: ['expiry_out_of_range'] },
  { subject: 'Links to files', stateless: 'valid without a limit of time, whatever their query' },
  {
    subject: 'Webhooks and HTTP tasks',
    stateless: 'none; `pollWebhookEvents` returns its example, whatever the query',
  },
  { subject: 'Email', stateless: 'none' },
  { subject: 'Changes', stateless: 'not stored' },
];

/** The reasons that explain a difference: error codes and patterns of `differences`. Empty if nothing does. */
export function reasonsFor({ what, code }: Case, found: string): string[] {
  return differences.flatMap(({ codes = [], cases, shows = /^status / }) => {
    if (!shows.test(found)) return [];
    const reasons = codes.filter((one) => one === code).map(String);
    return cases?.test(what) ? [...reasons, String(cases)] : reasons;
  });
}

/** Every reason that `differences` has: each must be needed. */
export const allReasons = differences.flatMap(({ codes = [], cases }) => [
  ...codes,
  ...(cases ? [String(cases)] : []),
]);
