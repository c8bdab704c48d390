import { type Client, type components, unwrap } from '@wrp/client';
import { create, element } from './page.ts';
import { attempt } from './problem.ts';

const size = 10;

/** The paginated table of users. */
export function usersTable(client: () => Client): { load(page: number): Promise<void> } {
  const rows = element('users', HTMLTableSectionElement);
  const place = element('page', HTMLElement);
  const previous = element('previous', HTMLButtonElement);
  const next = element('next', HTMLButtonElement);
  let shown = 0;

  const load = async (page: number) => {
    const params = { query: { page, size } };
    const users = await unwrap(client().GET('/organizations/users', { params }));
    shown = users.number;
    rows.replaceChildren(...users.content.map(rowOf));
    place.textContent = `Page ${shown + 1} of ${users.totalPages}, ${users.totalElements} users`;
    previous.disabled = shown === 0;
    next.disabled = shown + 1 >= users.totalPages;
  };
  previous.addEventListener('click', () => attempt(() => load(shown - 1)));
  next.addEventListener('click', () => attempt(() => load(shown + 1)));
  return { load };
}

function rowOf({ email, profile }: components['schemas']['User']): HTMLTableRowElement {
  const name = create('td', `${profile.firstName} ${profile.lastName}`);
  name.dir = 'auto';
  return create('tr', name, create('td', profile.title), create('td', email), create('td', profile.status));
}
