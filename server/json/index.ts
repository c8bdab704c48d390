export { nameOf, namesIn, pointerTo } from './json-pointer.ts';
export { type Json, type JsonObject, isDeeperThan } from './json.ts';
export { isObject } from './objects.ts';
export { startOf, storableText, textProblem } from './storable-text.ts';
export { parseTimestamp, timestampOf } from './timestamps.ts';
