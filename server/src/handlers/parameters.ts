import { refuse } from '../../contract/index.ts';
import type { HandlersOf } from '../http/operation.ts';
import { recordEvent } from '../store/events.ts';
import * as parameters from '../store/parameters.ts';

export const handlers = ({ now }: { now(): Date }): HandlersOf<'parameters'> => ({
  async createParameterSet({ body, caller, database }) {
    const at = now();
    const { parameterSet, workspaceId } = await parameters.createParameterSet(database, body, caller, at);
    const { parametersId, workflowDefinitionId } = parameterSet;
    await recordEvent(database, {
      type: 'parameters.created',
      organizationId: caller.organizationId,
      workspaceId,
      data: { parametersId, workflowDefinitionId },
      now: at,
    });
    return { status: 201, body: parameterSet };
  },

  async getParameterSet({ path, database }) {
    const parameterSet = await parameters.findParameterSet(database, path.parametersId, now());
    return parameterSet ? { status: 201, body: parameterSet } : refuse(404, 'parameters_not_found');
  },
});
