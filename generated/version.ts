// Generated from spec/ by `npm run generate`. Do not edit.

export const version = '3.4.0';
