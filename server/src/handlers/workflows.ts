import { storedJson } from '../../blobs/index.ts';
import { messageAt, refuse } from '../../contract/index.ts';
import { type JsonObject, parseTimestamp } from '../../json/index.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { UrlSigner } from '../http/signed-urls.ts';
import { listVisibleExecutions } from '../store/execution-list.ts';
import * as executions from '../store/executions.ts';
import { findResult } from '../store/results.ts';
import { cancelExecution, inlineBytes, retentionMilliseconds } from '../workflows/ending.ts';
import type { StartExecution, StartOutcome } from '../workflows/start.ts';
import { paged } from './paged.ts';

export const handlers = ({
  startExecution,
  signer,
  now,
}: {
  startExecution: StartExecution;
  signer: Pick<UrlSigner, 'result'>;
  now(): Date;
}): HandlersOf<'workflows'> => ({
  async startWorkflow({ body, caller, database }) {
    const outcome = await startExecution(database, {
      ...body,
      parameters: (body.parameters ?? {}) as JsonObject,
      expiresAt: body.expiresAt === undefined ? undefined : parseTimestamp(body.expiresAt),
      executionType: 'BACKGROUND',
      origin: { workspaceId: caller.homeWorkspaceId, type: 'API' },
      startedBy: caller.userId,
    });
    return outcome.kind === 'started' ? { status: 200, body: outcome.execution } : refusalOf(outcome);
  },

  async listWorkflows({ query, caller, database }) {
    return paged('executions', query, ({ createdSince, createdUntil, ...page }) =>
      listVisibleExecutions(database, caller, {
        ...page,
        createdSince: createdSince === undefined ? undefined : parseTimestamp(createdSince),
        createdUntil: createdUntil === undefined ? undefined : parseTimestamp(createdUntil),
      }),
    );
  },

  async getWorkflow({ path, database }) {
    const execution = await executions.findExecution(database, path.workflowId);
    return execution ? { status: 200, body: execution } : refuse(404, 'execution_not_found');
  },

  async cancelWorkflow({ path, database }) {
    const status = await cancelExecution(database, path.workflowId, now());
    if (status === undefined) return refuse(404, 'execution_not_found');
    if (status === 'RUNNING' || status === 'CANCELLED') return { status: 204 };
    return refuse(409, 'execution_already_ended', {
      message: `The execution has already ended as ${status}.`,
    });
  },

  async getWorkflowResult({ path, database }) {
    const at = now();
    const since = new Date(at.getTime() - retentionMilliseconds);
    const result = await findResult(database, path.workflowId, since);
    if (!result) {
      const status = await executions.statusOfExecution(database, path.workflowId);
      const message = `The execution has no result: its status is ${status}.`;
      return refuse(404, 'result_not_available', status === 'COMPLETED' ? {} : { message });
    }
    if (result.size <= inlineBytes)
      return { status: 200, type: 'application/json', body: storedJson(result) };
    const { redirectUrl, expiresAt } = signer.result(path.workflowId, at);
    const { size, sha256 } = result;
    const body = { redirectUrl, expiresAt: expiresAt.toISOString(), size, sha256: sha256.toString('hex') };
    return { status: 200, type: 'application/vnd.wrp.result-redirect+json', body };
  },
});

function refusalOf(outcome: Exclude<StartOutcome, { kind: 'started' }>) {
  switch (outcome.kind) {
    case 'parameters_mismatch': {
      const errors = outcome.problems.map(({ pointer, message }) => ({
        code: 'parameters_mismatch' as const,
        message: messageAt(`/parameters${pointer}`, message),
        pointer: `/parameters${pointer}`,
      }));
      return { status: 400 as const, errors };
    }
    case 'record_mismatch':
      return refuse(400, 'record_mismatch', { pointer: '/recordId' });
    case 'expiry_out_of_range':
      return refuse(400, 'expiry_out_of_range', { pointer: '/expiresAt' });
    case 'unknown_definition':
    case 'archived_definition':
      return refuse(404, 'workflow_definition_not_found', { pointer: '/workflowDefinitionId' });
  }
}
