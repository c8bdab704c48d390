import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorBody, type Problem } from '../../contract/index.ts';
import { startOf } from '../../json/index.ts';
import { entrances } from '../http/entrances.ts';

/** Maximum size of a response that an agent receives, in bytes. */
export const { bytesOut: largestResponse } = entrances.agents;
/** For what the protocol adds to a result: the id of the request, the name of the server, the framing. */
const largestEnvelope = 4 * 1024;

export function text(...texts: string[]): CallToolResult {
  return { content: texts.filter(Boolean).map((each) => ({ type: 'text', text: each })) };
}

/** What the agent can correct. */
export function failure(...texts: string[]): CallToolResult {
  return { ...text(...texts), isError: true };
}

/** The error object of the contract for a call that is not performed. */
export function refusal(errors: Problem[]): CallToolResult {
  return errorResult(errorBody({ status: 400, errors }, randomUUID()));
}

/** An error object; its first error alone if it contains too many long names for a response. */
export function errorResult(body: { errors: object[] }, ...facts: string[]): CallToolResult {
  const whole = failure(JSON.stringify(body), ...facts);
  if (fits(whole)) return whole;
  return failure(JSON.stringify({ ...body, errors: body.errors.slice(0, 1) }), ...facts);
}

/** Whether a result fits into a response. Quotes and control characters take more bytes in JSON than in the text. */
export function fits(result: CallToolResult): boolean {
  return Buffer.byteLength(JSON.stringify(result)) <= largestResponse - largestEnvelope;
}

/** The whole text, or its first lines and a note that says where the rest is. */
export function firstPart(whole: string, note: string): CallToolResult {
  const result = text(whole);
  if (fits(result)) return result;
  for (let length = largestResponse; ; length -= largestEnvelope) {
    const start = startOf(whole, length);
    const part = text(start.slice(0, start.lastIndexOf('\n') + 1) || start, note);
    if (length <= largestEnvelope || fits(part)) return part;
  }
}
