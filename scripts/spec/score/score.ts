import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';

export type Score = {
  /** From 0 to 100: 90 % is the median of the operations, 10 % their number. */
  score: number;
  /** The lowest first. */
  operations: OperationScore[];
};

export type OperationScore = {
  operationId: string;
  route: string;
  score: number;
  /** From 0 to 1, by criterion: `parameterSimplicity`, `exampleCoverage` and so on. */
  subscores: Record<string, number>;
};

/** The parts of the output of `redocly score --format json` that are used here. */
type Report = {
  agentReadiness: number;
  rawMetrics: { operations: Record<string, { path: string; method: string }> };
  operationScores: Record<string, { agentReadiness: number; subscores: Record<string, number> }>;
};

/** @throws if the contract cannot be scored, with Redocly's reason */
export async function scoreOf(contract: Contract, redocly: Redocly): Promise<Score> {
  const report: Report = JSON.parse(await redoclyScore(contract, redocly, ['--format', 'json']));
  const operations = Object.entries(report.operationScores).map(([operationId, scores]) => {
    const { method = '', path = '' } = report.rawMetrics.operations[operationId] ?? {};
    const route = `${method.toUpperCase()} ${path}`;
    return { operationId, route, score: scores.agentReadiness, subscores: scores.subscores };
  });
  return {
    score: report.agentReadiness,
    operations: operations.sort((left, right) => left.score - right.score),
  };
}

/**
 * What `redocly score` prints about the bundled contract. In the source it would count a response that is a YAML alias
 * of another one as a response without a schema.
 *
 * @throws if the contract cannot be scored, with Redocly's reason
 */
export async function redoclyScore(contract: Contract, redocly: Redocly, options: string[]): Promise<string> {
  await using directory = await temporaryDirectory('score');
  const file = join(directory.path, 'openapi.json');
  await writeFile(file, JSON.stringify(contract));
  const { code, stdout, stderr } = await redocly.run(['score', file, ...options]);
  if (code === 0) return stdout;
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('scoring'));
  throw new Error(lines[0] ?? 'no reason given');
}
