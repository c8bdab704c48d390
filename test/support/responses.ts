import { expect } from 'vitest';
import type { ErrorCode } from '../../server/contract/index.ts';

/** A response of the client, or of plain fetch. */
type Given = { data?: unknown; error?: unknown; response: Response } | Response;

/** The parts of a response that a caller sees; `body` is undefined if there is none. */
export interface ReadResponse {
  status: number;
  body: unknown;
  headers: Headers;
}

/** Waits for a response and reads it: JSON parsed, anything else as text. */
export async function responseOf(given: Given | Promise<Given>): Promise<ReadResponse> {
  const settled = await given;
  const response = settled instanceof Response ? settled : settled.response;
  const { status, headers } = response;
  if (!(settled instanceof Response)) return { status, headers, body: settled.data ?? settled.error };
  const text = await settled.text();
  const isJson = headers.get('Content-Type')?.endsWith('json') === true;
  return { status, headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text };
}

/** The body of a response, which must have this status. */
export async function bodyOf(status: number, given: Given | Promise<Given>): Promise<unknown> {
  const response = await responseOf(given);
  expect(response, JSON.stringify(response.body)).toMatchObject({ status });
  return response.body;
}

/**
 * Holds a refusal against what the contract says of every one: the status, the code, and a fingerprint that is
 * the response's Request-Id.
 *
 * @param where the pointer, parameter or message, where the test is about it
 * @returns the response
 */
export async function expectRefusal(
  given: Given | Promise<Given>,
  status: number,
  code: ErrorCode,
  where: { pointer?: string; parameter?: string; message?: unknown } = {},
): Promise<ReadResponse> {
  const response = await responseOf(given);
  const fingerprint = response.headers.get('Request-Id');
  const problem = expect.objectContaining({ code, message: expect.any(String), ...where });
  expect({ status: response.status, body: response.body }).toEqual({
    status,
    body: { fingerprint, errors: [problem] },
  });
  expect(response.headers.get('Content-Type')).toBe('application/json');
  return response;
}
