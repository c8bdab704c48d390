/** Valibot schemas of the bodies of requests, responses and webhooks, exported as `@wrp/client/schemas`. Needs `valibot`. */

/**
 * The events of webhooks, by the contract's name for the schema: `UserUpdated` for `user.updated`. Like `responses`, but
 * `type` must be that of the event.
 */
export * as events from '../../generated/event-schemas.ts';
/** The JSON bodies that the platform accepts, by operationId and by the contract's name for the schema. */
export * as requests from '../../generated/request-schemas.ts';
/**
 * The JSON bodies of successful responses, by operationId and by the contract's name for the schema, and `Error`. They
 * check types and required fields. Unknown fields and values are kept, so that later versions of the platform pass.
 */
export * as responses from '../../generated/response-schemas.ts';
