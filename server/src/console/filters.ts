import { cursorOf, type Position, positionOf } from '../domain/cursors.ts';
import { type Html, html } from '../domain/html.ts';
import { timeOfOption, timeOptionIn } from '../domain/time-options.ts';

interface Field {
  name: string;
  label: string;
  value: string;
}

/**
 * The filters of a list: a form that loads the page with them.
 *
 * @param more further ones, in a section that is open if one of them is set
 */
export function filters(fields: Html[], more?: { fields: Html[]; isOpen: boolean }): Html {
  return html`<form method="get" role="search" aria-label="Filters"><div class="filters">${fields}<button>Apply</button></div>${
    more &&
    html`<details data-key="filters"${more.isOpen && html` open`}><summary>More filters</summary><div class="filters">${more.fields}</div></details>`
  }</form>`;
}

export function select({
  name,
  label,
  value,
  options,
}: Field & { options: [value: string, text: string][] }): Html {
  return html`<label>${label}<select name="${name}">${options.map(
    ([option, text]) =>
      html`<option value="${option}"${option === value && html` selected`}>${text}</option>`,
  )}</select></label>`;
}

export function input({ name, label, value }: Field): Html {
  return html`<label>${label}<input type="text" name="${name}" value="${value}" maxlength="200"></label>`;
}

/** The name of a list with its filters: a cursor is valid for it only. */
function listOf(name: string, query: URLSearchParams): string {
  const filters = [...query].filter(([key, value]) => key !== 'after' && value !== '');
  return JSON.stringify([name, filters.sort()]);
}

/** The position after which a page begins; undefined for the first page, or if the cursor is not one of the list. */
export function positionIn(name: string, query: URLSearchParams): Position | undefined {
  const cursor = query.get('after');
  return cursor === null ? undefined : positionOf(listOf(name, query), cursor);
}

/** Links to the next page, and to the first one. */
export function pageLinks(name: string, query: URLSearchParams, next: Position | undefined): Html {
  return linkToPages(query, next && cursorOf(listOf(name, query), next));
}

/** The same with the cursor of the next page. */
export function linkToPages(query: URLSearchParams, next: string | undefined): Html {
  const to = (cursor?: string) => {
    const kept = new URLSearchParams([...query].filter(([key, value]) => key !== 'after' && value !== ''));
    if (cursor) kept.set('after', cursor);
    return `?${kept.toString()}`;
  };
  return html`<p class="pages">${query.has('after') && html`<a class="button" href="${to()}">First page</a>`}${
    next !== undefined && html`<a class="button" rel="next" href="${to(next)}">Next page</a>`
  }</p>`;
}

/** One of the values, or undefined for any other text. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  text: string | null,
): Value | undefined {
  return values.find((value) => value === text);
}

/** Reads the times among the filters of a query, and adds to `problems` those that are invalid. */
export function timesIn(query: URLSearchParams, now: Date) {
  const problems: string[] = [];
  const timeOf = (name: string, label: string): Date | undefined => {
    const text = query.get(name)?.trim();
    if (!text) return undefined;
    const option = timeOptionIn(text);
    if (!option)
      problems.push(`${label}: a time such as 2026-11-30T08:00:00Z, a date, or how long ago, such as 24h.`);
    return timeOfOption(option, now);
  };
  return { timeOf, problems };
}
