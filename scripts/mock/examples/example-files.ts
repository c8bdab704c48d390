import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFiles } from '../../../server/src/manifest/demo-fixtures.ts';

/** The file of an example: the demo's of this name, or text of this size. */
export function exampleFile(name: string, size: number): Buffer {
  const file = join(demoFiles, name);
  return existsSync(file) ? readFileSync(file) : Buffer.from(filling(size));
}

/**
 * A JSON result of exactly this size: these properties, padded with text.
 *
 * @throws {RangeError} if the properties alone are larger
 */
export function exampleResult(properties: object, size: number): Buffer {
  const frame = JSON.stringify({ ...properties, text: '' });
  return Buffer.from(`${frame.slice(0, -2)}${filling(size - Buffer.byteLength(frame))}"}`);
}

/** @throws {RangeError} for a negative length */
function filling(length: number): string {
  const words = 'The vehicle was inspected. ';
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
}
