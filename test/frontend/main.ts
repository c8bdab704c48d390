/** An example frontend: users, a workflow, files, and error messages. */
import { type Client, createClient, unwrap } from '@wrp/client';
import { recordFiles } from './files.ts';
import { element, field, onSubmit } from './page.ts';
import { attempt } from './problem.ts';
import { usersTable } from './users.ts';
import { workflowForm } from './workflow.ts';

const form = element('connection', HTMLFormElement);
const address = form.elements.namedItem('baseUrl') as HTMLInputElement;
// A page served by a mock calls that mock.
address.value = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:4010';

let current: Client | undefined;
const client = () => {
  if (!current) throw new Error('Connect first, with an address and a token.');
  return current;
};
const users = usersTable(client);
const files = recordFiles(client);
workflowForm(client);

onSubmit(form, () =>
  attempt(async () => {
    current = createClient({ baseUrl: field(form, 'baseUrl'), token: field(form, 'token') });
    await users.load(0);
    await files.load();
    element('connected', HTMLElement).textContent = `Connected to ${field(form, 'baseUrl')}`;
  }),
);

/** The id of no user. */
const unknownId = '00000000-0000-4000-8000-000000000000';

element('fail', HTMLButtonElement).addEventListener('click', () =>
  attempt(async () => {
    const params = { path: { userId: unknownId } };
    // Selects the error from a mock without state. The platform ignores the header.
    const headers = { Prefer: 'example=userNotFound' };
    await unwrap(client().GET('/organizations/users/{userId}', { params, headers }));
  }),
);
