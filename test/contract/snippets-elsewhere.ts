/** A block that `npm test` does not run where it stands. */
export interface Elsewhere {
  file: string;
  /** A part of its code that no other block of the page has. */
  holds: string;
  /** Why it is not run here, and which test covers it. */
  because: string;
}

/** The whole list: every block that is not on it is run. */
export const runsElsewhere: Elsewhere[] = [
  {
    file: 'README.md',
    holds: 'npm test',
    because: 'It starts this test from the beginning. CI runs both commands on an empty clone.',
  },
  ...(
    [
      ['get-access', 'tot_yourToken'],
      ['quick-start', 'tot_yourToken'],
      ['authentication', 'wrpk_yourKey'],
    ] as const
  ).map(([page, holds]) => ({
    file: `spec/guides/${page}.md`,
    holds,
    because: 'It has a placeholder instead of a credential. The blocks below it run with that of the demo.',
  })),
  {
    file: 'spec/guides/step-functions.md',
    holds: 'wrp definition convert',
    because: 'Its file is an example. test/platform/cli-workflows.test.ts converts and checks a definition.',
  },
  ...[
    'npx wrp execution show',
    'npx wrp audit list',
    'npx wrp definition pause',
    'npx wrp definition archive',
  ].map((holds) => ({
    file: 'spec/guides/operations.md',
    holds,
    because:
      'It needs the data directory of a platform that `npm start` runs. test/platform/cli*.test.ts run each of them.',
  })),
  ...[
    'createdb wrp',
    'openssl rand',
    'export DATABASE_URL',
    'wrp.js serve',
    'npx wrp apply platform.yaml',
  ].map((holds) => ({
    file: 'spec/guides/operations.md',
    holds,
    because: "It needs an operator's own services. `npm run prove -- faults` sets up such an installation.",
  })),
  {
    file: 'spec/guides/operations.md',
    holds: 'npx wrp backup',
    because: 'Its directories are examples. test/platform/backup.slow.test.ts backs up and restores.',
  },
  ...['grep 3aa0d092', 'otelcol'].map((holds) => ({
    file: 'spec/guides/tracing.md',
    holds,
    because: 'It needs a log or a collector. test/operations/tracing.slow.test.ts has both.',
  })),
  ...['spec/guides/webhooks.md', 'client/README.md'].map((file) => ({
    file,
    holds: 'npx wrp-listen',
    because:
      'It runs until Ctrl-C. test/webhooks/listen.test.ts and the journey of the packed client run it.',
  })),
  ...['auth: () =>', 'const options =', 'createClient<paths>', 'new Configuration({'].map((holds) => ({
    file: 'spec/guides/generators.md',
    holds,
    because: 'It needs a generated client: `npm run client:generators` generates each and runs its block.',
  })),
  ...['npm install express', 'npm install fastify'].map((holds) => ({
    file: 'spec/guides/webhooks.md',
    holds,
    because: 'The packages are there: the compiler and test/webhooks/receivers.slow.test.ts use them.',
  })),
  {
    file: 'spec/guides/mock.md',
    holds: '/__mock/clock',
    because: 'It moves the clock of a mock with state. test/mock/stateful.test.ts runs it against one.',
  },
  ...['npx --yes http', 'npx --yes --package', 'npm install --save-dev', '@wrp/mock'].map((holds) => ({
    file: 'spec/guides/mock.md',
    holds,
    because: 'It needs the packed mock, which test/mock/package.slow.test.ts installs, starts and calls so.',
  })),
  {
    file: 'scripts/portal/pages/frontends.md',
    holds: 'npm install ajv',
    because: 'The packages are there: test/contract/frontends.test.ts uses them.',
  },
  {
    file: 'scripts/portal/pages/frontends.md',
    holds: 'ajv-i18n',
    because:
      'The types of the package need the module resolution of a bundler: test/contract/frontends.test.ts.',
  },
  {
    file: 'scripts/portal/pages/frontends.md',
    holds: 'page.route(',
    because: 'It needs a browser: test/mock/frontend.slow.test.ts sends the same header.',
  },
  {
    file: 'spec/guides/versioning.md',
    holds: 'npm install --no-save',
    because:
      'It needs a project with the packed client, and no test runs it. test/mock/package.slow.test.ts installs what it installs.',
  },
  {
    file: 'spec/guides/mock.md',
    holds: 'podman build',
    because: 'It needs a container engine. The command of the container is `npm run mock`.',
  },
  {
    file: 'spec/guides/mock.md',
    holds: 'npm run mock:webhook',
    because: 'It needs a receiver. test/mock/stateful.test.ts runs it with one that verifies.',
  },
];
