// @ts-check
import { fixMarkup, portalParts } from './console-parts.js';
import { onToken } from './token.js';

// Starts Swagger UI, with the reader's token.

/**
 * @typedef {{preauthorizeApiKey(scheme: string, token: string): void, authActions: {logout(schemes: string[]): void}}} Ui
 * @typedef {(options: Record<string, unknown>) => Ui} SwaggerUi
 */

// Swagger UI's script would take over every link within the page, and not move the focus.
Object.assign(window, { noZensmooth: true });

/** Resolves once Swagger UI's script, which is deferred like this one, has run. */
const ready = new Promise((resolve) =>
  document.addEventListener('DOMContentLoaded', resolve, { once: true }),
);
const place = document.getElementById('console');

/** The page is served by what it calls. */
const servers = [
  { url: location.origin, description: place?.dataset['server'] ?? '' },
  {
    url: 'http://127.0.0.1:{port}',
    description: 'A mock on your machine (npm run mock)',
    variables: { port: { default: '4010', description: 'MOCK_PORT' } },
  },
];

async function start() {
  if (!place) return;
  const [contract] = await Promise.all([
    fetch(place.dataset['contract'] ?? '').then((response) => response.json()),
    ready,
  ]);
  const { SwaggerUIBundle } = /** @type {{SwaggerUIBundle: SwaggerUi}} */ (/** @type {unknown} */ (window));
  fixMarkup(place);
  const scheme = place.dataset['scheme'] ?? '';
  const ui = SwaggerUIBundle({
    domNode: place,
    plugins: [portalParts],
    layout: 'PortalLayout',
    spec: { ...contract, servers },
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    filter: true,
    persistAuthorization: false,
    // The badge would be fetched from another site, and reveal the contract's address.
    validatorUrl: null,
    withCredentials: false,
    onComplete: () =>
      onToken((token) => {
        place.closest('main')?.classList.toggle('without-token', token === '');
        if (token) ui.preauthorizeApiKey(scheme, token);
        else ui.authActions.logout([scheme]);
      }),
  });
}

// In production, the reader chooses first; the style sheet hides the rest until then.
const choice = document.querySelector('.console-choice');
if (choice)
  choice.querySelector('button')?.addEventListener('click', () => {
    choice.remove();
    void start();
    document.getElementById('token')?.focus();
  });
else void start();
