import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keysOf, resolve, type Schema } from '../../../server/contract/index.ts';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';

const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

/** A change as `redocly diff` reports it. */
export type RedoclyChange = {
  path: string;
  kind: 'added' | 'modified' | 'removed';
  typeName: string;
  /** The property that was modified. */
  property?: string;
  base?: { pointer: string; value?: unknown };
  revision?: { pointer: string; value?: unknown };
  verdicts: { ruleId: string; impact: string; message: string; location?: { pointer: string } }[];
};

/**
 * The schemas whose enumeration may grow within a major version, as the versioning guide says. Any other
 * enumeration is closed: clients omit the `default` of a `switch`, or wait for one of the final statuses, so a new value
 * breaks them. Event types are not an enumeration: a new one is a new webhook.
 */
export const openEnums: readonly string[] = ['ErrorCode'];

const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'];

/** The changes that `redocly diff` reports. */
export async function redoclyDiff(from: Contract, to: Contract, redocly: Redocly): Promise<RedoclyChange[]> {
  return JSON.parse(await diffReport(from, to, 'json', redocly)).changes;
}

/** One HTML file that loads nothing: every change with both its values, and as Redocly's rules rate it. */
export async function diffPage(from: Contract, to: Contract, redocly: Redocly): Promise<string> {
  const page = await diffReport(from, to, 'html', redocly);
  return page
    .replaceAll(/[^\s>;]*wrp-diff-\w+[\\/]+/g, '')
    .replace('</style>', () => `${legible}</style>`)
    .replace('<body>', '<body><main>')
    .replace('</body>', '</main></body>');
}

/** Redocly's page is light only, has no landmark, and its grey texts lack contrast (WCAG 2.2, 1.4.3). */
const legible = `
  :root { color-scheme: light dark; }
  body { color: light-dark(#1f2933, #e4e7eb); background: light-dark(#fff, #16181d); }
  pre { background: light-dark(#f5f7fa, #22262e); }
  .summary span { color: inherit !important; }
  .msg, .rules { color: light-dark(#52606d, #b8c0ca); }
  .patch .badge { background: #52606d; }
`;

async function diffReport(
  from: Contract,
  to: Contract,
  format: 'json' | 'html',
  redocly: Redocly,
): Promise<string> {
  await using directory = await temporaryDirectory('diff');
  const [base, revision, output] = ['base.json', 'revision.json', 'report'].map((name) =>
    join(directory.path, name),
  ) as [string, string, string];
  await writeFile(base, JSON.stringify(from, null, 2));
  await writeFile(revision, JSON.stringify(to, null, 2));
  const args = ['diff', base, revision, '--config', config, '--format', format, '--fail-on', 'none'];
  const { code, stderr } = await redocly.run([...args, '--output', output]);
  if (code !== 0) throw new Error(`redocly diff failed: ${stderr.trim()}`);
  return await readFile(output, 'utf8');
}

/** The changes that Redocly rates as major, except those that cannot break a client. */
export function breaksIn(changes: RedoclyChange[], released: Contract): Break[] {
  return changes
    .filter((change) => !isWiderBound(change) && !wasRequired(change, released) && !excludesNul(change))
    .flatMap(({ path, verdicts }) =>
      verdicts
        .filter(({ impact }) => impact === 'major')
        .filter(
          ({ ruleId, location }) => !(ruleId === 'enum-values-added' && isOpen(location?.pointer ?? '')),
        )
        .map(({ ruleId, message }) => withoutScheme({ rule: ruleId, where: placeOf(path), message })),
    );
}

/** All schemes of an operation require the same permissions, so a change of them is one, whatever the scheme. */
function withoutScheme({ rule, where, message }: Break): Break {
  return {
    rule,
    where: where.replace(/( security) \d+$/, '$1'),
    message: message.replace(
      /^Security scheme `.+?` requires new scopes: /,
      'It requires further permissions: ',
    ),
  };
}

function isOpen(pointer: string): boolean {
  return openEnums.some((name) => pointer.startsWith(`#/components/schemas/${name}/`));
}

/** A bound that was widened or removed. */
function isWiderBound({ property = '', base, revision }: RedoclyChange): boolean {
  const before = base?.value;
  const after = revision?.value;
  if (typeof before !== 'number') return false;
  if (upperBounds.includes(property)) return after === undefined || Number(after) > before;
  if (lowerBounds.includes(property)) return after === undefined || Number(after) < before;
  return false;
}

/** A new pattern without NUL: the platform has always refused it, in every text. */
function excludesNul({ property, base, revision }: RedoclyChange): boolean {
  return property === 'pattern' && base?.value === undefined && revision?.value === '^[^\\x00]*$';
}

/** A new minimum number of properties that the released schema implied: it required as many. */
function wasRequired({ property, base, revision }: RedoclyChange, released: Contract): boolean {
  if (property !== 'minProperties' || !base) return false;
  const { required = [] } = resolve<Schema>(released, { $ref: base.pointer });
  return Number(revision?.value) <= required.length;
}

/** `#/paths/~1link/post/responses/201` → `/link post responses 201`. */
function placeOf(pointer: string): string {
  const keys = keysOf(pointer);
  return (keys[0] === 'paths' ? keys.slice(1) : keys).join(' ');
}
