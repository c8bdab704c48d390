import type { Contract } from '../contract/source.ts';

/** One entry of an error's `errors`, in the contract's shape. */
export type ErrorItem = { code: string; message: string; pointer?: string; parameter?: string };

/** A refusal of the mock's own: what Prism does not check, or answers in a shape of its own. */
export class Refusal extends Error {
  readonly status: number;
  readonly items: ErrorItem[];
  readonly headers: Record<string, string>;

  constructor(status: number, items: ErrorItem[], headers: Record<string, string> = {}) {
    super(items[0]?.message);
    this.status = status;
    this.items = items;
    this.headers = headers;
  }
}

/** Refuses with a code of the contract, and with the contract's sentence where none is given. */
export type Refuse = (
  status: number,
  code: string,
  details?: { message?: string; pointer?: string; parameter?: string; headers?: Record<string, string> },
) => Refusal;

/** A code that the contract's closed list lacks is a mistake of the mock, told at once. */
export function refusing(contract: Contract): Refuse {
  const codes = contract.components['schemas']?.['ErrorCode'] as
    | { 'x-enumDescriptions'?: Record<string, string> }
    | undefined;
  const sentences = codes?.['x-enumDescriptions'];
  if (!sentences) throw new Error('The contract has no schema ErrorCode with x-enumDescriptions.');
  return (status, code, { message = sentences[code], pointer, parameter, headers } = {}) => {
    if (message === undefined || !(code in sentences)) throw new Error(`There is no error code ${code}.`);
    const place = { ...(pointer !== undefined && { pointer }), ...(parameter && { parameter }) };
    return new Refusal(status, [{ code, message, ...place }], headers);
  };
}
