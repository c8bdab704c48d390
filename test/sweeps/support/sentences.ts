import { errorMessages } from '../../../generated/operations.ts';
import type { Operation } from './contract.ts';

/** The contract's sentence of each error code. */
const sentences: Record<string, string> = errorMessages;

/** Codes whose message may be more specific than their sentence, and its form. */
const specialised: Record<string, RegExp> = {
  parameter_invalid: /^\S* (must|is not a (parameter|valid))\b/,
  body_malformed:
    /^The body is not (UTF-8|valid JSON: unexpected (end|character) at line \d+, column \d+)\.$/,
  body_invalid:
    /^(The body|\S+) (must|is nested|is not a (valid|property|field)) |^(The body|\S+) is required$|^[A-Z].*\.$/,
  body_too_large: /^The body is larger than 1,048,576 bytes \(1 MiB\)\.$/,
  file_too_large: /^The file is larger than [\d,]+ bytes( \([\d.,]+ [KMG]iB\))?\.$/,
  role_unknown:
    /^The (organization|workspace) has no such role\. `GET \/organizations\/(workspaces\/\{workspaceId\}\/)?roles` lists its roles\.$/,
  credentials_invalid:
    /^(Send (an|the) (organization|access) token|The organization token is|This is (an?|the secret of an) (API key|(organization|access|refresh) token)|This is a token of the mock|The refresh token (has expired|was used)|All tokens of this|Exchange an API key).*[.…]$|^The (token|API key|refresh token) belongs to (production|the sandbox), and this is (production|the sandbox)\.$/,
  precondition_failed: /^If-Match must be .+\.$/,
  result_not_available: /^The execution has no result: its status is [A-Z]+\.$/,
  parameters_mismatch: /^(parameters\S*|parametersId) (must|is) /,
  link_objects_mismatch: /^The (case|parameter set) belongs to another .+\.$/,
  case_has_no_contact: /^The case has no contact with an email address\.$/,
  execution_already_ended: /^The execution has already ended as [A-Z]+\.$/,
  multipart_malformed:
    /^(A part (has|is)|A header of a part is|The form (was|ends)|The Content-Type has no valid boundary\.) .*\.$/,
  path_not_found:
    /^There is no such path\. (Did you mean `\/[a-z-/{}]+`\?|The documentation is at `\/docs`\.)$/i,
  method_not_allowed: /^The path supports only [A-Z]+(, [A-Z]+)*( and [A-Z]+)?\.$/,
  permission_denied:
    /^The (permission [a-z0-9_]+ is needed here|signed URL is incomplete or altered\. .+)\.$/,
  content_type_unsupported:
    /^(This operation takes .+|A JSON body is UTF-8|The body must not be compressed: send it without Content-Encoding)\.$/,
  rate_limit_exceeded:
    /^(The budget of \d+ requests a minute is used up|More than \d+ attempts a minute from this address were refused)\. Retry in \d+ seconds?\.$/,
};

/** What is wrong with an entry of an error object, in a response or an example. */
export function entryError({ code, message }: { code: string; message: string }): string | undefined {
  const own = sentences[code];
  if (own === undefined) return `${code} is not an error code of the contract`;
  if (message === own || specialised[code]?.test(message)) return undefined;
  return (
    `${code} says "${message}" instead of "${own}". If the message should be more specific, add its form to ` +
    'test/sweeps/support/sentences.ts, and use the same message in the examples'
  );
}

export function examplesOfErrors(operation: Operation) {
  return [...operation.responses.values()]
    .filter(({ status }) => status >= 400)
    .flatMap(({ status, media }) =>
      media.flatMap(({ examples }) => examples.map((example) => ({ status, ...example }))),
    );
}
