/** The contract as types, generated from it. The only module that knows where they are. */
export type * from '../../generated/types.ts';
