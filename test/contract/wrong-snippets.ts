import { snippetsOf } from '../support/snippets.ts';

/** Invalid pages, one for each kind of error: they run with the real ones, and must be reported. */
export const wrongSnippets = [
  ...snippetsOf(
    `
\`\`\`sh
true
curl "$WRP_BASE_URL/nowhere" | cat
\`\`\`

\`\`\`sh
if true; then
\`\`\`

\`\`\`sh
curl -H 'Prefer: code=404' "$WRP_BASE_URL/organizations/roles"
\`\`\`

\`\`\`ruby
puts "Hello"
\`\`\`

\`\`\`json User
{"id": 5}
\`\`\`

\`\`\`json
{"QueryLanguage": "JSONata", "StartAt": "A", "States": {"A": {"Type": "Succeed", "Next": "B"}}}
\`\`\`

\`\`\`json
{"a": 1}
\`\`\`

\`\`\`yaml
environments: { production: { organization: { nam: Alder } } }
\`\`\`

\`\`\`http
GET /organization/users HTTP/1.1
X-Token: tot_…
\`\`\`
`,
    'wrong.md',
  ),
  ...snippetsOf(
    `
\`\`\`ts
const count: number = 'three';
\`\`\`

\`\`\`ts
await unwrap(client.GET('/organizations/roles'));
\`\`\`
`,
    'mistyped.md',
  ),
  ...snippetsOf(
    `
\`\`\`ts
import { createServer } from 'node:http';

// To be verified another day.
createServer((_request, response) => response.writeHead(204).end()).listen(3000);
\`\`\`
`,
    'gullible.md',
  ),
];

/** The beginning of the expected message. */
export const expectedProblems = {
  kinds: ['wrong.md:16 nothing proves a block of "ruby"'],
  documents: [
    'wrong.md:20 /id must be string',
    'wrong.md:20 it must have required property',
    'wrong.md:24 definition.States.A.Next',
    'wrong.md:28 say what it is',
    'wrong.md:32 wrong.md:1',
    'wrong.md:36 the contract has no GET /organization/users',
    'wrong.md:36 the contract knows no header X-Token',
  ],
  shell: ['wrong.md:3 cat failed: curl: (22)', 'wrong.md:8 the block failed', 'wrong.md:12 curl -H'],
  programs: [
    'mistyped.md:7 ReferenceError: unwrap is not defined',
    'gullible.md:3 Error: A forged event (another body)',
  ],
  types: ["mistyped.md:3 TS2322: Type 'string'", "mistyped.md:7 TS2304: Cannot find name 'unwrap'"],
};
