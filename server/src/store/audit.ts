import { statementWithNext } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';

/** Who makes a change: the user of a request's credential, or an operator by the name of the system user. */
export type Actor =
  | { kind: 'caller'; userId: string; credentialId: string }
  | { kind: 'operator'; name: string };

/** Who makes a change, with which operation or command, and from where. */
export interface AuditOrigin {
  /** Undefined: `auditActor` names it. */
  actor: Actor | undefined;
  /** An operationId of the contract, or a command without its arguments, which may contain secrets: `token create`. */
  action: string;
  /** The address of the caller, or the name of the operator's machine. */
  source: string;
  requestId?: string | undefined;
  at: Date;
}

/** A change of one object. */
export interface AuditedChange {
  object: { kind: string; id: string };
  organizationId?: string | null | undefined;
  /** Identifiers and short values; never a secret. */
  details?: Record<string, unknown>;
}

interface Recording {
  changes: AuditedChange[];
  actor?: Actor;
}

const recordings = new WeakMap<object, Recording>();

/** The maximum length of an entry's details, as JSON. */
const maxDetails = 4_096;
/** The maximum length of a text that others chose, such as the name of a system user. */
const maxText = 200;

/**
 * Makes a change, and writes an entry to the audit log for each object that `auditChange` names, in the same transaction
 * and in one statement, which shares a round trip with the commit.
 *
 * @param origin called after the change
 */
export async function withAudit<Result>(
  transaction: Database,
  origin: () => AuditOrigin,
  change: () => Promise<Result>,
): Promise<Result> {
  const recording: Recording = { changes: [] };
  recordings.set(transaction, recording);
  const result = await change();
  recordings.delete(transaction);
  const { changes, actor } = recording;
  if (changes.length > 0) await insertEntries(transaction, { ...origin(), ...(actor && { actor }) }, changes);
  return result;
}

/** The same for an operator's change, in a transaction of its own. */
export function changeAsOperator<Result>(
  database: Database,
  origin: AuditOrigin,
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute((transaction) =>
    withAudit(
      transaction,
      () => origin,
      () => change(transaction),
    ),
  );
}

/** Names an object that is changed in a transaction. Without effect if the transaction is not of `withAudit`. */
export function auditChange(transaction: Database, change: AuditedChange): void {
  recordings.get(transaction)?.changes.push(change);
}

/** Names who makes the changes of a transaction, if the request tells only in its body. */
export function auditActor(transaction: Database, actor: Actor): void {
  const recording = recordings.get(transaction);
  if (recording) recording.actor = actor;
}

async function insertEntries(
  transaction: Database,
  { actor, action, source, requestId, at }: AuditOrigin,
  changes: AuditedChange[],
): Promise<void> {
  if (!actor) throw new Error(`Nobody is known to have changed something with ${action}.`);
  const isCaller = actor.kind === 'caller';
  const name = (isCaller ? actor.userId : actor.name).slice(0, maxText);
  const credentialId = isCaller ? actor.credentialId : null;
  const rows = changes.map(({ object, organizationId, details = {} }) => ({
    object_kind: object.kind,
    object_id: object.id,
    organization_id: organizationId,
    details: JSON.stringify(details).length > maxDetails ? { omitted: true } : details,
  }));
  await transaction.executeQuery(statementWithNext`
    insert into audit_entries (at, action, actor_kind, actor, credential_id, source, request_id, organization_id,
      object_kind, object_id, details)
    select ${at}, ${action}, ${actor.kind}, ${name}, ${credentialId}, ${source.slice(0, maxText)},
      ${requestId ?? null}, organization_id, object_kind, object_id, details
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as entry (organization_id uuid, object_kind text, object_id text, details jsonb)`);
}
