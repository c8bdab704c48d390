import type { OperationObject } from '../../../server/contract/index.ts';
import { formatPlace } from '../../contract/locator.ts';
import type { Contract } from '../../contract/source.ts';
import { acceptedFile, refused } from './acceptances.ts';
import { verdictOn } from './breaks.ts';
import type { PlacedBreak } from './placed.ts';

/** The changes for a terminal, and what one can do about those that are refused. */
export function breaksText(
  breaks: readonly PlacedBreak[],
  last: { version: string; contract: Contract } | undefined,
  current: Contract,
): string {
  if (!last) return 'spec/releases/ has no released contract to compare with.';
  const lines = breaks.map(({ rule, where, message, accepted, ...place }) => {
    const id = operationAt(where, last.contract) ?? operationAt(where, current);
    return `${formatPlace(place)} ${message} (${rule})
  ${where}${id ? ` (${id})` : ''}
${accepted ? `  Accepted: ${accepted}\n` : ''}`;
  });
  return [...lines, verdictOn(breaks, last.version), ...(refused(breaks).length > 0 ? [advice] : [])].join(
    '\n',
  );
}

const advice = `Add the new beside the old and deprecate the old, accept the change with a reason in ${acceptedFile}, or release a major version.`;

/** `/link post responses 201` → `createLink`. */
function operationAt(where: string, { paths, webhooks }: Contract): string | undefined {
  const [path = '', method = ''] = where.replace(/^webhooks /, '').split(' ');
  const operation = (paths[path] ?? webhooks?.[path])?.[method] as OperationObject | undefined;
  return operation?.operationId;
}
