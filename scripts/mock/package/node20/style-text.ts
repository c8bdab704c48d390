import util from 'node:util';

export * from 'node:util';

/** Without colours before Node 20.12. */
export const styleText: typeof util.styleText = util.styleText ?? ((_format, text) => text);
