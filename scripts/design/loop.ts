import { gapFinder } from '../check/gaps.ts';
import { grouped } from '../contract/lint/finding.ts';
import { sourceLocator } from '../contract/locator.ts';
import type { RedoclyProcess } from '../contract/redocly/redocly.ts';
import { bundleContract, type Contract, type Finding, lintContract } from '../contract/source.ts';
import type { Saved } from '../contract/watch-files.ts';
import { sourceDigest } from '../prepare/source-digest.mjs';
import { isNextMajor } from '../spec/breaking/breaks.ts';
import { breaksSince } from '../spec/breaking/placed.ts';
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

/**
 * From a save to its report: lint → bundle → mock and gaps → types, portal, breaking changes. The last three
 * take longer and are done for the newest save only.
 */
export class DesignLoop {
  readonly #parts: LoopParts;
  readonly #findGaps: ReturnType<typeof gapFinder>;
  readonly #latestTypes = latestOnly();
  readonly #latestPortal = latestOnly();
  #waiting: Saved | undefined;
  #running: Promise<void> | undefined;
  #newest: Report | undefined;
  #contract: Contract | undefined;
  /** What generated/ is yet to be written from. */
  #unwritten: { contract: Contract; digest: string } | undefined;
  #saves = -1;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#findGaps = gapFinder(parts.root);
  }

  /** Checks contract and code; resolves when the newest save is reported, except for types, portal and breaks. */
  saved({ files, at }: Saved): Promise<void> {
    this.#waiting = {
      files: [...new Set([...(this.#waiting?.files ?? []), ...files])],
      at: Math.max(this.#waiting?.at ?? 0, at),
    };
    this.#running ??= this.#reportSaves().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #publish(report: Report, part?: keyof Report['times']): void {
    if (part) report.times[part] = Date.now() - Date.parse(report.at);
    if (report === this.#newest) this.#parts.onReport(report);
  }

  async #reportSaves(): Promise<void> {
    while (this.#waiting) {
      const { files, at } = this.#waiting;
      this.#waiting = undefined;
      const report: Report = {
        save: ++this.#saves,
        files,
        at: new Date(at).toISOString(),
        done: false,
        times: {},
      };
      const isCodeOnly = files.length > 0 && !files.some(isOfContract);
      if (isCodeOnly && this.#newest) this.#keepContractParts(this.#newest, report);
      this.#newest = report;
      this.#parts.onReport(report);
      if (isCodeOnly) await this.#checkCode(report);
      else await this.#checkContract(report);
    }
  }

  /** Only code changed: what was found in the contract still holds. */
  #keepContractParts({ findings, mock, breaks, portal }: Report, report: Report): void {
    Object.assign(
      report,
      findings && { findings },
      mock && { mock },
      breaks && { breaks },
      portal && { portal },
    );
  }

  async #checkContract(report: Report): Promise<void> {
    if (report.files.some((file) => file.startsWith('spec/rules/') || file === 'redocly.yaml'))
      this.#parts.redocly.restart();
    const digest = sourceDigest();
    const { findings, bundle } = await this.#read();
    // A later save has begun to change what was read, perhaps half-way.
    if (this.#waiting?.files.some(isOfContract)) return;
    report.findings = grouped(findings);
    this.#publish(report, 'findings');
    if (!bundle) {
      // Started with a broken contract: generated/ holds the last accepted one.
      if (report.save === 0) void this.#buildPortal(report);
      return void this.#checkRejected(report);
    }
    this.#contract = bundle;
    this.#unwritten = { contract: bundle, digest };
    const error = await this.#parts.replaceMock(bundle).catch((error: Error) => error.message);
    report.mock = { url: this.#parts.mockUrl, ...(error && { error }) };
    this.#publish(report, 'mock');
    await this.#checkCode(report);
  }

  /** The bundle of a contract without findings, or its findings. */
  async #read(): Promise<{ findings: Finding[]; bundle?: Contract }> {
    try {
      const findings = await lintContract(this.#parts.root, this.#parts.redocly);
      return findings.length > 0
        ? { findings }
        : { findings, bundle: await bundleContract(this.#parts.redocly) };
    } catch (error) {
      // The linter itself has failed, or cannot bundle what it found nothing in.
      const message = error instanceof Error ? error.message : String(error);
      const place = { file: 'redocly.yaml', line: 1, column: 1 };
      return { findings: [{ ...place, rule: 'lint', message, severity: 'error' }] };
    }
  }

  /** What can be said about a contract with findings: wrong examples change neither gaps nor breaks. */
  async #checkRejected(report: Report): Promise<void> {
    try {
      const bundle = await bundleContract(this.#parts.redocly);
      report.gaps = await this.#findGaps(bundle, sourceLocator(this.#parts.root));
      this.#publish(report, 'gaps');
      if (report === this.#newest) await this.#compare(report, bundle);
    } catch {
      // The findings say why it cannot be bundled or read.
    }
    report.done = true;
    this.#publish(report);
  }

  async #checkCode(report: Report): Promise<void> {
    const current = this.#contract;
    if (current) {
      report.gaps = await this.#findGaps(current, sourceLocator(this.#parts.root));
      this.#publish(report, 'gaps');
    }
    void Promise.all([
      current && !report.breaks ? this.#findBreaks(report, current) : undefined,
      this.#checkTypes(report),
    ]).then(() => {
      report.done = true;
      this.#publish(report);
    });
  }

  async #findBreaks(report: Report, current: Contract): Promise<void> {
    try {
      await this.#compare(report, current);
    } catch (error) {
      report.breaks = { released: '', ...report.breaks, changes: [], error: (error as Error).message };
      this.#publish(report, 'breaks');
    }
  }

  async #compare(report: Report, current: Contract): Promise<void> {
    const last = await lastRelease();
    if (!last) return;
    const isCompared = !isNextMajor(last.version, current);
    const changes = isCompared ? await breaksSince(last.contract, current, this.#parts) : [];
    report.breaks = { released: last.version, changes };
    this.#publish(report, 'breaks');
  }

  async #checkTypes(report: Report): Promise<void> {
    let portal: Promise<unknown> | undefined;
    await this.#latestTypes(async () => {
      const source = this.#unwritten;
      this.#unwritten = undefined;
      const types: NonNullable<Report['types']> = { errors: [], written: [] };
      try {
        if (source) {
          types.written = await this.#parts.generate(source.contract, source.digest);
          portal = this.#buildPortal(report);
        }
        types.errors = await typeErrors(this.#parts.root);
      } catch (error) {
        types.error = (error as Error).message;
      }
      report.types = types;
      this.#publish(report, 'types');
    });
    await portal;
  }

  async #buildPortal(report: Report): Promise<void> {
    await this.#latestPortal(async () => {
      const before = this.#newest?.portal?.version ?? 0;
      try {
        report.portal = { version: await this.#parts.buildPortal() };
      } catch (error) {
        report.portal = { version: before, error: (error as Error).message };
      }
      this.#publish(report, 'portal');
    });
  }
}

/** Whether a file belongs to the contract rather than to the code that serves it. */
function isOfContract(file: string): boolean {
  return file.startsWith('spec/') || file === 'redocly.yaml';
}
