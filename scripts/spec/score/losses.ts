import { type Criterion, criteria, type Report } from './report.ts';

/** The points that one operation loses by one criterion. */
export type OperationLoss = { operationId: string; points: number; because: string };

/** The points of 100 that the contract loses by one criterion, averaged over its operations. */
export type Loss = {
  criterion: Criterion;
  title: string;
  points: number;
  advice: string;
  /** The most expensive first. */
  operations: OperationLoss[];
};

export type Score = {
  /** Of 100: 90 % is the median operation, 10 % the number of operations. */
  score: number;
  operations: { operationId: string; route: string; score: number }[];
  losses: Loss[];
};

/** The lost points by criterion and operation, the most expensive first. */
export function scoreOf(report: Report): Score {
  const { operationScores, rawMetrics, dependencyDepths } = report;
  const operationIds = Object.keys(operationScores);
  const losses = (Object.keys(criteria) as Criterion[]).map((criterion): Loss => {
    const { weight, title, advice, because } = criteria[criterion];
    const operations = operationIds
      .map((operationId): OperationLoss => {
        const subscore = operationScores[operationId]?.subscores[criterion] ?? 1;
        const metrics = rawMetrics.operations[operationId];
        const reason = metrics ? because(metrics, dependencyDepths[operationId] ?? 0) : '';
        return { operationId, points: tenth(weight * (1 - subscore)), because: reason };
      })
      .filter(({ points }) => points > 0)
      .sort((left, right) => right.points - left.points);
    const sum = operations.reduce((total, { points }) => total + points, 0);
    return { criterion, title, points: tenth(sum / (operationIds.length || 1)), advice, operations };
  });
  return {
    score: report.agentReadiness,
    operations: operationIds
      .map((operationId) => {
        const { method = '', path = '' } = rawMetrics.operations[operationId] ?? {};
        const score = operationScores[operationId]?.agentReadiness ?? 0;
        return { operationId, route: `${method.toUpperCase()} ${path}`, score };
      })
      .sort((left, right) => left.score - right.score),
    losses: losses
      .filter(({ operations }) => operations.length > 0)
      .sort((left, right) => right.points - left.points),
  };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
