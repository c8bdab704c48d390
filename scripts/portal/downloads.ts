/**
 * `/docs/downloads`: what there is to take along, as Markdown.
 *
 * @param clientPath where the packed client is, if there is one
 */
export function downloadsText(version: string, clientPath: string | undefined): string {
  return `Everything here is made from the contract of version ${version}, as the platform that serves this page runs it.

| What | Address | For |
|---|---|---|
| The contract, YAML | [/openapi.yaml](/openapi.yaml) | OpenAPI 3.1 in one document, for generators and for reading |
| The contract, JSON | [/openapi.json](/openapi.json) | The same, for programs |
| Postman collection | [/docs/postman-collection.json](/docs/postman-collection.json) | All operations with examples, for the sandbox; set \`organizationToken\`, and the identifiers of what is your own. Insomnia, Bruno and Hoppscotch import it too |
| llms.txt | [/llms.txt](/llms.txt) | The way in for language models ([llmstxt.org](https://llmstxt.org)) |
| Everything as one text | [/llms-full.txt](/llms-full.txt) | All guides and the reference, as Markdown |

## Pages as Markdown

Put \`.md\` behind the address of any page: \`/docs/quick-start\` is a page, \`/docs/quick-start.md\` its text. The reference is \`/docs/reference.md\`, with a text for each group, such as \`/docs/reference/users.md\`.

\`\`\`sh
curl -s "$BASE_URL/docs/quick-start.md"
\`\`\`

## The client

${clientText(clientPath)}
`;
}

const about =
  'It is typed from this contract, with retries, uploads, downloads and the check of webhook signatures. How to use it says its README.';

function clientText(path: string | undefined): string {
  if (path === undefined) {
    return `The TypeScript client, \`@wrp/client\`, is in the folder \`client/\` of the platform's sources; \`npm run client:pack\` packs it. ${about}`;
  }
  return `The TypeScript client, \`@wrp/client\`, as a package for npm: [${path}](${path}). ${about} With the platform's address in \`BASE_URL\`:

\`\`\`sh
npm install "$BASE_URL${path}"
\`\`\``;
}
