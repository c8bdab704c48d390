import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Contract } from '../contract-source.ts';
import type { Break } from './break.ts';

const run = promisify(execFile);
const cli = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

type Change = {
  path: string;
  /** The schema's keyword that changed, with both values. */
  property?: string;
  base?: { value?: unknown };
  revision?: { value?: unknown };
  verdicts: { ruleId: string; impact: string; message: string; location?: { pointer: string } }[];
};

// What the versioning guide tells clients to expect within version 3.
const openEnums = ['#/components/schemas/ErrorCode/'];
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'];

/** What `redocly diff` rates as a major change. */
export async function redoclyDiff(released: Contract, current: Contract): Promise<Break[]> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-breaking-'));
  try {
    const [base, revision, output] = ['base', 'revision', 'report'].map((name) =>
      join(directory, `${name}.json`),
    );
    if (!base || !revision || !output) throw new Error('unreachable');
    await writeFile(base, JSON.stringify(released));
    await writeFile(revision, JSON.stringify(current));
    const args = ['diff', base, revision, '--config', config, '--format', 'json', '--fail-on', 'none'];
    await run(process.execPath, [cli, ...args, '--output', output], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 64 << 20,
    }).catch(({ stderr, message }) => {
      throw new Error(`redocly diff failed: ${String(stderr || message).trim()}`);
    });
    return breaksIn(JSON.parse(await readFile(output, 'utf8')));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function breaksIn({ changes }: { changes: Change[] }): Break[] {
  return changes
    .filter((change) => !isWiderBound(change))
    .flatMap(({ path, verdicts }) =>
      verdicts
        .filter(({ impact }) => impact === 'major')
        .filter(
          ({ ruleId, location }) => !(ruleId === 'enum-values-added' && isOpen(location?.pointer ?? '')),
        )
        .map(({ ruleId, message }) => ({ rule: ruleId, where: placeOf(path), message })),
    );
}

function isOpen(pointer: string): boolean {
  return openEnums.some((prefix) => pointer.startsWith(prefix));
}

/** A bound that was moved outwards, or dropped. */
function isWiderBound({ property = '', base, revision }: Change): boolean {
  const before = base?.value;
  const after = revision?.value;
  if (typeof before !== 'number') return false;
  if (upperBounds.includes(property)) return after === undefined || Number(after) > before;
  if (lowerBounds.includes(property)) return after === undefined || Number(after) < before;
  return false;
}

/** `#/paths/~1link/post/responses/201` → `/link post responses 201`. */
function placeOf(pointer: string): string {
  const keys = pointer.replace(/^#\//, '').split('/');
  const shown = keys[0] === 'paths' ? keys.slice(1) : keys;
  return shown.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')).join(' ');
}
