import { isObject } from '../../json/index.ts';

/** A list is cut to so many bytes of a result, in which quotes are escaped: half of what many agents accept. */
const largestList = 40 * 1024;

const sizeOf = (text: string) => Buffer.byteLength(JSON.stringify(text));

/**
 * Cuts the longest list of a response to whole items.
 *
 * @param skip items at the start to leave out
 * @returns undefined if there is no list, or if even one item is too large
 */
export function cutList(body: unknown, skip: number): { body: unknown; note: string } | undefined {
  const found = listIn(body);
  if (!found) return undefined;
  const { items, replace } = found;
  // The two quotes of each text count for a comma.
  const sizes = items.slice(skip).map((item) => sizeOf(JSON.stringify(item)));
  let left = largestList - sizeOf(JSON.stringify(replace([])));
  const over = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  const end = over === -1 ? Math.max(items.length, skip) : skip + over;
  if (end === skip && items.length > skip) return undefined;
  const rest =
    end < items.length ? ` For the rest, repeat the call with skip: ${end}. With fields, more fit.` : '';
  const range = end === skip ? 'No items' : `Items ${skip + 1} to ${end}`;
  return { body: replace(items.slice(skip, end)), note: `${range} of ${items.length}.${rest}` };
}

function listIn(body: unknown): { items: unknown[]; replace(items: unknown[]): unknown } | undefined {
  if (Array.isArray(body)) return { items: body, replace: (items) => items };
  if (!isObject(body)) return undefined;
  const lists = Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const sized = lists.map(([name, items]) => ({ name, items, size: JSON.stringify(items).length }));
  const [longest] = sized.sort((one, other) => other.size - one.size);
  if (!longest) return undefined;
  return { items: longest.items, replace: (items) => ({ ...body, [longest.name]: items }) };
}

export const exceedsList = (text: string) => sizeOf(text) > largestList;
