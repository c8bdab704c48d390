export { isDeeperThan, type Json, type JsonObject } from './json.ts';
export { nameOf, namesIn, pointerTo } from './json-pointer.ts';
export { isObject } from './objects.ts';
export { startOf, storableText, textProblem } from './storable-text.ts';
export { parseTimestamp, timestampOf } from './timestamps.ts';
