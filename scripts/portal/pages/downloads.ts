/** The paths of the packed client and mock; undefined if they are not built. */
export type PackagePaths = Partial<Record<'client' | 'mock', string | undefined>>;

/** `/docs/downloads` as Markdown. */
export function downloadsText(version: string, { client, mock }: PackagePaths): string {
  return `Everything here is generated from version ${version} of the contract, which the platform that serves this page runs.

| What | Address | For |
|---|---|---|
| The contract, YAML | [/openapi.yaml](/openapi.yaml) | OpenAPI 3.1 in one document |
| The contract, JSON | [/openapi.json](/openapi.json) | The same, for programs |
| The contract for generators | [/openapi-for-generators.json](/openapi-for-generators.json) | The operations with the organization token alone: see [Other languages and generators](/docs/generators) |
| The contract in Redoc | [/docs/redoc](/docs/redoc) | The whole contract on one page |
| Postman collection | [/docs/postman-collection.json](/docs/postman-collection.json) | All operations with examples, for the sandbox. Set \`organizationToken\`, and the ids of your own objects. Insomnia, Bruno and Hoppscotch import it too |
| llms.txt | [/llms.txt](/llms.txt) | An index of the documentation for language models ([llmstxt.org](https://llmstxt.org)) |
| Everything as one text | [/llms-full.txt](/llms-full.txt) | All guides and the reference, as Markdown |

## Markdown

Append \`.md\` to the path of any page: \`/docs/quick-start.md\` is the Markdown of \`/docs/quick-start\`. The reference is \`/docs/reference.md\`, with one file for each resource, for instance \`/docs/reference/users.md\`.

\`\`\`sh
curl -s "$WRP_BASE_URL/docs/quick-start.md"
\`\`\`

## The client

${clientText(client)}

## The mock

${mockText(mock)}
`;
}

const about =
  'Its types come from this contract. It retries, uploads, downloads and verifies webhook signatures: see [TypeScript client](/docs/client).';

function clientText(path: string | undefined): string {
  if (path === undefined) {
    return `The TypeScript client, \`@wrp/client\`, is in the folder \`client/\` of the platform's sources; \`npm run client:pack\` packs it. ${about}`;
  }
  return `The TypeScript client, \`@wrp/client\`, as a package for npm: [${path}](${path}). ${about} With the platform's address in \`WRP_BASE_URL\`:

\`\`\`sh
npm install "$WRP_BASE_URL${path}"
\`\`\``;
}

function mockText(path: string | undefined): string {
  const about = 'It responds with the examples of this contract: see [Mock](/docs/mock).';
  if (path === undefined)
    return `The mock, \`@wrp/mock\`, is in the platform's sources; \`npm run mock:pack\` packs it. ${about}`;
  const stateful = path.replace('wrp-mock-', 'wrp-mock-stateful-');
  return `The mock as a package for npm: [${path}](${path}). ${about} It needs Node 20.11 or later, and nothing else; \`--stateful\` installs [${stateful}](${stateful}) too:

\`\`\`sh
npx --yes "$WRP_BASE_URL${path}"
\`\`\``;
}
