import type { Page } from 'playwright-core';

/** More stops than any page has: a page that reaches this number keeps the keyboard. */
const limit = 700;

/** The problems of one element that has the focus. */
interface Stop {
  name: string;
  problems: string[];
  isEnd: boolean;
}

/**
 * Presses Tab from the top of a page to its end. The focus is always visible: in the viewport, not covered, with an
 * outline. It follows the order of the document, meets each element once, and leaves the page at the end.
 *
 * @returns the number of stops
 * @throws with every problem
 */
export async function walkByKeyboard(page: Page): Promise<number> {
  await page.evaluate(() => {
    // From the beginning, wherever the focus was.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    scrollTo(0, 0);
    (window as unknown as { visited: Element[] }).visited = [];
  });
  const problems: string[] = [];
  for (let count = 0; count < limit; count++) {
    await page.keyboard.press('Tab');
    const { name, problems: found, isEnd } = await page.evaluate(currentStop);
    if (isEnd) {
      if (problems.length > 0) throw new Error(`${page.url()}:\n${problems.join('\n')}`);
      return count;
    }
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  throw new Error(`${page.url()} keeps the focus: it did not leave the page after ${limit} times Tab.`);
}

/** Runs in the page. */
function currentStop(): Stop {
  const { visited } = window as unknown as { visited: Element[] };
  const focused = document.activeElement;
  // After the last element the focus is on the browser, and Tab begins again.
  if (!focused || focused === document.body || focused === visited[0])
    return { name: '', problems: [], isEnd: true };
  const before = visited.at(-1);
  // A date has a stop for each of its parts.
  if (focused === before && focused.matches('input[type^=date], input[type=time]'))
    return { name: '', problems: [], isEnd: false };
  const problems: string[] = [];
  if (visited.includes(focused)) problems.push('has the focus twice');
  else if (before && !(before.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING))
    problems.push('comes before the element that had the focus before it');
  visited.push(focused);
  // A radio button without a shape of its own is shown by its label.
  const label = focused.closest('label');
  const shown = getComputedStyle(focused).opacity === '0' && label ? label : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) === 0) problems.push('has no outline');
  // A link of several lines has a box for each.
  const [box] = shown.getClientRects();
  if (!box || box.width === 0 || box.height === 0) problems.push('has no size');
  else {
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
    const point = [left + Math.min(20, (right - left) / 2), top + Math.min(12, (bottom - top) / 2)] as const;
    const there = document.elementFromPoint(...point);
    if (right <= left || bottom <= top) problems.push('is outside the viewport');
    else if (!there || !(shown.contains(there) || there.contains(shown)))
      problems.push(`is covered by ${there?.tagName} ${there?.className}`);
  }
  const name = `${focused.tagName.toLowerCase()} "${(focused.getAttribute('aria-label') ?? focused.textContent ?? '').trim().slice(0, 40)}"`;
  return { name, problems, isEnd: false };
}
