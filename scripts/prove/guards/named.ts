export const guardKinds = ['permission', 'grant', 'tenancy', 'signature', 'expiry'] as const;
export type GuardKind = (typeof guardKinds)[number];

/** A guard that no rule of `find.ts` finds, by its text, which the file must contain exactly once. */
export interface NamedGuard {
  kind: GuardKind;
  file: string;
  text: string;
  replacement: string;
}

const security = 'server/src/http/dispatch.ts';
const access = 'server/src/store/access.ts';
const bearerTokens = 'server/src/domain/bearer-tokens.ts';

export const namedGuards: readonly NamedGuard[] = [
  { kind: 'permission', file: access, text: '!row.present', replacement: 'false' },
  { kind: 'permission', file: access, text: '!row.permitted', replacement: 'false' },
  {
    kind: 'permission',
    file: access,
    text: '!row.part_present',
    replacement: 'false',
  },
  { kind: 'permission', file: security, text: 'named ? permission : null', replacement: 'null' },
  {
    kind: 'permission',
    file: security,
    text: 'platform.access(database, credential, object, permission)',
    replacement: 'platform.access(database, credential, object, null)',
  },
  {
    kind: 'permission',
    file: 'server/src/store/organization.ts',
    text: "caller.organizationRole !== 'member'",
    replacement: 'true',
  },
  { kind: 'grant', file: 'server/src/store/authority.ts', text: '!organizationRole', replacement: 'false' },
  {
    kind: 'grant',
    file: 'server/src/store/users.ts',
    text: 'before.id === change.caller.userId',
    replacement: 'false',
  },
  {
    kind: 'grant',
    file: 'server/src/store/users.ts',
    text: "newRole !== 'owner' && (await isLastOwner(database, user))",
    replacement: 'false',
  },
  {
    kind: 'signature',
    file: bearerTokens,
    text: 'await jwtVerify<{ sid: string; gen: number }>(token, key, {',
    replacement:
      "({ payload: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as never }) ?? ({",
  },
];

/** A guard that no request can show to be missing, because another one refuses first. It is not tried. */
export interface RedundantGuard {
  file: string;
  /** The function or constant around it. */
  within: string;
  /** Its text, on one line. */
  text: string;
  /** Default: all replacements. */
  replacement?: string;
  because: string;
}

export const redundantGuards: readonly RedundantGuard[] = [
  {
    file: bearerTokens,
    within: 'bearerTokens',
    text: "algorithms: ['HS256']",
    because: 'the key is a secret: every other algorithm that accepts one needs the same secret',
  },
  {
    file: 'server/src/store/blobs.ts',
    within: 'confirmBlobStoreId',
    text: 'bound_at is null',
    because: 'no statement reads the time, only whether there is one',
  },
  {
    file: 'server/src/manifest/apply-workspaces.ts',
    within: 'findRevisions',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    text: 'workflow_definition_id = any(${definitionIds}::uuid[])',
    because: 'it spares reading: the revisions are looked up by their definition',
  },
  {
    file: 'server/src/store/links.ts',
    within: 'createLink',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    text: 'p.last_used_at <= ${stale}',
    because: 'it spares a write: the time only rises, and nothing distinguishes two uses of a day',
  },
  {
    file: 'server/src/store/links.ts',
    within: 'useLink',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    text: 'p.last_used_at <= ${staleUseBefore(now)}',
    because: 'it spares a write: the time only rises, and nothing distinguishes two uses of a day',
  },
  {
    file: 'server/src/store/results.ts',
    within: 'deleteExpiredResults',
    text: 'h.execution_id = old.execution_id',
    because: 'the sequence is unique in the whole table: with the execution, its index is used',
  },
  {
    file: 'server/src/store/webhook-relay.ts',
    within: 'hasWorkToRelay',
    text: 'relayed_at is null',
    because:
      'it decides whether to look for events, and the statement that reads them has the same condition',
  },
  {
    file: 'server/src/workflows/callback-tokens.ts',
    within: 'callbackTokens',
    text: "'callback\\n'",
    because: 'its key is derived for callbacks and signs nothing else',
  },
];
