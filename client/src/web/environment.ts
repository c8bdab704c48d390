import type * as environment from '../environment.ts';

/** Browsers have no environment variables, and their bundles no code for them. */
export const variable: typeof environment.variable | undefined = undefined;

export const tokenFromEnvironment: typeof environment.tokenFromEnvironment | undefined = undefined;
