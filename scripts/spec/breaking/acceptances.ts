import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { CommandError } from '../../command-line/command.ts';
import { formatPlace, type Place } from '../../contract/locator.ts';
import type { Break } from './break.ts';

/** Where a team accepts changes that break clients of the last release, with the reason of each. */
export const acceptedFile = 'spec/accepted-changes.yaml';

/** A change that is accepted: the `rule` and the `where` of a break, and why it is. */
export type Acceptance = Place & { rule: string; where: string; reason: string };

const keys = ['rule', 'where', 'reason'] as const;

/** What is accepted, in the order of the file; none without one. @throws {AcceptanceError} if an entry has another form */
export async function acceptances(root: URL): Promise<Acceptance[]> {
  const text = await readFile(new URL(acceptedFile, root), 'utf8').catch(() => '');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: acceptedFile, line, column: col };
  };
  const refusal = (node: Node | null, message: string) =>
    new AcceptanceError(placeAt(node?.range?.[0] ?? 0), message);
  const [broken] = document.errors;
  if (broken) throw new AcceptanceError(placeAt(broken.pos[0]), broken.message.split('\n')[0] ?? '');
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isSeq<Node>(contents)) throw refusal(contents, 'It is a list of entries with rule, where and reason.');
  return contents.items.map((item) => {
    const entry: Record<string, unknown> = isMap(item) ? item.toJSON() : {};
    const isText = (name: string) => typeof entry[name] === 'string' && String(entry[name]).trim() !== '';
    if (!keys.every(isText) || Object.keys(entry).length !== keys.length)
      throw refusal(item, 'An entry has rule, where and reason, each a text, and nothing else.');
    return { ...(entry as Acceptance), ...placeAt(item.range?.[0] ?? 0) };
  });
}

/**
 * The breaks, each with the reason for which it is accepted.
 * @throws {AcceptanceError} for an acceptance without its break: it would accept a later one unseen
 */
export function judged(breaks: readonly Break[], accepted: readonly Acceptance[]): Break[] {
  const isOf = (one: Break) => (other: Acceptance) => one.rule === other.rule && one.where === other.where;
  for (const one of accepted) {
    if (!breaks.some((found) => isOf(found)(one)))
      throw new AcceptanceError(
        one,
        `No change ${one.rule} at ${one.where} breaks clients: remove the entry.`,
      );
  }
  return breaks.map((one) => {
    const reason = accepted.find(isOf(one))?.reason.trim();
    return reason === undefined ? one : { ...one, accepted: reason };
  });
}

/** Breaks that nobody has accepted. */
export function refused<One extends Break>(breaks: readonly One[]): One[] {
  return breaks.filter(({ accepted }) => accepted === undefined);
}

/** An entry that cannot be followed. */
export class AcceptanceError extends CommandError {
  readonly place: Place;
  readonly problem: string;

  constructor({ file, line, column }: Place, problem: string) {
    super(`${formatPlace({ file, line, column })} ${problem}`);
    this.place = { file, line, column };
    this.problem = problem;
  }
}
