// @ts-check
// A plugin of Swagger UI, and attributes for screen readers and the keyboard.

/**
 * @typedef {{
 *   createElement(type: unknown, props: object | null, ...children: unknown[]): unknown,
 *   Fragment: unknown,
 * }} React
 * @typedef {{name: string, 'x-displayName'?: string}} Tag
 * @typedef {{
 *   React: React,
 *   getComponent(name: string, connected: boolean): unknown,
 *   specSelectors: {specJson(): {toJS(): {tags?: Tag[]}}},
 * }} System
 */

/** A name with its colon, a string, a number, or a constant. */
const json = /("(?:[^"\\\n]|\\.)*"(?:\s*:)?|\b(?:true|false|null|\d[\d.]*)\b)/;

/** @param {System} system */
export function portalParts({ React, getComponent, specSelectors }) {
  const element = React.createElement;
  /** @param {string} name */
  const part = (name) => element(getComponent(name, true), null);

  /** Swagger UI's layout without its own main landmark and heading, which the page has already. */
  function PortalLayout() {
    return element(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      part('errors'),
      element('div', { className: 'schemes-server-container' }, part('ServersContainer')),
      part('FilterContainer'),
      element('div', { id: 'operations', className: 'wrapper' }, part('operations')),
    );
  }

  /**
   * Code in the portal's colours.
   * @param {{children: string, language?: string}} props
   */
  function CodeBlock({ children: code, language }) {
    const parts = (language === 'json' ? code.split(json) : [code]).map((text, index) => {
      if (index % 2 === 0) return text;
      const kind = /^"/.test(text) ? (text.endsWith(':') ? 'key' : 'string') : 'constant';
      return element('span', { key: index, className: `tok-${kind}` }, text);
    });
    return element('pre', { tabIndex: 0 }, element('code', null, ...parts));
  }

  /** @type {Map<string, string> | undefined} */
  let titles;
  /** @param {string} tag */
  function titleOf(tag) {
    titles ??= new Map(
      (specSelectors.specJson().toJS().tags ?? []).map(({ name, 'x-displayName': title = name }) => [
        name,
        title,
      ]),
    );
    return titles.get(tag) ?? tag;
  }

  /**
   * The path of an operation is part of the button that opens it, where a link would be a control within a control. A
   * group shows its title, and keeps its URL.
   *
   * @param {unknown} DeepLink
   */
  const named = (DeepLink) => (/** @type {{path: string, text: string}} */ props) =>
    props.path.includes('/')
      ? element('span', null, props.text)
      : element(DeepLink, { ...props, text: titleOf(props.text) });

  /**
   * The field for the token is above everything, out of view: an operation that needs it says so.
   *
   * @param {unknown} Execute
   */
  const withTokenHint =
    (Execute) => (/** @type {{operation: {get(name: string): {size: number} | undefined}}} */ props) =>
      element(
        React.Fragment,
        null,
        element(Execute, props),
        props.operation.get('security')?.size
          ? element(
              'button',
              {
                type: 'button',
                className: 'btn token-hint',
                onClick: () => document.getElementById('token')?.focus(),
              },
              'Enter your token first',
            )
          : null,
      );

  return {
    components: { PortalLayout, SyntaxHighlighter: CodeBlock },
    // The page has a field for the token.
    wrapComponents: { DeepLink: named, execute: withTokenHint, authorizeOperationBtn: () => () => null },
    // Swagger UI would scroll below the header.
    statePlugins: {
      layout: {
        wrapActions: {
          scrollToElement: () => (/** @type {Element} */ operation) => operation.scrollIntoView(),
        },
      },
    },
    fn: { opsFilter: filterBy(titleOf) },
  };
}

/**
 * @typedef {{get(name: string): any, set(name: string, value: unknown): Operations, size: number}} Operations
 * @typedef {{
 *   map(change: (group: Operations, tag: string) => Operations): Groups,
 *   filter(keep: (group: Operations) => boolean): Groups,
 * }} Groups
 */

/**
 * Swagger UI's filter by group or path, with the names of groups that readers see.
 * @param {(tag: string) => string} titleOf
 */
function filterBy(titleOf) {
  return (/** @type {Groups} */ groups, /** @type {string} */ filter) => {
    const words = filter.toLowerCase();
    /** @param {string} text */
    const has = (text) => text.toLowerCase().includes(words);
    const narrowed = groups.map((group, tag) => {
      if (has(tag) || has(titleOf(tag))) return group;
      return group.set(
        'operations',
        group.get('operations').filter((/** @type {Operations} */ operation) => has(operation.get('path'))),
      );
    });
    return narrowed.filter((group) => group.get('operations').size > 0);
  };
}

/** A row with an input. */
const rows = '[data-param-name], [data-property-name]';
/** Accessible names for controls that have none. */
const names = Object.entries({
  '#servers': 'Server',
  '.operation-filter-input': 'Filter by tag or path',
  '.servers td input': 'Server variable',
  '.examples-select-element': 'Example',
  '.content-type': 'Media type',
  'textarea.body-param__text': 'Request body',
});

/**
 * Sets accessibility attributes on everything that Swagger UI renders.
 *
 * @param {Element} place where it renders
 */
export function fixMarkup(place) {
  let isScheduled = false;
  const fix = () => {
    isScheduled = false;
    for (const [selector, name] of names) {
      for (const control of place.querySelectorAll(`${selector}:not([aria-label])`)) {
        control.setAttribute('aria-label', name);
      }
    }
    for (const row of place.querySelectorAll(rows)) {
      const { paramName, propertyName = '' } = /** @type {HTMLElement} */ (row).dataset;
      for (const control of row.querySelectorAll(':is(input, select, textarea):not([aria-label])')) {
        control.setAttribute('aria-label', paramName ?? propertyName);
      }
    }
    // Speech control uses the text on the button.
    for (const button of place.querySelectorAll('button[aria-label]')) {
      const [text, name] = [button.textContent.trim(), button.getAttribute('aria-label') ?? ''];
      if (!name.startsWith(text)) button.setAttribute('aria-label', `${text}: ${name}`);
    }
    // It scrolls, so the keyboard must reach it.
    for (const code of place.querySelectorAll('pre:not([tabindex])')) code.setAttribute('tabindex', '0');
    // Swagger UI's own heading, of the second level, is not shown.
    for (const heading of place.querySelectorAll(':is(h3, h4, h5, h6):not([aria-level])')) {
      // The variables of the server stand before everything else.
      const level = heading.closest('.servers') ? 2 : Number(heading.tagName.slice(1)) - 1;
      heading.setAttribute('aria-level', String(level));
    }
  };
  new MutationObserver(() => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(fix);
  }).observe(place, { childList: true, subtree: true });
}
