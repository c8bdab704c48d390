// @ts-check
// A plugin of Swagger UI, and attributes put on its markup, so that screen readers and the keyboard get along with it.

/**
 * @typedef {{
 *   createElement(type: unknown, props: object | null, ...children: unknown[]): unknown,
 * }} React
 * @typedef {{React: React, getComponent(name: string, connected: boolean): unknown}} System
 */

/** @param {System} system */
export function portalParts({ React, getComponent }) {
  const element = React.createElement;
  /** @param {string} name */
  const part = (name) => element(getComponent(name, true), null);

  /** As the layout that Swagger UI has, but the page has one main part already, and its own heading. */
  function PortalLayout() {
    return element(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      part('errors'),
      element(
        'div',
        { className: 'scheme-container' },
        element(
          'div',
          { className: 'schemes wrapper' },
          element('div', { className: 'schemes-server-container' }, part('ServersContainer')),
          part('AuthorizeBtnContainer'),
        ),
      ),
      part('FilterContainer'),
      element('div', { id: 'operations', className: 'wrapper' }, part('operations')),
    );
  }

  /**
   * The path of an operation is part of the button that opens it: a link would be a control within a control.
   *
   * @param {unknown} DeepLink
   */
  const withoutInnerLinks = (DeepLink) => (/** @type {{path: string, text: string}} */ props) =>
    props.path.includes('/') ? element('span', null, props.text) : element(DeepLink, props);

  return { components: { PortalLayout }, wrapComponents: { DeepLink: withoutInnerLinks } };
}

/** A row of a table in which a value is given. */
const rows = '[data-param-name], [data-property-name]';
/** The names of controls that have none of their own. */
const names = Object.entries({
  '#servers': 'Server',
  '.operation-filter-input': 'Filter by tag or path',
  '.servers td input': 'Server variable',
  '.examples-select-element': 'Example',
  '.content-type': 'Media type',
  '.close-modal': 'Close',
  'textarea.body-param__text': 'Request body',
});

/**
 * Puts the attributes on what is drawn, now and later.
 *
 * @param {Element} place where Swagger UI draws
 */
export function mendMarkup(place) {
  let asked = false;
  const mend = () => {
    asked = false;
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
    // Who speaks to the page says what stands on the button.
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
    if (asked) return;
    asked = true;
    requestAnimationFrame(mend);
  }).observe(place, { childList: true, subtree: true });
}
