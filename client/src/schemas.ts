/** Valibot schemas of the bodies of requests and responses, exported as `@wrp/client/schemas`. Needs `valibot`. */

/** The JSON bodies that the platform accepts, by operationId and by the contract's name for the schema. */
export * as requests from '../../generated/request-schemas.ts';
/**
 * The JSON bodies of successful responses, by operationId and by the contract's name for the schema, and `Error`. They
 * check types and required fields. Unknown fields and values are kept, so that later versions of the platform pass.
 */
export * as responses from '../../generated/response-schemas.ts';
