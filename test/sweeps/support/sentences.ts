import { errorMessages } from '../../../generated/operations.ts';
import type { Operation } from './contract.ts';

/** Every code's sentence, as the contract has it. */
const sentences: Record<string, string> = errorMessages;

/** Codes whose sentence may say more than the code's own, and what it may look like. */
const specialised: Record<string, RegExp> = {
  parameter_invalid: /^\S* (must|is not a parameter)\b/,
  body_malformed: /^The body is not UTF-8\.$/,
  body_invalid: /^(must|is nested) |^[A-Z].*\.$/,
  parameters_mismatch: /^must /,
  link_objects_mismatch: /^The (case|parameter set) belongs to another .+\.$/,
  case_has_no_contact: /^The case has no contact with an e-mail address\.$/,
  execution_already_ended: /^The execution has already ended as [A-Z]+\.$/,
  multipart_malformed: /^(A part (has|is)|The form was) .*\.$/,
  permission_denied: /^The permission [a-z0-9_]+ is needed here\.$/,
  content_type_unsupported:
    /^(This operation takes .+|A JSON body is UTF-8|A body comes without a Content-Encoding)\.$/,
  rate_limit_exceeded:
    /^(The budget of \d+ requests a minute is used up|More than \d+ attempts a minute from this address were refused)\.$/,
};

/** What is wrong with an entry of an error object, be it served or an example. */
export function faultOfEntry({ code, message }: { code: string; message: string }): string | undefined {
  const own = sentences[code];
  if (own === undefined) return `${code} is not one of the contract's codes`;
  if (message === own || specialised[code]?.test(message)) return undefined;
  return (
    `${code} says "${message}" where the contract says "${own}". If it is to say more than that, describe ` +
    'how in test/sweeps/support/sentences.ts, and let the examples and the platform say the same'
  );
}

export function examplesOfErrors(operation: Operation) {
  return [...operation.answers.values()]
    .filter(({ status }) => status >= 400)
    .flatMap(({ status, media }) =>
      media.flatMap(({ examples }) => examples.map((example) => ({ status, ...example }))),
    );
}
