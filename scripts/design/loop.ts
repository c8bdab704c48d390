import { bundleContract, type Contract, lintContract } from '../contract/source.ts';
import { sourceDigest } from '../prepare/source-digest.mjs';
import type { Redocly } from '../redocly/redocly.ts';
import { breaksBetween, isNextMajor } from '../spec/breaking/main.ts';
import { lastRelease } from '../spec/breaking/releases.ts';
import type { Saved } from '../watch/watch-files.ts';
import type { Answer } from './answer.ts';
import { latestOnly } from './latest.ts';
import { type Locator, sourceLocator } from './locator.ts';
import { mended } from './mending.ts';
import { missingFinder } from './missing.ts';
import type { Types } from './types.ts';
import type { TypesOrder } from './types-worker.ts';

export type LoopParts = {
  root: URL;
  redocly: Redocly;
  types: Types;
  /** Makes the mock answer from a contract. @throws where it cannot; it answers from the last one then */
  replaceMock(contract: Contract): Promise<void>;
  mockUrl: string;
  /** Builds the portal out of generated/ and shows it. @returns how often it was built; @throws where it cannot be */
  buildPortal(): Promise<number>;
  /** Called whenever more is known of the newest save. */
  onAnswer(answer: Answer): void;
};

export type Loop = {
  /** Looks at the contract and the code; resolves when the newest save so far has been answered, types and portal apart. */
  saved(saved: Saved): Promise<void>;
};

/**
 * From a save to its answer: lint → bundle → mock and missing code → types, portal, what breaks. The first parts are
 * done save by save, those that come late for the newest one alone.
 */
export function designLoop(parts: LoopParts): Loop {
  const { root, redocly, types, onAnswer } = parts;
  const findMissing = missingFinder(root);
  const [lastTypes, lastPortal] = [latestOnly(), latestOnly()];
  let waiting: Saved | undefined;
  let running: Promise<void> | undefined;
  let newest: Answer | undefined;
  let contract: Contract | undefined;
  /** What generated/ is to be written from. */
  let unwritten: TypesOrder = {};
  let saves = -1;

  function tell(answer: Answer, part?: keyof Answer['times']): void {
    if (part) answer.times[part] = Date.now() - Date.parse(answer.at);
    if (answer === newest) onAnswer(answer);
  }

  async function answerSaves(): Promise<void> {
    while (waiting) {
      const { files, at } = waiting;
      waiting = undefined;
      const answer: Answer = { save: ++saves, files, at: new Date(at).toISOString(), done: false, times: {} };
      const isCodeOnly = files.length > 0 && !files.some(isOfContract);
      if (isCodeOnly && newest) carryOver(newest, answer);
      newest = answer;
      onAnswer(answer);
      if (isCodeOnly) await lookAtCode(answer);
      else await lookAtContract(answer);
    }
  }

  /** The code changed: what was found of the contract holds. */
  function carryOver({ findings, mock, breaks, portal }: Answer, answer: Answer): void {
    Object.assign(
      answer,
      findings && { findings },
      mock && { mock },
      breaks && { breaks },
      portal && { portal },
    );
  }

  async function lookAtContract(answer: Answer): Promise<void> {
    if (answer.files.some((file) => file.startsWith('spec/rules/') || file === 'redocly.yaml'))
      redocly.restart();
    const digest = sourceDigest();
    const { findings, bundle } = await read();
    // A further save has begun to change what was read, perhaps half-way.
    if (waiting?.files.some(isOfContract)) return;
    answer.findings = findings.map(mended);
    answer.done = bundle === undefined;
    tell(answer, 'findings');
    if (!bundle) {
      // Begun with a broken contract: generated/ holds the last good one.
      if (answer.save === 0) void buildPortal(answer);
      return;
    }
    contract = bundle;
    unwritten = { contract, digest };
    const fault = await parts.replaceMock(contract).catch((error: Error) => error.message);
    answer.mock = { url: parts.mockUrl, ...(fault && { fault }) };
    tell(answer, 'mock');
    await lookAtCode(answer);
  }

  async function read() {
    try {
      const findings = await lintContract(root, redocly);
      return { findings, bundle: findings.length === 0 ? await bundleContract(root, redocly) : undefined };
    } catch (error) {
      // The linter itself ended, or cannot bundle what it found nothing in.
      const message = error instanceof Error ? error.message : String(error);
      const place = { file: 'redocly.yaml', line: 1, column: 1 };
      return {
        findings: [{ ...place, rule: 'lint', message, severity: 'error' as const }],
        bundle: undefined,
      };
    }
  }

  async function lookAtCode(answer: Answer): Promise<void> {
    const current = contract;
    const locate = sourceLocator(root);
    if (current) {
      answer.missing = await findMissing(current, locate);
      tell(answer, 'missing');
    }
    void Promise.all([
      current && !answer.breaks ? lookForBreaks(answer, current, locate) : undefined,
      checkTypes(answer),
    ]).then(() => {
      answer.done = true;
      tell(answer);
    });
  }

  async function lookForBreaks(answer: Answer, current: Contract, locate: Locator): Promise<void> {
    const last = await lastRelease();
    if (!last) return;
    answer.breaks = { released: last.version, changes: [] };
    if (!isNextMajor(last.version, current)) {
      try {
        const found = await breaksBetween(last.contract, current, redocly);
        answer.breaks.changes = found.map((one) => ({ ...one, ...locate(keysOf(one.where)) }));
      } catch (error) {
        answer.breaks.fault = (error as Error).message;
      }
    }
    tell(answer, 'breaks');
  }

  async function checkTypes(answer: Answer): Promise<void> {
    let portal: Promise<unknown> | undefined;
    await lastTypes(async () => {
      const order = unwritten;
      unwritten = {};
      const found: NonNullable<Answer['types']> = { faults: [], written: [] };
      try {
        found.faults = await types.check(order, (written) => {
          found.written = written;
          if (order.contract) portal = buildPortal(answer);
        });
      } catch (error) {
        found.fault = (error as Error).message;
      }
      answer.types = found;
      tell(answer, 'types');
    });
    await portal;
  }

  async function buildPortal(answer: Answer): Promise<void> {
    await lastPortal(async () => {
      const before = newest?.portal?.version ?? 0;
      try {
        answer.portal = { version: await parts.buildPortal() };
      } catch (error) {
        answer.portal = { version: before, fault: (error as Error).message };
      }
      tell(answer, 'portal');
    });
  }

  return {
    saved({ files, at }) {
      waiting = {
        files: [...new Set([...(waiting?.files ?? []), ...files])],
        at: Math.max(waiting?.at ?? 0, at),
      };
      running ??= answerSaves().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

/** Whether a file belongs to the contract rather than to the code that serves it. */
function isOfContract(file: string): boolean {
  return file.startsWith('spec/') || file === 'redocly.yaml';
}

/** `/link post responses` → the keys of the bundle. */
function keysOf(where: string): string[] {
  const keys = where.split(' ');
  return where.startsWith('/') ? ['paths', ...keys] : keys;
}
