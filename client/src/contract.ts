/** The contract as types, generated from it. The only module that knows where they are. */
export type { components, operations, paths, webhooks } from '../../generated/types.ts';
