import type { Json, JsonObject } from '../domain/json.ts';

/**
 * What the first state of an execution is given, and every state sees as `$states.context.Execution.Input`:
 *
 * - `parameters`: those of the start
 * - `workflowId`: the execution's identifier
 * - `createdDate`: when it was started, ISO 8601
 * - `origin`: who started it: `{userId, firstName, lastName, email, type: "USER"}`, or `{email, type: "LINK"}`
 * - `locale`: its language
 * - `recordId`: the record that it is about, if there is one
 */
export function executionInput(execution: {
  id: string;
  parameters: Json;
  createdAt: Date;
  resultOrigin: Json;
  locale: string;
  recordId: string | null | undefined;
}): JsonObject {
  return {
    parameters: execution.parameters,
    workflowId: execution.id,
    createdDate: execution.createdAt.toISOString(),
    origin: execution.resultOrigin,
    locale: execution.locale,
    ...(execution.recordId && { recordId: execution.recordId }),
  };
}
