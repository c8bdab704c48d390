import { gapFinder } from '../check/gaps.ts';
import { grouped } from '../contract/lint/finding.ts';
import { sourceLocator } from '../contract/locator.ts';
import type { RedoclyProcess } from '../contract/redocly/redocly.ts';
import { bundleContract, type Contract, type Finding, lintContract } from '../contract/source.ts';
import type { Saved } from '../contract/watch-files.ts';
import { sourceDigest } from '../prepare/source-digest.mjs';
import { breaksBetween, isNextMajor } from '../spec/breaking/breaks.ts';
import { placedBreaks } from '../spec/breaking/placed.ts';
import { lastRelease } from '../spec/breaking/releases.ts';
import type { Builder } from './builder.ts';
import { latestOnly } from './latest-only.ts';
import type { Report } from './report.ts';
import { typeErrors } from './type-check.ts';

export type LoopParts = {
  root: URL;
  redocly: RedoclyProcess;
  generate: Builder['generate'];
  /** Makes the mock respond from a contract. @throws if it cannot; the mock keeps the last one */
  replaceMock(contract: Contract): Promise<void>;
  mockUrl: string;
  /** Builds the portal from generated/ and serves it. @returns how often it was built. @throws if it cannot be built */
  buildPortal(): Promise<number>;
  /** Called whenever more is known about the newest save. */
  onReport(report: Report): void;
};

export type Loop = {
  /** Checks contract and code; resolves when the newest save is reported, except for types, portal and breaks. */
  saved(saved: Saved): Promise<void>;
};

/**
 * From a save to its report: lint → bundle → mock and gaps → types, portal, breaking changes. The last three
 * take longer and are done for the newest save only.
 */
export function designLoop(parts: LoopParts): Loop {
  const { root, redocly, onReport } = parts;
  const findGaps = gapFinder(root);
  const [latestTypes, latestPortal] = [latestOnly(), latestOnly()];
  let waiting: Saved | undefined;
  let running: Promise<void> | undefined;
  let newest: Report | undefined;
  let contract: Contract | undefined;
  /** What generated/ is yet to be written from. */
  let unwritten: { contract: Contract; digest: string } | undefined;
  let saves = -1;

  function publish(report: Report, part?: keyof Report['times']): void {
    if (part) report.times[part] = Date.now() - Date.parse(report.at);
    if (report === newest) onReport(report);
  }

  async function reportSaves(): Promise<void> {
    while (waiting) {
      const { files, at } = waiting;
      waiting = undefined;
      const report: Report = { save: ++saves, files, at: new Date(at).toISOString(), done: false, times: {} };
      const isCodeOnly = files.length > 0 && !files.some(isOfContract);
      if (isCodeOnly && newest) keepContractParts(newest, report);
      newest = report;
      onReport(report);
      if (isCodeOnly) await checkCode(report);
      else await checkContract(report);
    }
  }

  /** Only code changed: what was found in the contract still holds. */
  function keepContractParts({ findings, mock, breaks, portal }: Report, report: Report): void {
    Object.assign(
      report,
      findings && { findings },
      mock && { mock },
      breaks && { breaks },
      portal && { portal },
    );
  }

  async function checkContract(report: Report): Promise<void> {
    if (report.files.some((file) => file.startsWith('spec/rules/') || file === 'redocly.yaml'))
      redocly.restart();
    const digest = sourceDigest();
    const { findings, bundle } = await read();
    // A later save has begun to change what was read, perhaps half-way.
    if (waiting?.files.some(isOfContract)) return;
    report.findings = grouped(findings);
    publish(report, 'findings');
    if (!bundle) {
      // Started with a broken contract: generated/ holds the last accepted one.
      if (report.save === 0) void buildPortal(report);
      return void checkRejected(report);
    }
    contract = bundle;
    unwritten = { contract, digest };
    const error = await parts.replaceMock(contract).catch((error: Error) => error.message);
    report.mock = { url: parts.mockUrl, ...(error && { error }) };
    publish(report, 'mock');
    await checkCode(report);
  }

  /** The bundle of a contract without findings, or its findings. */
  async function read(): Promise<{ findings: Finding[]; bundle?: Contract }> {
    try {
      const findings = await lintContract(root, redocly);
      return findings.length > 0 ? { findings } : { findings, bundle: await bundleContract(redocly) };
    } catch (error) {
      // The linter itself has failed, or cannot bundle what it found nothing in.
      const message = error instanceof Error ? error.message : String(error);
      const place = { file: 'redocly.yaml', line: 1, column: 1 };
      return { findings: [{ ...place, rule: 'lint', message, severity: 'error' }] };
    }
  }

  /** What can be said about a contract with findings: wrong examples change neither gaps nor breaks. */
  async function checkRejected(report: Report): Promise<void> {
    try {
      const bundle = await bundleContract(redocly);
      report.gaps = await findGaps(bundle, sourceLocator(root));
      publish(report, 'gaps');
      if (report === newest) await compare(report, bundle);
    } catch {
      // The findings say why it cannot be bundled or read.
    }
    report.done = true;
    publish(report);
  }

  async function checkCode(report: Report): Promise<void> {
    const current = contract;
    if (current) {
      report.gaps = await findGaps(current, sourceLocator(root));
      publish(report, 'gaps');
    }
    void Promise.all([
      current && !report.breaks ? findBreaks(report, current) : undefined,
      checkTypes(report),
    ]).then(() => {
      report.done = true;
      publish(report);
    });
  }

  async function findBreaks(report: Report, current: Contract): Promise<void> {
    try {
      await compare(report, current);
    } catch (error) {
      report.breaks = { released: '', ...report.breaks, changes: [], error: (error as Error).message };
      publish(report, 'breaks');
    }
  }

  async function compare(report: Report, current: Contract): Promise<void> {
    const last = await lastRelease();
    if (!last) return;
    const isCompared = !isNextMajor(last.version, current);
    const found = isCompared ? await breaksBetween(last.contract, current, redocly) : [];
    report.breaks = { released: last.version, changes: placedBreaks(found, sourceLocator(root)) };
    publish(report, 'breaks');
  }

  async function checkTypes(report: Report): Promise<void> {
    let portal: Promise<unknown> | undefined;
    await latestTypes(async () => {
      const source = unwritten;
      unwritten = undefined;
      const types: NonNullable<Report['types']> = { errors: [], written: [] };
      try {
        if (source) {
          types.written = await parts.generate(source.contract, source.digest);
          portal = buildPortal(report);
        }
        types.errors = await typeErrors(root);
      } catch (error) {
        types.error = (error as Error).message;
      }
      report.types = types;
      publish(report, 'types');
    });
    await portal;
  }

  async function buildPortal(report: Report): Promise<void> {
    await latestPortal(async () => {
      const before = newest?.portal?.version ?? 0;
      try {
        report.portal = { version: await parts.buildPortal() };
      } catch (error) {
        report.portal = { version: before, error: (error as Error).message };
      }
      publish(report, 'portal');
    });
  }

  return {
    saved({ files, at }) {
      waiting = {
        files: [...new Set([...(waiting?.files ?? []), ...files])],
        at: Math.max(waiting?.at ?? 0, at),
      };
      running ??= reportSaves().finally(() => {
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
