export { downloadHeaders, isStoredFile, sendFile, sendStored } from './downloads.ts';
export { entityTag, ifMatch, ifMatchMistake, isAmong } from './entity-tags.ts';
export {
  assertJson,
  assertNotEncoded,
  bytesOf,
  jsonBodyLimit,
  parseJson,
  readJson,
  readJsonBody,
  receiveBytes,
} from './json-body.ts';
export { type JsonAllowance, jsonAllowance } from './json-scan.ts';
export { checkInParts, isLong, jsonInPieces } from './long-bodies.ts';
export { mediaTypeOf, requestMediaType } from './media-types.ts';
export { fileNameOf, receiveForm } from './uploads.ts';
