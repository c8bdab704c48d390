import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export const phases = ['examples', 'coverage', 'fuzzing', 'stateful'] as const;
export type Phase = (typeof phases)[number];

export interface PhaseReport {
  /** Requests. */
  cases: number;
  /** Operations with a response of 2xx, as `GET /path`. */
  succeeded: Set<string>;
  /** Each different failure of a check, and each error of Schemathesis itself. */
  failures: string[];
}

export type PhaseReports = Record<Phase, PhaseReport>;

/** The events of Schemathesis that matter here, of its report in NDJSON. */
interface ReportedEvent {
  ScenarioFinished?: { phase: Phase; recorder?: Recorder };
  NonFatalError?: { phase?: string; label: string; info?: { title?: string; message?: string } };
  FatalError?: object;
}

interface Recorder {
  cases?: Record<string, { value: { method: string; path: string } }>;
  checks?: Record<string, Check[]>;
  interactions?: Record<string, { response?: { status_code: number; content?: Encoded } | null }>;
}

interface Check {
  name: string;
  status: string;
  failure_info?: { failure: { operation: string; title: string; message: string }; code_sample?: string };
}

interface Encoded {
  $base64?: string;
}

const shownResponse = 300;

/** Reads the report of a run. */
export async function readReport(file: string): Promise<PhaseReports> {
  const reports = Object.fromEntries(
    phases.map((phase) => [phase, { cases: 0, succeeded: new Set(), failures: [] }]),
  ) as unknown as PhaseReports;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { ScenarioFinished, NonFatalError, FatalError } = JSON.parse(line) as ReportedEvent;
    if (ScenarioFinished?.recorder) add(reports[ScenarioFinished.phase], ScenarioFinished.recorder);
    if (NonFatalError) {
      const phase = phases.find((one) => one === NonFatalError.phase?.toLowerCase()) ?? 'examples';
      reports[phase].failures.push(`${NonFatalError.label}: ${JSON.stringify(NonFatalError.info)}`);
    }
    if (FatalError) reports.examples.failures.push(`Schemathesis failed: ${JSON.stringify(FatalError)}`);
  }
  return reports;
}

function add(report: PhaseReport, { cases = {}, checks = {}, interactions = {} }: Recorder): void {
  const known = new Set(report.failures.map(titleOf));
  for (const [id, { value }] of Object.entries(cases)) {
    const operation = `${value.method} ${value.path}`;
    const response = interactions[id]?.response;
    report.cases++;
    if (response && response.status_code >= 200 && response.status_code < 300)
      report.succeeded.add(operation);
    for (const { status, name, failure_info: info } of checks[id] ?? []) {
      if (status !== 'failure') continue;
      const title = `${operation}: ${name}`;
      // One example of each is enough: Schemathesis repeats them for each case.
      if (known.has(title)) continue;
      known.add(title);
      const message = info?.failure.message.replaceAll('\n', ' ') ?? '';
      report.failures.push(`${title}: ${message} [${response?.status_code}] ${textOf(response?.content)}`);
    }
  }
}

const titleOf = (failure: string) => failure.split(': ').slice(0, 2).join(': ');

function textOf(content: Encoded | undefined): string {
  return Buffer.from(content?.$base64 ?? '', 'base64')
    .toString()
    .slice(0, shownResponse);
}
